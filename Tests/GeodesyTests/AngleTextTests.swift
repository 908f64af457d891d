import Geodesy
import NearbyTestSupport
import Testing

/// Angles in degrees, minutes and seconds.
@Suite struct AngleTextTests {
  @Test(arguments: [
    "37°34′12″N", "37° 34' 12\" N", "37°34'12''", "37 34 12 N", "37 34 12", "N37 34 12",
    "N37.34.12",
    "37.34.12", "37.34.12.0", "37:34:12", "37°34.2′", "37°34.2'N", "37.57°", "37.57N", "n 37.57",
    "북위 37도 34분 12초", "북위37.57도", "北緯37度34分12秒", "北緯３７度３４分１２秒", "37º34’12”",
    "37.57°\u{200B}", "37°\u{A0}34′\u{3000}12″",
    "+37°34′12″", "N 37° 34′ 12″",
  ])
  func `an angle is the double of its decimal`(text: String) {
    #expect(AngleText(text.utf8)?.degrees == 37.57)
  }

  @Test(arguments: [
    "S37.57", "37 34 12 S", "남위 37도 34분 12초", "-37°34′12″", "−37 34 12", "南緯37.57度",
  ])
  func `the south is negative`(text: String) {
    #expect(AngleText(text.utf8)?.degrees == -37.57)
  }

  @Test func `a letter or word names the coordinate`() {
    for (text, axis) in [
      ("N37.5", CoordinateAxis.latitude), ("남위 3도", .latitude), ("127 30 E", .longitude),
      ("東経127度", .longitude), ("서경 3.5도", .longitude), ("経度127", nil), ("37°30′", nil),
    ] {
      #expect(AngleText(text.utf8)?.axis == axis, "\(text)")
    }
  }

  @Test(arguments: [
    "37.57", "３７．５７", "373412", "37 34", "37,57", "37°34,2′", "37 60 12 N", "37 34 60 N",
    "37.5 34 12 N",
    "37 34.5 12 N", "37 34 12 11 N", "-37 34 12 S", "N37 34 12 S", "37′34°", "37°34°12″", "N", "°",
    "37..12", "37.34.12.1.1", ".34.12", "37 34 12 X", "181°", "3-4", "12:30", "2024.01.31일", "",
    "37 - 34 - 12", "北37.5", "西37°", "위37도", "e", "1e2",
  ])
  func `what might be something else is no angle`(text: String) {
    #expect(AngleText(text.utf8) == nil)
  }

  @Test(arguments: UInt64(0)..<20)
  func `an angle that is written comes back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let whole = Int.random(in: 0..<(180 * 3600), using: &random)
      let (degrees, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
      let expected = Double(whole) / 3600
      for text in [
        "\(degrees)°\(minutes)′\(seconds)″", "E\(degrees).\(minutes).\(seconds)",
        "\(degrees) \(minutes) \(seconds)", "東経\(degrees)度\(minutes)分\(seconds)秒",
      ] {
        #expect(AngleText(text.utf8)?.degrees == expected, "\(text)")
      }
    }
  }
}
