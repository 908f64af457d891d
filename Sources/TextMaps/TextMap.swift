import Geodesy
import MapAnnotations

/// A map made of characters: numbered pins, where one stands, coasts, a scale and a legend.
///
/// Pins carry the numbers of the list beside the map. Several annotations in one cell are shown
/// as their count, `(3)`, and the legend says so. A pin that would touch its neighbor's number
/// moves up to two columns aside, and joins its count where that is not enough. In braille more than
/// ``mostSigns`` pins without a number become dots, an eighth of a cell each, in the color of the kind
/// that a cell has most of: a million show where they are dense.
///
///     let map = TextMap(
///       markers: [.init(at: cinema, number: 1, kind: .cinema)], origin: cityHall)
///     print(map.render())
///
/// Directions and lengths are right at the middle of the map: it is the azimuthal equidistant
/// projection about its center, so poles and the antimeridian are places like any other. Maps of
/// more than some 120° are plate carrée. A cell counts as twice as tall as wide.
public struct TextMap: Sendable {
  /// What the map shows; a later marker never hides an earlier one.
  public var markers: [Marker]
  /// Ways to draw below the markers, each from position to position, as a track.
  public var lines: [[Coordinate]]
  /// Where distances are measured from, drawn as `@` or `✛`.
  public var origin: Coordinate?
  /// The radius asked for, drawn as a circle about `origin`.
  public var radius: Distance?
  /// What must be on the map; nil for the markers and the origin.
  public var viewport: BoundingBox?
  /// The room for the frame, the map and the legend together.
  public var size: Size
  /// The characters the map is made of.
  public var style: Style
  /// Whether escape sequences color it; the text is the same either way.
  public var color: TerminalColor
  /// The coasts and borders behind the markers.
  public var basemap: Basemap
  /// Whether markers have signs and counts however many they are.
  public var showsCounts = false

  /// As many markers without a number have a sign at most, unless ``showsCounts`` says otherwise.
  public static let mostSigns = 1_500

  /// Describes a map; ``render()`` draws it.
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
    /// Where it is.
    public var coordinate: Coordinate
    /// Its number in the list, 1 or more; nil draws a sign for its kind instead.
    public var number: Int?
    /// What sort of thing it is, for its color, its sign and the legend.
    public var kind: AnnotationKind?
    /// A few words to write beside it, where there is room; nil for none.
    ///
    /// The ASCII style writes only labels that are 7-bit themselves.
    public var label: String?
    /// Whether it has closed down or is suspended, for which its pin has a sign.
    public var isOutOfBusiness: Bool

    /// Describes one annotation.
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

  /// The characters a map is made of.
  public enum Style: String, CaseIterable, Sendable {
    /// 7-bit characters only, whatever the kinds are called.
    case ascii
    /// Box drawing and shaded blocks.
    case block
    /// Eight dots to a cell: the finest lines.
    case braille
  }

  /// The size of a map's text.
  public struct Size: Hashable, Sendable {
    /// Columns of a terminal, 20…1,000.
    public let columns: Int
    /// Lines, 8…1,000, of which the legend takes one or two.
    public let rows: Int

    /// A size; what is out of range counts as the nearest size that is in it.
    public init(columns: Int, rows: Int) {
      self.columns = min(max(columns, 20), 1_000)
      self.rows = min(max(rows, 8), 1_000)
    }

    /// 64 × 20: with a short list above it, this still fits a terminal of 80 × 24.
    public static let standard = Size(columns: 64, rows: 20)
  }
}

/// Whether text carries color for a terminal.
public enum TerminalColor: Sendable {
  /// No escape sequence at all.
  case none
  /// The 256 colors that terminals share, as ANSI escape sequences.
  case ansi
}
