import CNearbyLand
import Geodesy
import MapProjections

/// The land of the world for maps: coasts, borders, countries, lakes and cities, from Natural Earth and GeoNames.
///
///     let world = WorldOutlines.shared
///     for line in world.arcs where line.box.meets(window) { draw(line.positions(.middle)) }
///
/// Positions are whole numbers in Web Mercator, ``size`` of them around the Earth, from the antimeridian eastward and
/// from 85.05° north southward. A line comes at three ``Detail``s, which meet where lines meet. `Data/make_land.py`
/// makes it all.
public struct WorldOutlines: Sendable {
  /// The outlines, read when they are first asked for, in some milliseconds.
  public static let shared = WorldOutlines()

  /// How many positions lie around the Earth.
  public static let size = 131_072

  /// How exact a line is.
  public enum Detail: Int, CaseIterable, Sendable {
    /// Off by at most 600 m at the equator, less toward the poles.
    case fine
    /// Off by at most 4 km.
    case middle
    /// Off by at most 18 km; islands that small are left out.
    case coarse
  }

  /// A box in whole positions: both edges belong to it.
  public struct Box: Hashable, Sendable {
    public var west, north, east, south: Int

    /// Makes a box.
    public init(west: Int, north: Int, east: Int, south: Int) {
      (self.west, self.north, self.east, self.south) = (west, north, east, south)
    }

    /// The box around two corners on the Earth.
    ///
    /// - Parameter box: One that reaches over ±180° reaches beyond ``WorldOutlines/size``.
    public init(_ box: BoundingBox) {
      let size = Double(WorldOutlines.size), west = (box.west + 180) / 360 * size
      func row(_ latitude: Double) -> Double {
        max(0, min(1, MercatorGrid.height(latitude))) * size
      }
      self.init(
        west: Int(west.rounded(.down)), north: Int(row(box.north).rounded(.down)),
        east: Int((west + box.width / 360 * size).rounded(.up)),
        south: Int(row(box.south).rounded(.up)))
    }

    /// Whether the boxes have a place in common, once around the Earth or not.
    public func meets(_ other: Box) -> Bool {
      guard north <= other.south, south >= other.north else { return false }
      return [-WorldOutlines.size, 0, WorldOutlines.size].contains { turn in
        west + turn <= other.east && east + turn >= other.west
      }
    }

    /// The place in the middle of the box.
    public var middle: Coordinate {
      WorldOutlines.position(x: (west + east) / 2, y: (north + south) / 2)
    }

    /// No less than any place of the box is away from its middle, on a sphere.
    ///
    /// In Mercator's plane the middle is a corner's distance away from the corners at most, and those nearer to the
    /// equator are the farther ones.
    public var reach: Distance {
      let middle = middle
      let corners = [north, south].map { WorldOutlines.position(x: west, y: $0) }
      // The sides bulge beyond the corners where the box is wide.
      let widest = WorldOutlines.position(
        x: west, y: max(north, min(south, WorldOutlines.size / 2)))
      return (corners + [widest]).map { middle.greatCircleDistance(to: $0) }.max() ?? .zero
    }

    /// The box with an edge more on each side.
    public func widened(by edge: Int) -> Box {
      Box(west: west - edge, north: north - edge, east: east + edge, south: south + edge)
    }
  }

  /// A line as it stands in a page: the differences of its positions in letters, which `Data/make_land.py` tells.
  ///
  /// Its bytes are constants of the program, so they stay where they are and nobody changes them.
  public struct Letters: @unchecked Sendable {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>

    /// How many letters there are.
    public var count: Int { bytes.count }
    /// The letters.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// A piece of a coast or of a border.
  public struct Arc: Sendable {
    /// Where it lies.
    public let box: Box
    /// Whether countries lie on both sides.
    public let isBorder: Bool
    fileprivate let fine, middle, coarse: Letters?

    /// Its positions in letters, as they stand in a page; nil where nothing is left of it at this detail.
    public func letters(_ detail: Detail) -> Letters? {
      switch detail {
      case .fine: fine
      case .middle: middle
      case .coarse: coarse
      }
    }

    /// Its positions on the Earth, in order; none where nothing is left of it at this detail.
    ///
    /// - Complexity: O(*n*), some 10 ns a position.
    public func positions(_ detail: Detail) -> [Coordinate] {
      letters(detail).map { WorldOutlines.positions($0.bytes) } ?? []
    }
  }

  /// A country.
  public struct Country: Sendable {
    /// Its code by ISO 3166, as KR; - where it has none.
    public let code: String
    /// Ten times the zoom from which its name is shown.
    public let rank: Int
    /// Where its name stands.
    public let x, y: Int
    fileprivate let ringText: Letters

    /// Its rings, each the numbers of its arcs in order: −1 − number for one that is run the other way.
    ///
    /// - Complexity: O(*n*); read from text each time.
    public var rings: [[Int]] {
      ringText.bytes.split(separator: UInt8(ascii: "/")).map { ring in
        ring.split(separator: UInt8(ascii: ",")).map(LandLine.number)
      }
    }
  }

  /// A lake without its islands, or an island in one.
  public struct Lake: Sendable {
    /// Where it lies.
    public let box: Box
    fileprivate let fine, coarse: Letters?

    /// Its ring in letters; nil where nothing is left of it at this detail.
    public func letters(isFine: Bool) -> Letters? { isFine ? fine : coarse }
  }

  /// A city.
  public struct City: Sendable {
    /// Where it lies.
    public let x, y: Int
    /// Ten times the zoom from which its name is shown.
    public let rank: Int
    /// Its name in English, Japanese and Korean with | between; empty where that is not known.
    public let names: String
  }

  /// Coasts and borders, each once.
  public private(set) var arcs: [Arc] = []
  /// Countries, in no order.
  public private(set) var countries: [Country] = []
  /// Lakes, the most important first.
  public private(set) var lakes: [Lake] = []
  /// Cities, the largest first.
  public private(set) var cities: [City] = []

  private init() {
    let text = land_text()
    let bytes = UnsafeBufferPointer(start: text.bytes, count: text.count)
    var line = LandLine(bytes)
    while line.advance() {
      switch line.kind {
      case UInt8(ascii: "A"):
        let box = line.box()
        let uses = line.number()
        let counts = (line.number(), line.number(), line.number())
        arcs.append(
          Arc(
            box: box, isBorder: uses > 1, fine: line.letters(counts.0),
            middle: line.letters(counts.1), coarse: line.letters(counts.2)))
        line.end()
      case UInt8(ascii: "C"):
        let code = String(decoding: line.word(), as: UTF8.self)
        let (rank, x, y) = (line.number(), line.number(), line.number())
        countries.append(
          Country(code: code, rank: rank, x: x, y: y, ringText: Letters(bytes: line.word())))
      case UInt8(ascii: "L"):
        let box = line.box()
        let counts = (line.number(), line.number())
        lakes.append(
          Lake(box: box, fine: line.letters(counts.0), coarse: line.letters(counts.1)))
        line.end()
      case UInt8(ascii: "P"):
        let (x, y, rank) = (line.number(), line.number(), line.number())
        cities.append(
          City(x: x, y: y, rank: rank, names: String(decoding: line.rest(), as: UTF8.self)))
      default: preconditionFailure("land.txt has a line that nothing reads")
      }
    }
  }
}

extension WorldOutlines {
  /// The positions of a line in letters.
  fileprivate static func positions(_ letters: UnsafeBufferPointer<UInt8>) -> [Coordinate] {
    var positions: [Coordinate] = []
    var at = 0
    var x = 0, y = 0
    func next() -> Int {
      var value = 0, shift = 0
      while true {
        let letter = LandLine.value(of: letters[at])
        at += 1
        value |= (letter & 31) << shift
        shift += 5
        if letter < 32 { return value & 1 == 0 ? value >> 1 : -(value >> 1) - 1 }
      }
    }
    while at < letters.count {
      x += next()
      y += next()
      positions.append(position(x: x, y: y))
    }
    return positions
  }

  /// Where a whole position lies on the Earth.
  static func position(x: Int, y: Int) -> Coordinate {
    let size = Double(WorldOutlines.size)
    let latitude = degrees(arcTangent(hyperbolicSine(.pi * (1 - 2 * Double(y) / size))))
    return Coordinate(unchecked: latitude, min(180, Double(x) / size * 360 - 180))
  }
}

/// The lines of land.txt, one after the other, and the words of each.
///
/// Letters are passed over by their counts: a program that only asks where arcs lie reads a tenth of the text.
private struct LandLine {
  private let text: UnsafeBufferPointer<UInt8>
  private var at = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The letter that the line begins with.
  private(set) var kind: UInt8 = 0

  /// Goes to the next line, once all of one is read; false at the end.
  mutating func advance() -> Bool {
    guard at < text.count else { return false }
    kind = text[at]
    at += 2
    return true
  }

  /// The bytes up to a blank or the end of the line.
  mutating func word() -> UnsafeBufferPointer<UInt8> {
    read { $0 <= UInt8(ascii: " ") }
  }

  /// The bytes up to the end of the line.
  mutating func rest() -> UnsafeBufferPointer<UInt8> {
    read { $0 == UInt8(ascii: "\n") }
  }

  private mutating func read(until isEnd: (UInt8) -> Bool) -> UnsafeBufferPointer<UInt8> {
    let start = at
    while !isEnd(text[at]) { at += 1 }
    defer { at += 1 }
    return UnsafeBufferPointer(rebasing: text[start..<at])
  }

  /// A line of so many letters; nil for what is left out.
  mutating func letters(_ count: Int) -> WorldOutlines.Letters? {
    defer { at += count }
    return count == 0
      ? nil : WorldOutlines.Letters(bytes: UnsafeBufferPointer(rebasing: text[at..<at + count]))
  }

  /// Passes the end of a line of letters.
  mutating func end() { at += 1 }

  mutating func number() -> Int { LandLine.number(word()[...]) }

  mutating func box() -> WorldOutlines.Box {
    let (west, north, east, south) = (number(), number(), number(), number())
    return WorldOutlines.Box(west: west, north: north, east: east, south: south)
  }

  static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var value = 0
    for digit in digits where digit != UInt8(ascii: "-") {
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return digits.first == UInt8(ascii: "-") ? -value : value
  }

  /// What a letter stands for, 0…63.
  static func value(of letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter) + 4
    case UInt8(ascii: "-"): 62
    default: 63
    }
  }
}
