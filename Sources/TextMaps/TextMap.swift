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
  /// Lines to draw below the markers, each through its positions, such as a track.
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

/// Whether text carries color for a terminal.
public enum TerminalColor: Sendable {
  /// No escape sequences.
  case none
  /// The 256 standard terminal colors, as ANSI escape sequences.
  case ansi
}
