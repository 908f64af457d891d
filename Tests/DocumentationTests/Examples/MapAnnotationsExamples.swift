import NearbyKit
import Testing

@Suite struct `Examples of MapAnnotations` {
  private func ownKind() throws {
    struct Cafe: Annotation {
      let id: AnnotationID
      let coordinate: Coordinate?
      var kind: AnnotationKind? { "cafe" }
    }
    let cafes = [
      Cafe(id: 1, coordinate: try Coordinate(latitude: 37.5721, longitude: 126.9690)),
      Cafe(id: 2, coordinate: nil),  // not placed yet
    ]
    let index = AnnotationIndex(cafes)
    print(index.placedCount, index.unplacedCount)  // 1 1
  }

  @Test func `add a kind`() throws {
    #expect(try PrintedLines.of(ownKind) == ["1 1"])
  }

  private func onePlace() {
    let coupon = Deal(
      BasicAnnotation(id: "coupon-12", placeID: "xn0w8p", name: "MASUYA"), terms: "1,000 yen off")
    let voucher = Deal(BasicAnnotation(id: "voucher-7", placeID: "xn0w8p", name: "MASUYA"))
    print(coupon.id == voucher.id, coupon.placeID == voucher.placeID)  // false true
    print(coupon.kind == voucher.kind)  // true
  }

  @Test func `share a place`() {
    #expect(PrintedLines.of(onePlace) == ["false true", "true"])
  }

  private func order() {
    let ids: [AnnotationID] = ["b", "10", "007", "7", "-3", "a"]
    print(ids.sorted().map(\.text).joined(separator: " "))  // -3 7 10 007 a b
  }

  @Test func `order ids`() {
    #expect(PrintedLines.of(order) == ["-3 7 10 007 a b"])
  }
}
