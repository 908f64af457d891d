import Geodesy
import MapAnnotations
import Testing

@Suite struct AnyAnnotationTests {
  private let shop = BasicAnnotation(
    id: 7, placeID: "spot", name: "MASUYA", kind: "shop",
    coordinate: try? Coordinate(latitude: 34.866937, longitude: 138.32222),
    shape: GroundShape(points: [Coordinate(unchecked: 34.9, 138.4)]),
    openingHours: "10:00~19:00",
    properties: [
      "terms": "1,000円引き", "web": "https://example.org", "brand": "", "address": "焼津市",
    ], origin: RecordOrigin(source: "deals.csv", record: 3))

  @Test func `a wrapped annotation says what it says itself, and can be had back`() throws {
    let deal = Deal(shop, terms: "1,000円引き")
    let wrapped = AnyAnnotation(AnyAnnotation(deal))
    #expect(wrapped.shape == shop.shape)
    #expect(BasicAnnotation(copying: wrapped) == BasicAnnotation(copying: deal))
    #expect(try #require(wrapped.base as? Deal) == deal)
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
