/// One of the two coordinates of a position.
public enum CoordinateAxis: String, Hashable, Sendable {
  /// Degrees north of the equator.
  case latitude
  /// Degrees east of Greenwich.
  case longitude
}

/// An angle in written form: `37°34′12″N`, `37 34 12 N`, `N37.34.12.5`, `北緯37度34分12秒`.
///
/// Only an unambiguous text is read: it has a degree mark, a hemisphere letter or word, or all of
/// degrees, minutes and seconds. Minutes and seconds are below 60, and only the last number has
/// decimals. Digits without separators, as in `373412`, are not an angle.
package struct AngleText: Equatable, Sendable {
  /// Degrees, negative in the south and the west.
  package let degrees: Double
  /// The coordinate that the text names; nil if it names none.
  package let axis: CoordinateAxis?
  /// Whether points stand in place of all marks: `37.34.12`.
  let hasPoints: Bool

  /// nil if the text is not an angle or is ambiguous.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count <= 64,
      let tokens = AngleToken.all(in: String(decoding: text, as: UTF8.self).plainSigns)
    else { return nil }
    self.init(tokens[...])
  }

  /// An angle whose value is already known, such as a plain number.
  init(degrees: Double, axis: CoordinateAxis? = nil, hasPoints: Bool = false) {
    self.degrees = degrees
    self.axis = axis
    self.hasPoints = hasPoints
  }

  /// - Parameter isHalf: Whether the tokens are one half of a position, where no mark is required.
  init?(_ tokens: ArraySlice<AngleToken>, isHalf: Bool = false) {
    var rest = tokens
    var hemisphere: AngleToken.Hemisphere?
    if case .hemisphere(let named)? = rest.first {
      hemisphere = named
      rest.removeFirst()
    }
    if case .hemisphere(let named)? = rest.last {
      guard hemisphere == nil || hemisphere == named else { return nil }
      hemisphere = named
      rest.removeLast()
    }
    var sign: Double?
    if case .sign(let written)? = rest.first {
      // A minus sign with a hemisphere is ambiguous.
      guard hemisphere == nil else { return nil }
      sign = written
      rest.removeFirst()
    }
    guard let parts = AngleParts(rest),
      isHalf || parts.values.count == 3 || parts.hasDegreeMark || hemisphere != nil
    else { return nil }
    axis = hemisphere?.axis
    hasPoints = parts.hasPoints
    degrees = parts.degrees * (hemisphere?.sign ?? sign ?? 1)
  }
}

/// Degrees, optionally with minutes and seconds.
private struct AngleParts {
  private(set) var values: [Double] = []
  private(set) var hasDegreeMark = false
  private(set) var hasPoints = false

  init?(_ tokens: ArraySlice<AngleToken>) {
    // Degrees, minutes, seconds and decimals, all separated by points: `37.34.12.5`.
    if tokens.count == 1, case .number(let text)? = tokens.first,
      text.count(where: { $0 == "." }) >= 2
    {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count <= 4, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
      let decimals = parts.count == 4 ? "." + parts[3] : ""
      values = [parts[0], parts[1], parts[2] + decimals].compactMap { Double($0) }
      hasPoints = true
    } else {
      for token in tokens {
        switch token {
        case .number(let text):
          guard values.count < 3, text.first != ".", text.last != ".", let value = Double(text)
          else { return nil }
          values.append(value)
        case .mark(let place):
          // Each mark must follow the number it belongs to.
          guard place == values.count - 1 else { return nil }
          if place == 0 { hasDegreeMark = true }
        case .colon:
          guard !values.isEmpty else { return nil }
        case .sign, .hemisphere: return nil
        }
      }
    }
    guard let first = values.first, first <= 180,
      values.dropLast().allSatisfy({ $0 == $0.rounded() }),
      values.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
  }

  /// Rounded once, so that 37°34′12″ gives the same double as 37.57.
  var degrees: Double {
    if values.count == 1 { return values[0] }
    let seconds = zip(values, [3600.0, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return seconds / 3600
  }
}

/// The tokens of a written angle.
enum AngleToken {
  /// Digits and points.
  case number(String)
  /// The sign for degrees (0), minutes (1) or seconds (2).
  case mark(Int)
  case colon
  case sign(Double)
  case hemisphere(Hemisphere)

  struct Hemisphere: Equatable {
    let axis: CoordinateAxis
    let sign: Double
  }

  /// The tokens of a text with plain signs; nil if it has other characters.
  static func all(in text: String) -> [AngleToken]? {
    var tokens: [AngleToken] = []
    var number = ""
    var last: Unicode.Scalar = " "
    func end() {
      if !number.isEmpty { tokens.append(.number(number)) }
      number = ""
    }
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      if scalar.isASCIIDigit || scalar == "." {
        guard !firstHalves.contains(last) else { return nil }
        number.unicodeScalars.append(scalar)
        continue
      }
      end()
      guard !firstHalves.contains(last) || secondHalves.contains(scalar) else { return nil }
      switch scalar {
      case " ": break
      case "°", "º", "˚", "度", "도": tokens.append(.mark(0))
      case "分", "분": tokens.append(.mark(1))
      case "'", "′", "’", "ʹ", "´":
        // Two minute signs make the sign for seconds.
        if last == scalar, case .mark(1)? = tokens.last { tokens.removeLast() }
        tokens.append(.mark(last == scalar ? 2 : 1))
      case "\"", "″", "”", "ʺ", "秒", "초": tokens.append(.mark(2))
      case ":": tokens.append(.colon)
      case "-": tokens.append(.sign(-1))
      case "+": tokens.append(.sign(1))
      case _ where firstHalves.contains(scalar): break
      case _ where secondHalves.contains(scalar):
        guard let whole = words[[last, scalar]] else { return nil }
        tokens.append(.hemisphere(whole))
      default:
        guard let named = letters[scalar] else { return nil }
        tokens.append(.hemisphere(named))
      }
    }
    end()
    return firstHalves.contains(last) ? nil : tokens
  }

  private static let north = Hemisphere(axis: .latitude, sign: 1)
  private static let south = Hemisphere(axis: .latitude, sign: -1)
  private static let east = Hemisphere(axis: .longitude, sign: 1)
  private static let west = Hemisphere(axis: .longitude, sign: -1)

  /// The first characters of words such as 북위 and 東経.
  private static let firstHalves: Set<Unicode.Scalar> = [
    "北", "南", "東", "东", "西", "북", "남", "동", "서",
  ]
  private static let secondHalves: Set<Unicode.Scalar> = ["緯", "纬", "위", "経", "經", "经", "경"]

  private static let letters: [Unicode.Scalar: Hemisphere] = [
    "N": north, "n": north, "S": south, "s": south, "E": east, "e": east, "W": west, "w": west,
  ]
  private static let words: [[Unicode.Scalar]: Hemisphere] = [
    ["北", "緯"]: north, ["北", "纬"]: north, ["북", "위"]: north, ["南", "緯"]: south,
    ["南", "纬"]: south, ["남", "위"]: south, ["東", "経"]: east, ["東", "經"]: east,
    ["东", "经"]: east, ["동", "경"]: east, ["西", "経"]: west, ["西", "經"]: west,
    ["西", "经"]: west, ["서", "경"]: west,
  ]
}
