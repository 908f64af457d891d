import AnnotationImport
import GeoJSONCoding
import MapAnnotations
import Synchronization
import Testing

@testable import NearbyHTTP

/// The ids of features that are posted.
@Suite struct PostedIDTests {
  @Test func `a blank id is none, and is not that of a record`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let items = "/collections/shops/items"
    for id in ["\"\"", "\" \""] {
      let blank = #"{"type":"Feature","id":\#(id),"geometry":null,"properties":{}}"#
      let own = #"{"type":"Feature","id":"own","geometry":null,"properties":{}}"#
      for features in [blank, "\(blank),\(own)"] {
        let answer = service.send(
          "POST", items, #"{"type":"FeatureCollection","features":[\#(features)]}"#)
        #expect(answer.status == 400 && answer.code == "body-id", "\(id)")
        #expect(answer.text.contains("post it alone, in no collection"))
      }
      #expect(keeper.kept.withLock { $0.isEmpty })
    }
    for id in ["\"\"", "\" \""] {
      let blank = #"{"type":"Feature","id":\#(id),"geometry":null,"properties":{}}"#
      #expect(service.send("POST", items, blank).status == 201)
    }
    // Not the number of its record in the body.
    #expect(keeper.kept.withLock { $0.count == 2 && $0["1"] == nil })
  }

  @Test func `a feature whose properties have its id is posted under that, as a file imports it`()
    throws
  {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let items = "/collections/shops/items"
    let feature = #"{"type":"Feature","geometry":null,"properties":{"id":5,"name":"새 가게"}}"#
    let bodies = [feature, feature, #"{"type":"FeatureCollection","features":[\#(feature)]}"#]
    for (place, body) in bodies.enumerated() {
      let answer = service.send("POST", items, body)
      #expect(answer.status == (place == 0 ? 201 : 200))
      #expect(try answer.member("ids") == .array([.string("5")]))
    }
    #expect(keeper.kept.withLock { Array($0.keys) } == ["5"])
    #expect(try service.get(items).features.count == 4)
  }

  @Test func `a feature that is posted alone without an id gets one, at its Location`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    let items = "/collections/shops/items"
    let feature = #"{"type":"Feature","geometry":null,"properties":{"name":"새 가게"}}"#
    for count in 4...5 {
      let answer = service.send("POST", items, feature)
      #expect(answer.status == 201)
      let address = try #require(answer.header("location")).dropFirst("http://localhost".count)
      #expect(try service.get(String(address)).member("properties", "name") == "새 가게")
      #expect(try service.get(items).features.count == count)
    }
  }

  @Test func `an id with a zero character is refused, and so is an address with one`() throws {
    let keeper = MemoryKeeper()
    let service = Served.service(try Served.shops(3), keeper: keeper)
    let feature = #"{"type":"Feature","id":"a\u0000b","geometry":null,"properties":{}}"#
    let answer = service.send("POST", "/collections/shops/items", feature)
    #expect(answer.status == 400 && answer.code == "body-id")
    for (address, fault) in [
      ("/collections/shops/items/a%00b", "zero byte"), ("/collections/%ff", "not percent-encoded"),
      ("/collections/shops/items?name=%00", "zero byte"),
      ("/collections/shops/items?name=%ff", "not percent-encoded"),
    ] {
      let refused = service.send(address.contains("?") ? "GET" : "PUT", address, feature)
      #expect(refused.status == 400)
      #expect(try refused.member("detail")?.text?.contains(fault) == true, "\(address)")
    }
    #expect(keeper.kept.withLock { $0.isEmpty })
  }
}
