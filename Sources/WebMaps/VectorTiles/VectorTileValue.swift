import GeoJSONCoding
import MapAnnotations

/// A value of an attribute in a vector tile.
///
/// Two values are equal if their kind and bits are equal: `0.0` and `-0.0` differ, so that a value
/// shared by many features is exact for all.
public enum VectorTileValue: Sendable, Hashable {
  /// A text.
  case string(String)
  /// A 32-bit floating-point number; other programs write it, this one only reads it.
  case float(Float)
  /// A 64-bit floating-point number.
  case double(Double)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond the range of `integer`, or one that another program wrote as unsigned.
  case unsigned(UInt64)
  /// True or false.
  case bool(Bool)

  /// Converts the value of a property: whole numbers become integers, other numbers doubles, arrays
  /// and objects their JSON; nil for null, which tiles do not have.
  public init?(_ property: PropertyValue) {
    switch property {
    case .null: return nil
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text):
      if let whole = Int64(text) {
        self = .integer(whole)
      } else if let whole = UInt64(text) {
        self = .unsigned(whole)
      } else if let number = property.number {
        self = .double(number)
      } else {
        self = .string(text)
      }
    case .array, .object: self = .string(property.jsonText)
    }
  }

  /// Whether kind and bits are equal.
  public static func == (left: VectorTileValue, right: VectorTileValue) -> Bool {
    left.identity == right.identity
  }

  /// Hashes kind and bits.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  private struct Identity: Hashable {
    let kind: UInt8
    var bits: UInt64 = 0
    var text: ExactText?
  }

  private var identity: Identity {
    switch self {
    case .string(let text): Identity(kind: 1, text: ExactText(text))
    case .float(let value): Identity(kind: 2, bits: UInt64(value.bitPattern))
    case .double(let value): Identity(kind: 3, bits: value.bitPattern)
    case .integer(let value): Identity(kind: 4, bits: UInt64(bitPattern: value))
    case .unsigned(let value): Identity(kind: 5, bits: value)
    case .bool(let value): Identity(kind: 6, bits: value ? 1 : 0)
    }
  }
}

extension VectorTileValue {
  /// The byte before each value's message in a layer: field 4, which has a length.
  static var fieldHead: UInt8 { 4 << 3 | 2 }

  /// Appends the value as the message in a layer, preceded by its length.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .string(let text):
      let count = text.utf8.count
      bytes.appendVarint(1 + varintLength(UInt64(count)) + count)
      bytes.appendField(1, text: text)
    case .float(let value):
      bytes.append(5)
      bytes.append(2 << 3 | 5)
      bytes.appendLittleEndian(value.bitPattern)
    case .double(let value):
      bytes.append(9)
      bytes.append(3 << 3 | 1)
      bytes.appendLittleEndian(value.bitPattern)
    case .integer(let value) where value >= 0:
      bytes.appendVarint(1 + varintLength(UInt64(value)))
      bytes.appendField(4, varint: UInt64(value))
    case .integer(let value):
      // As a plain varint, every negative number takes ten bytes.
      let code = UInt64(bitPattern: value << 1 ^ value >> 63)
      bytes.appendVarint(1 + varintLength(code))
      bytes.appendField(6, varint: code)
    case .unsigned(let value):
      bytes.appendVarint(1 + varintLength(value))
      bytes.appendField(5, varint: value)
    case .bool(let value):
      bytes.append(2)
      bytes.appendField(7, varint: value ? 1 : 0)
    }
  }
}
