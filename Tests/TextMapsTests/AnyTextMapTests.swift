import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing
@testable import TextMaps

@Suite struct `Any text map` {
  /// Maps of every kind, from a seed.
  private static func randomMap(seed: UInt64, style: TextMap.Style) -> TextMap {
    var generator = SeededGenerator(seed: seed)
    let pointSet = PointSet.allCases[Int(seed) % PointSet.allCases.count]
    let (points, origin) = pointSet.sample(Int.random(in: 0...60, using: &generator), seed: seed)
    let kinds: [AnnotationKind?] = [.cinema, .mart, .deal, "카페\u{1B}[2J", "two\nlines", nil]
    let names: [String?] = ["씨네큐브", "plain", "👩‍👩‍👧 family", "\u{1B}]0;x\u{7}", nil]
    let markers = points.enumerated().map { place, point in
      TextMap.Marker(
        at: point, number: Bool.random(using: &generator) ? place + 1 : nil,
        kind: kinds.randomElement(using: &generator) ?? nil,
        label: names.randomElement(using: &generator) ?? nil)
    }
    return TextMap(
      markers: markers, origin: Bool.random(using: &generator) ? origin : nil,
      radius: Bool.random(using: &generator)
        ? .meters(.random(in: 0...5_000_000, using: &generator)) : nil,
      size: .init(
        columns: .random(in: 0...120, using: &generator),
        rows: .random(in: 0...40, using: &generator)),
      style: style)
  }

  @Test(arguments: UInt64(0)..<60, TextMap.Style.allCases)
  func `stays within its size, line by line`(seed: UInt64, style: TextMap.Style) {
    let map = Self.randomMap(seed: seed, style: style)
    let lines = map.render().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= map.size.rows)
    for (place, line) in lines.enumerated() {
      let columns = DisplayWidth.columns(of: String(line))
      #expect(columns <= map.size.columns)
      #expect(line.last != " ")
      // The frame is closed: as wide in every line, whatever script is in it.
      if place < lines.count - 2 { #expect(columns == map.size.columns) }
    }
  }

  @Test(arguments: UInt64(0)..<60)
  func `is 7-bit in the ASCII style, whatever it shows`(seed: UInt64) {
    let text = Self.randomMap(seed: seed, style: .ascii).render()
    #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test(arguments: UInt64(0)..<60, TextMap.Style.allCases)
  func `is the same text in color`(seed: UInt64, style: TextMap.Style) {
    var map = Self.randomMap(seed: seed, style: style)
    let plain = map.render()
    map.color = .ansi
    #expect(withoutEscapeSequences(map.render()) == plain)
    #expect(!plain.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: UInt64(0)..<20)
  func `does not depend on the order of its markers but for equal cells`(seed: UInt64) {
    var map = Self.randomMap(seed: seed, style: .braille)
    for place in map.markers.indices { map.markers[place].label = nil }
    // The window's last bits may depend on it, and with them where a dot of a coast falls.
    map.basemap = .none
    let text = map.render()
    map.markers.reverse()
    #expect(map.render() == text)
  }
}
