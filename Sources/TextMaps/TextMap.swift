import Geodesy
import MapAnnotations

/// A map made of characters: numbered pins, the origin, coasts, a scale and a legend.
///
/// Pins have the numbers of the list beside the map. Several annotations in one cell are shown as
/// their count, `(3)`, which the legend explains. A pin that would touch its neighbor's number
/// moves aside by up to two columns; if that is not enough, it joins the neighbor's count. In the
/// braille style, more than ``mostSigns`` pins without a number become dots, eight in a cell, in
/// the color of the cell's most frequent kind: even a million show where they are dense.
///
///     let map = TextMap(
///       markers: [.init(at: cinema, number: 1, kind: .cinema)], origin: cityHall)
///     print(map.render())
///
/// Directions and lengths are correct at the middle of the map: the projection is azimuthal
/// equidistant about its center, so poles and the antimeridian need no special case. Maps of more
/// than about 120° are plate carrée. A cell counts as twice as tall as wide.
public struct TextMap: Sendable {
  /// The markers; a later one never hides an earlier one.
  public var markers: [Marker]
  /// Lines to draw below the markers, each through its positions, such as a track; a single
  /// position is a dot.
  public var lines: [[Coordinate]]
  /// The origin of distances, drawn as `@` or `✛`.
  public var origin: Coordinate?
  /// The search radius, drawn as a circle about `origin`.
  public var radius: Distance?
  /// The area to show; nil for the markers and the origin.
  public var viewport: BoundingBox?
  /// The total size of the frame, the map and the legend.
  public var size: Size
  /// The characters of the map.
  public var style: Style
  /// Whether escape sequences color the map; the text is the same either way.
  public var color: TerminalColor
  /// The coasts and borders behind the markers.
  public var basemap: Basemap
  /// Whether markers have signs and counts, whatever their number.
  public var showsCounts = false

  /// The maximum number of signs for markers without a number, unless ``showsCounts`` is true.
  public static let mostSigns = 1_500

  /// Makes a map; ``render()`` draws it.
  public init(
    markers: [Marker], lines: [[Coordinate]] = [], origin: Coordinate? = nil,
    radius: Distance? = nil,
    viewport: BoundingBox? = nil, size: Size = .standard, style: Style = .braille,
    color: TerminalColor = .none, basemap: Basemap = .world
  ) {
    self.markers = markers
    self.lines = lines
    self.origin = origin
    self.radius = radius
    self.viewport = viewport
    self.size = size
    self.style = style
    self.color = color
    self.basemap = basemap
  }
}

extension TextMap {
  /// One annotation on the map.
  public struct Marker: Hashable, Sendable {
    /// The position.
    public var coordinate: Coordinate
    /// The number in the list, 1 or more; nil draws the sign of the kind instead.
    public var number: Int?
    /// The kind, for color, sign and legend.
    public var kind: AnnotationKind?
    /// Words to write beside the marker if there is room; nil for none.
    ///
    /// The ASCII style writes only 7-bit labels.
    public var label: String?
    /// Whether the place has closed down or is suspended; its pin then has a sign for that.
    public var isOutOfBusiness: Bool

    /// Makes a marker.
    public init(
      at coordinate: Coordinate, number: Int? = nil, kind: AnnotationKind? = nil,
      label: String? = nil, isOutOfBusiness: Bool = false
    ) {
      self.coordinate = coordinate
      self.number = number
      self.kind = kind
      self.label = label
      self.isOutOfBusiness = isOutOfBusiness
    }
  }

  /// The characters of a map.
  public enum Style: String, CaseIterable, Sendable {
    /// 7-bit characters only, whatever the names of kinds.
    case ascii
    /// Box drawing and shaded blocks.
    case block
    /// Braille with eight dots in a cell: the finest lines.
    case braille
  }

  /// The size of a map's text.
  public struct Size: Hashable, Sendable {
    /// Columns of a terminal, 20…1,000.
    public let columns: Int
    /// Lines, 8…1,000, including one or two for the legend.
    public let rows: Int

    /// Makes a size; numbers out of range become the nearest valid ones.
    public init(columns: Int, rows: Int) {
      self.columns = min(max(columns, 20), 1_000)
      self.rows = min(max(rows, 8), 1_000)
    }

    /// 64 × 20: with a short list above it, this fits a terminal of 80 × 24.
    public static let standard = Size(columns: 64, rows: 20)
  }
}

// MARK: - Rendering

extension TextMap {
  /// The map as text.
  ///
  /// The same map gives the same bytes everywhere. Markers outside a given viewport are counted in
  /// the legend.
  ///
  /// - Returns: Lines of at most `size.columns` columns, and at most `size.rows` of them, without a
  ///   final line break. No line ends in a space.
  /// - Complexity: O(*n* log *n* + *c*) for *n* markers and *c* cells; about 0.1 ms for ten markers
  ///   at the standard size, in a release build.
  public func render() -> String {
    let palette = KindPalette(markers.lazy.map(\.kind))
    let window = window(palette)
    var canvas = MapCanvas(columns: window.columns, rows: window.rows, style: style)
    let graticule = Graticule(window: window, style: style)
    drawBackground(on: &canvas, in: window, graticule)
    let notes = drawPins(on: &canvas, in: window, palette)
    graticule.drawLabels(on: &canvas)
    drawScaleBar(window.scaleBar, isWorld: window.projection.kind == .plateCarree, on: &canvas)

    var text = InkedText(color: color)
    canvas.append(to: &text)
    Legend.append(legend(palette, notes: notes).lines(width: legendWidth), to: &text)
    return text.finished()
  }

  /// For each marker, the column and the line of its place in the text of ``render()``, from 0; nil outside the map.
  ///
  /// Its sign is there or up to two columns beside it.
  ///
  /// - Complexity: O(*n*) for *n* markers.
  package var cells: [(column: Int, line: Int)?] {
    let window = window(KindPalette(markers.lazy.map(\.kind)))
    // Inside the frame.
    return markers.map { marker in
      window.cell(of: marker.coordinate).map { ($0.column + 1, $0.row + 1) }
    }
  }

  // MARK: Content

  /// One column is for the space at the start of the legend.
  private var legendWidth: Int { size.columns - 1 }

  /// The part of the plane that is shown above the legend.
  private func window(_ palette: KindPalette) -> MapWindow {
    let reserved = legend(
      palette, notes: notes(outside: max(markers.count, 1), hasCounts: true)
    )
    .lines(width: legendWidth).count
    return MapWindow(
      // A viewport is shown exactly.
      holding: content, viewport: viewport, margin: viewport == nil ? 3 : 0,
      columns: size.columns - 2, rows: size.rows - 2 - reserved)
  }

  /// The positions that the window must contain.
  private var content: [Coordinate] {
    if let viewport { return viewport.outline(pieces: 32) }
    var positions = markers.map(\.coordinate) + lines.joined()
    if let origin {
      if let circle, isCircleWorthShowing { positions += circle }
      positions.append(origin)
    }
    return positions
  }

  /// The circle about the origin; nil without one, or if it would go round the Earth.
  private var circle: [Coordinate]? {
    guard let origin, let radius, radius.meters > 0,
      radius.meters < 90 * SphereProjection.metersPerDegree
    else { return nil }
    let projection = SphereProjection(.azimuthalEquidistant, center: origin)
    let pieces = 96
    return (0...pieces).compactMap { piece in
      let angle = 2 * Double.pi * Double(piece % pieces) / Double(pieces)
      return projection.unproject(
        PlanePoint(x: radius.meters * sine(angle), y: radius.meters * cosine(angle)))
    }
  }

  /// Whether the circle may set the scale: not if the markers would shrink to a spot in it.
  private var isCircleWorthShowing: Bool {
    guard let origin, let radius else { return false }
    let farthest = markers.map { $0.coordinate.greatCircleDistance(to: origin) }.max()
    guard let farthest, farthest > .zero else { return true }
    return radius <= farthest * 3
  }

  // MARK: Drawing

  private func drawBackground(
    on canvas: inout MapCanvas, in window: MapWindow, _ graticule: Graticule
  ) {
    var dots = DotCanvas(columns: canvas.columns, rows: canvas.rows)
    if style == .braille {
      graticule.draw(on: &dots)
    } else {
      graticule.drawCrosses(on: &canvas)
    }
    basemap.draw(on: &dots, in: window)
    if let circle {
      // Dotted if there are enough dots, to distinguish it from a coast.
      let pen = style == .braille ? DotCanvas.Pen.dotted(every: 2) : .solid
      window.path(through: circle, on: &dots, pen: pen)
    }
    canvas.draw(dots)
    guard !lines.isEmpty else { return }
    var ways = DotCanvas(columns: canvas.columns, rows: canvas.rows)
    for line in lines {
      window.path(through: line.count == 1 ? line + line : line, on: &ways, pen: .solid)
    }
    canvas.draw(ways, .strong)
  }

  private var originSign: String { style == .ascii ? "@" : "✛" }

  /// Draws the pins and the origin, and returns what the legend must explain about them.
  private func drawPins(
    on canvas: inout MapCanvas, in window: MapWindow, _ palette: KindPalette
  ) -> [String] {
    let originCell = origin.flatMap { window.cell(of: $0) }
    var labels = PinLabels(columns: canvas.columns, origin: originCell)
    var outside = 0
    let hasDots = drawsDots
    if hasDots { outside += drawDots(on: &canvas, in: window, palette) }
    for marker in markers where !hasDots || !marker.mayBeDot {
      guard let cell = window.cell(of: marker.coordinate) else {
        outside += 1
        continue
      }
      labels.add(pin(for: marker, palette), column: cell.column, row: cell.row)
    }
    if let originCell {
      canvas.write(originSign, .strong, column: originCell.column, row: originCell.row)
    }
    let placed = labels.placed()
    for label in placed { canvas.write(label) }
    // Only after all pins, so that no words take the place of one.
    for label in placed {
      if let words = label.words { canvas.write(words, .plain, beside: label) }
    }
    return notes(outside: outside, hasCounts: placed.contains { $0.count > 1 })
  }

  /// Whether markers without a number are drawn as dots.
  private var drawsDots: Bool {
    guard style == .braille, !showsCounts, markers.count > TextMap.mostSigns else { return false }
    return markers.lazy.filter(\.mayBeDot).prefix(TextMap.mostSigns + 1).count > TextMap.mostSigns
  }

  /// Draws markers as dots, each cell in the color of its most frequent kind, and returns how many are outside.
  private func drawDots(
    on canvas: inout MapCanvas, in window: MapWindow, _ palette: KindPalette
  ) -> Int {
    var dots = DotCanvas(columns: canvas.columns, rows: canvas.rows)
    // Kinds beyond the first 15 share a color with those that have none.
    let places = 16
    var counts = [Int32](repeating: 0, count: canvas.columns * canvas.rows * places)
    var outside = 0
    for marker in markers where marker.mayBeDot {
      guard let cell = window.cell(of: marker.coordinate) else {
        outside += 1
        continue
      }
      let dot = window.dot(of: marker.coordinate)
      dots.set(
        min(Int(dot.x), canvas.columns * 2 - 1), min(Int(dot.y), canvas.rows * 4 - 1))
      let place = min(palette.place(of: marker.kind) ?? places - 1, places - 1)
      counts[(cell.row * canvas.columns + cell.column) * places + place] += 1
    }
    canvas.draw(dots) { cell in
      let first = cell * places
      // The first of equally frequent kinds.
      let most = (first..<first + places).max { (counts[$0], -$0) < (counts[$1], -$1) } ?? first
      return most - first < places - 1 ? .kind(most - first) : .strong
    }
    return outside
  }

  private func notes(outside: Int, hasCounts: Bool) -> [String] {
    var notes: [String] = []
    if drawsDots { notes.append("each dot one or more") }
    if markers.contains(where: \.isOutOfBusiness) { notes.append(Self.outOfBusinessNote(style)) }
    if hasCounts { notes.append("(n) n in one spot") }
    if outside > 0 { notes.append("\(outside) outside the map") }
    return notes
  }

  /// The sign at pins and names of places that have closed down or are suspended.
  static func outOfBusinessSign(_ style: Style) -> String { style == .ascii ? "X" : "×" }

  /// The meaning of that sign, for a legend.
  public static func outOfBusinessNote(_ style: Style) -> String {
    "\(outOfBusinessSign(style)) out of business"
  }

  private func pin(for marker: Marker, _ palette: KindPalette) -> PinLabels.Pin {
    let ink = palette.ink(of: marker.kind)
    let words = words(for: marker)
    guard let number = marker.number else {
      let sign =
        marker.isOutOfBusiness
        ? Self.outOfBusinessSign(style)
        : String(Character(palette.sign(of: marker.kind, style: style)))
      return PinLabels.Pin(text: sign, isNumber: false, ink: ink, words: words)
    }
    let mark = marker.isOutOfBusiness ? Self.outOfBusinessSign(style) : ""
    return PinLabels.Pin(text: mark + String(number), isNumber: true, ink: ink, words: words)
  }

  /// The text beside a marker: its label, cleaned and shortened.
  private func words(for marker: Marker) -> String? {
    guard let label = marker.label else { return nil }
    let words = TerminalText.sanitized(label)
    if style == .ascii, !words.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    let longest = 20
    guard style == .ascii else { return TerminalText.truncated(words, to: longest) }
    return String(words.prefix(longest))
  }

  /// Draws the scale bar into the lower right of the frame, with its length beside it.
  private func drawScaleBar(_ bar: ScaleBar, isWorld: Bool, on canvas: inout MapCanvas) {
    let (left, line, right) = style == .ascii ? ("|", "-", "|") : ("├", "─", "┤")
    // On a world map, the scale is correct only along the equator and the meridians.
    let drawn = left + String(repeating: line, count: bar.columns - 1) + right
    var text = " \(drawn) \(bar.label) "
    let remark = "at the equator "
    if isWorld, text.unicodeScalars.count + remark.count <= canvas.columns { text += remark }
    let column = max(0, canvas.columns - text.unicodeScalars.count - 1)
    canvas.write(text, .plain, column: column, row: canvas.rows)
  }

  // MARK: Legend

  private func legend(_ palette: KindPalette, notes: [String]) -> Legend {
    // Each asks all markers, so not again for each kind.
    let drawsDots = drawsDots
    let signedKinds: Set<AnnotationKind?> =
      drawsDots ? [] : Set(markers.lazy.filter { $0.number == nil }.map(\.kind))
    var legend = Legend(style: style)
    if origin != nil { legend.add("\(originSign) origin", .strong) }
    for (kind, numbers) in kinds(palette) {
      let name = legendName(kind.rawValue)
      // Without color, dots of all kinds look alike.
      let sign =
        drawsDots
        ? (color == .none ? "" : "⣿ ")
        : signedKinds.contains(kind) ? "\(palette.sign(of: kind, style: style)) " : ""
      let runs = Legend.runs(of: numbers, dash: style == .ascii ? "-" : "–")
      // A long enumeration explains nothing; the list has it too.
      let isReadable = !runs.isEmpty && runs.count <= 20
      legend.add(kind: sign + name + (isReadable ? " \(runs)" : ""), palette.ink(of: kind))
    }
    if signedKinds.contains(nil), markers.contains(where: { $0.kind != nil }) {
      legend.add(kind: "\(palette.sign(of: nil, style: style)) other", palette.ink(of: nil))
    }
    if markers.isEmpty, lines.isEmpty { legend.add("no annotations") }
    for note in notes { legend.add(note) }
    return legend
  }

  /// The kinds on the map with their numbers, in palette order.
  private func kinds(_ palette: KindPalette) -> [(kind: AnnotationKind, numbers: [Int])] {
    var numbers: [AnnotationKind: [Int]] = [:]
    for marker in markers {
      if let kind = marker.kind { numbers[kind, default: []] += marker.number.map { [$0] } ?? [] }
    }
    return numbers.map { ($0.key, $0.value.sorted()) }
      .sorted { (palette.place(of: $0.kind) ?? .max) < (palette.place(of: $1.kind) ?? .max) }
  }

  private func legendName(_ name: String) -> String {
    let name = TerminalText.sanitized(name)
    guard style == .ascii else { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
  }
}

extension TextMap.Marker {
  /// Whether the marker could be a dot without losing information.
  fileprivate var mayBeDot: Bool { number == nil && label == nil }
}

extension BoundingBox {
  /// Positions along the edges, corners included.
  fileprivate func outline(pieces: Int) -> [Coordinate] {
    var positions: [Coordinate] = []
    for piece in 0...pieces {
      let share = Double(piece) / Double(pieces)
      let longitude = Coordinate.wrappedLongitude(west + width * share)
      let latitude = south + (north - south) * share
      positions += [
        Coordinate(unchecked: south, longitude), Coordinate(unchecked: north, longitude),
        Coordinate(unchecked: latitude, west), Coordinate(unchecked: latitude, east),
      ]
    }
    return positions
  }
}
