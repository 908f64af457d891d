import Geodesy
import MapAnnotations
import Testing

/// The smallest conformance.
private struct Cafe: Annotation {
  var id: AnnotationID
  var coordinate: Coordinate?
}

@Suite struct AnnotationTests {
  @Test func `an id and a coordinate are all that an annotation needs`() throws {
    let mark = Cafe(id: "m")
    #expect(mark.kind == nil && mark.name == nil && mark.placeID == nil)
    #expect(mark.openingHours == nil && mark.validDates.isEmpty && mark.properties.isEmpty)
    #expect(mark.origin == nil)
    let place = try Coordinate(latitude: 35, longitude: 139)
    #expect(Cafe(id: 1, coordinate: place).coordinate == place)
  }

  @Test func `a view may go by the id of any annotation`() {
    func ids(_ items: some Collection<some Identifiable<AnnotationID>>) -> [AnnotationID] {
      items.map(\.id)
    }
    let deal = Deal(BasicAnnotation(id: "d"))
    #expect(ids([deal]) == ["d"] && ids([Cafe(id: 1)]) == [1])
    #expect(ids([AnyAnnotation(deal), AnyAnnotation(Cafe(id: 2))]) == ["d", 2])
  }

  @Test func `a special annotation has its own kind and the common fields`() throws {
    let place = try Coordinate(latitude: 37.5, longitude: 127)
    let day = try #require(CalendarDate("2026-11-21"))
    let common = BasicAnnotation(
      id: "x", placeID: "p", name: "n", kind: "ignored", coordinate: place, openingHours: "24/7",
      validDates: [DateSpan(first: day, last: nil)], properties: ["a": 1],
      origin: RecordOrigin(source: "s.csv", record: 3))
    let all: [any Annotation] = [
      Deal(common, terms: "t", webAddress: "https://example.org"), Cinema(common, address: "here"),
      Mart(common, brand: "b", address: "here"),
    ]
    #expect(all.map(\.kind) == [.deal, .cinema, .mart])
    for annotation in all {
      var copy = BasicAnnotation(copying: annotation)
      #expect(copy.kind == annotation.kind)
      copy.kind = common.kind
      #expect(copy.properties["a"] == 1 && copy.properties.entries.count > 1)
      copy.properties = common.properties
      #expect(copy == common)
    }
  }

  @Test func `the fields of a kind are properties`() {
    let common = BasicAnnotation(id: 1, properties: ["brand": "old", "address": 12])
    var mart = Mart(common, brand: "new")
    #expect(mart.properties == ["brand": "new", "address": 12] && mart.address == "12")
    #expect(Mart(common).brand == "old")
    (mart.brand, mart.address) = (nil, "12")
    #expect(mart.properties == ["address": 12] && mart.property("brand") == nil)
    let deal = Deal(BasicAnnotation(id: 1), terms: "half", webAddress: "https://example.org")
    #expect(deal.properties == ["terms": "half", "web": "https://example.org"])
    #expect(BasicAnnotation(copying: deal).properties == deal.properties)
    #expect(Cinema(common, address: "here").properties == ["brand": "old", "address": "here"])
  }

  @Test func `a kind is its name, letter case and all`() {
    #expect(AnnotationKind(rawValue: "cinema") == .cinema)
    #expect("bakery" as AnnotationKind != "Bakery")
    #expect(AnnotationKind.mart.description == "mart")
  }
}
