import Geodesy
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Positions at sea whose address is on land.
///
/// That no address of the lists at hand is at sea, ProvinceTests say.
@Suite struct LandTests {
  @Test func `all of the land is there`() {
    #expect(Land.southKorea.region.polygons.count == 11 && Land.japan.region.polygons.count == 34)
    #expect(Land.southKorea.region.boxes.count == 71 && Land.japan.region.boxes.count == 79)
    for (land, country) in [(Land.southKorea, Region.southKorea), (Land.japan, Region.japan)] {
      for box in land.region.boundingBoxes {
        #expect(box.south < box.north && box.west < box.east, "\(box)")
        let middle = PointSet.legal((box.south + box.north) / 2, (box.west + box.east) / 2)
        // Some blocks of Hokkaido's list lie farther east than the box of Japan.
        #expect(country.distance(to: middle) < .kilometers(40), "\(box)")
      }
    }
    #expect(Land.of(.martAppKorea)?.region == nil)
  }

  /// Inside the box of their province, and between the nearest land and the next.
  ///
  /// How far it is was measured on maps; the lines here are right to 6 km.
  @Test(arguments: [
    // West of Dokdo; between Geomundo and the islands of Yeosu; west of Taean.
    ("경북 울릉군 울릉읍 1", 37.2, 131.4, 40.0), ("전남 여수시 삼산면 1", 34.05, 127.65, 26),
    ("충남 태안군 근흥면 1", 36.5, 125.75, 31),
    // Between Niigata and Sado; the Pacific off Fukushima.
    ("新潟県新潟市中央区1", 38.15, 138.85, 25), ("福島県いわき市1", 37.3, 141.6, 45),
  ])
  func `a position at sea is told with how far it is`(
    address: String, latitude: Double, longitude: Double, kilometers: Double
  ) throws {
    let report = try comparison(address, latitude, longitude)
    guard report.warnings["far-from-province"] == nil else { return }
    #expect(report.warnings == ["off-land": 1])
    let message = try #require(report.examples["off-land"])
    let words = message.split(separator: " ")
    let said = try #require(words.firstIndex(of: "km").flatMap { Double(words[$0 - 1]) })
    #expect(abs(said - kilometers) <= 7, "\(message)")
  }

  @Test(arguments: [
    ("경북 울릉군 독도이사부길 55", 37.24, 131.87), ("전남 신안군 흑산면 1", 34.07, 125.11),
    ("인천 옹진군 백령면 1", 37.95, 124.67), ("제주 서귀포시 대정읍 마라로 1", 33.12, 126.27),
    ("東京都小笠原村父島1", 27.09, 142.19), ("沖縄県島尻郡南大東村1", 25.83, 131.24),
    ("鹿児島県鹿児島郡十島村中之島1", 29.84, 129.87), ("新潟県佐渡市1", 38.02, 138.37),
    ("鹿児島県大島郡喜界町1", 28.32, 129.97), ("島根県隠岐郡西ノ島町1", 36.1, 133.0),
    ("北海道礼文郡礼文町1", 45.37, 141.02), ("山口県萩市見島1", 34.77, 131.15),
  ])
  func `an island is land`(address: String, latitude: Double, longitude: Double) throws {
    #expect(try comparison(address, latitude, longitude).warnings == [:])
  }

  @Test func `what is far from its province is told once`() throws {
    // The mart of the seed, on open sea.
    let report = try comparison("인천광역시 서구 서곶로 754", 37.07915561, 126.11836061)
    #expect(report.warnings == ["far-from-province": 1])
  }

  /// The sum that spares most positions the exact distance, beside it.
  @Test func `what is called close is close`() {
    var generator = SeededGenerator(seed: 1904)
    var off = 0
    for land in [Land.southKorea, .japan] {
      for _ in 0..<300 {
        let ring = land.region.polygons.randomElement(using: &generator)!.boundingBox
        let position = PointSet.legal(
          Double.random(in: ring.south - 0.3...ring.north + 0.3, using: &generator),
          Double.random(in: ring.west - 0.3...ring.east + 0.3, using: &generator))
        let exact = land.region.distance(to: position)
        let found = land.distance(to: position, beyond: .kilometers(10))
        #expect(found == (exact > .kilometers(10) ? exact : nil), "\(position)")
        off += found == nil ? 0 : 1
      }
    }
    #expect(off > 100)
  }

  @Test func `an address without a province or abroad says nothing of land`() throws {
    #expect(try comparison("Yeouido 1", 37.2, 131.4).warnings == [:])
    #expect(try comparison("1 Front Street, Hamilton, Bermuda", 32.3, -64.8).warnings == [:])
  }
}
