import Geodesy
import MapAnnotations

/// A checked feature of which only the geometry is decoded: its id and properties become values on
/// demand.
///
/// For readers of millions of features that keep little of each. It is valid only until the
/// receiver returns, because the text may be gone then.
package struct ScannedFeature {
  /// The geometry; nil for `null`, a feature without a position.
  package let geometry: Geometry?
  let bbox: [Double]?
  package let foreignMembers: Properties
  let id: PropertyToken.Value?
  /// The properties in the order of the text; nil for `null`.
  let properties: [PropertyToken]?
  let names: PropertyNames
  let bytes: UnsafeBufferPointer<UInt8>

  /// An empty feature: no geometry, no properties.
  package static var silent: ScannedFeature {
    ScannedFeature(
      geometry: nil, bbox: nil, foreignMembers: Properties(), id: nil, properties: nil,
      names: PropertyNames(), bytes: UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Decodes the whole feature.
  package func feature() -> Feature {
    Feature(
      id: featureID, geometry: geometry, properties: properties.map(values), bbox: bbox,
      foreignMembers: foreignMembers)
  }

  /// A string or a number, as written; nil if the feature has none.
  package var featureID: PropertyValue? { id.map(value) }

  /// The names of its properties, in the order of the text.
  package var propertyNames: [String] { properties.map { names.texts(of: $0, in: bytes) } ?? [] }

  /// Which names its properties have, among those of one pass over a text.
  package struct NamesMark: Equatable {
    private let names: PropertyNames
    private let make: Int

    fileprivate init(_ names: PropertyNames) {
      self.names = names
      make = names.make
    }

    package static func == (left: NamesMark, right: NamesMark) -> Bool {
      left.names === right.names && left.make == right.make
    }
  }

  /// The same as that of the feature before if both have the same names.
  package var namesMark: NamesMark { NamesMark(names) }

  /// A hash of the names as written, and of their order.
  package var namesHash: Int {
    var hasher = Hasher()
    let text = UnsafeRawBufferPointer(bytes)
    for token in properties ?? [] {
      hasher.combine(token.name.range.count)
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: text[token.name.range]))
    }
    return hasher.finalize()
  }

  /// The text of the first of several properties that is there with a text, even an empty one, which means nil: as a
  /// table's column decides, also where its cell is empty.
  ///
  /// - Parameters:
  ///   - names: In lower case; compared ignoring case.
  ///   - isExact: Whether a word for null is taken literally, as in an id.
  ///   - textOf: Returns the text of a value; nil for one that is passed over.
  package func text(
    ofPropertyNamed names: [String], isExact: Bool = false,
    by textOf: (PropertyValue) -> String? = \.text
  ) -> String? {
    guard let properties else { return nil }
    // Most names differ in length from all properties: a bit for each length that there is.
    func bit(_ count: Int) -> UInt64 { 1 << UInt64(min(count, 63)) }
    let lengths = properties.reduce(UInt64.zero) {
      $0 | ($1.name.hasEscapes ? .max : bit($1.name.range.count))
    }
    for name in names {
      let count = name.utf8.count
      guard lengths & bit(count) != 0 else { continue }
      let property = properties.first {
        ($0.name.range.count == count || $0.name.hasEscapes) && isNamed($0, name)
      }
      guard let text = property.flatMap({ textOf(value($0.value)) }) else { continue }
      return (isExact ? text.isEmpty : NullText.isNull(text)) ? nil : text
    }
    return nil
  }

  /// The value of the first property with a name, found as in `Properties`; nil if there is none.
  package func property(_ name: String) -> PropertyValue? {
    guard let properties else { return nil }
    let exact = properties.first { token in
      token.name.hasEscapes
        ? names.text(of: token.name, in: bytes).isSameBytes(as: name)
        : bytes[token.name.range].elementsEqual(name.utf8)
    }
    if let exact { return value(exact.value) }
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return properties.first { names.text(of: $0.name, in: bytes) == name }.map { value($0.value) }
  }

  private func isNamed(_ token: PropertyToken, _ name: String) -> Bool {
    if !token.name.hasEscapes {
      var isSame = true
      var place = token.name.range.lowerBound
      for wanted in name.utf8 {
        let byte = bytes[place]
        if byte >= 0x80 { return names.text(of: token.name, in: bytes).lowercased() == name }
        if byte.lowercasedASCII != wanted { isSame = false }
        place += 1
      }
      return isSame
    }
    let text = names.text(of: token.name, in: bytes)
    return text.utf8.count == name.utf8.count && text.lowercased() == name
  }

  private func values(_ tokens: [PropertyToken]) -> Properties {
    Properties(
      zip(names.texts(of: tokens, in: bytes), tokens).map {
        Properties.Entry(name: $0, value: value($1.value))
      })
  }

  private func value(_ token: PropertyToken.Value) -> PropertyValue {
    let range = token.range
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "\"") where !token.hasEscapes:
      let content = range.lowerBound + 1..<range.upperBound - 1
      return .string(
        String(decoding: UnsafeBufferPointer(rebasing: bytes[content]), as: UTF8.self))
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"):
      var scanner = JSONScanner(bytes)
      scanner.position = range.lowerBound
      // Checked earlier, so it can be decoded.
      return (try? scanner.value(duplicates: .kept)) ?? .null
    default:
      return .number(String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self))
    }
  }
}

extension ScannedFeature {
  /// Reads a text that is one feature or geometry; nil if it is neither.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    var scanner = JSONScanner(text)
    scanner.skipWhitespace()
    if let feature = try? scanner.feature(), (try? scanner.expectEnd()) != nil {
      self = feature
      return
    }
    // A geometry, or no feature.
    var found: ScannedFeature?
    _ = try? GeoJSONReader(framing: .document).scan(text) { record in
      found = try? record.feature.get()
      return .stop
    }
    guard let found else { return nil }
    self = found
  }
}

/// A skipped property: the ranges of its name and value.
struct PropertyToken {
  struct Value {
    /// Includes the quotes of a string and the braces of an object.
    let range: Range<Int>
    let hasEscapes: Bool
  }

  let name: JSONStringToken
  let value: Value
}

/// The decoded names shared by features with the same properties, decoded once for all of them.
final class PropertyNames {
  /// The number of different sets of names so far.
  var make = 0
  private var madeTexts: [String] = []
  private var textsMake = -1

  func texts(of tokens: [PropertyToken], in bytes: UnsafeBufferPointer<UInt8>) -> [String] {
    if textsMake != make {
      madeTexts = tokens.map { text(of: $0.name, in: bytes) }
      textsMake = make
    }
    return madeTexts
  }

  func text(of token: JSONStringToken, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard token.hasEscapes else {
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[token.range]), as: UTF8.self)
    }
    var scanner = JSONScanner(bytes)
    return scanner.text(of: token)
  }
}
