import Geodesy
import MapAnnotations
import Testing

@Suite struct AnyAnnotationTests {
  private let shop = BasicAnnotation(
    id: 7, placeID: "spot", name: "MASUYA", kind: "shop",
    coordinate: try? Coordinate(latitude: 34.866937, longitude: 138.32222),
    openingHours: "10:00~19:00",
    properties: [
      "terms": "1,000円引き", "web": "https://example.org", "brand": "", "address": "焼津市",
    ], origin: RecordOrigin(source: "deals.csv", record: 3))

  @Test func `a wrapped annotation says what it says itself, and can be had back`() throws {
    let deal = Deal(shop, terms: "1,000円引き")
    let wrapped = AnyAnnotation(AnyAnnotation(deal))
    #expect(BasicAnnotation(copying: wrapped) == BasicAnnotation(copying: deal))
    #expect(try #require(wrapped.base as? Deal) == deal)
  }

  @Test func `a wrapped annotation has its shape`() throws {
    var line = shop
    line.shape = GroundShape(points: [try Coordinate(latitude: 34.9, longitude: 138.4)])
    #expect(line.shape != nil)
    #expect(AnyAnnotation(line).shape == line.shape)
    #expect(AnyAnnotation(shop).shape == nil)
  }

  @Test func `a row of a table becomes a deal, a cinema or a mart`() {
    let deal = Deal(copying: shop)
    #expect(deal.kind == .deal && deal.placeID == "spot" && deal.terms == "1,000円引き")
    #expect(deal.webAddress == "https://example.org")
    let cinema = Cinema(copying: shop)
    #expect(cinema.kind == .cinema && cinema.address == "焼津市")
    let mart = Mart(copying: shop)
    #expect(mart.kind == .mart && mart.brand == nil && mart.address == "焼津市")
  }
}
