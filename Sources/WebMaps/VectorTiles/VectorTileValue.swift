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
    switch (left, right) {
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    default: false
    }
  }

  /// Hashes kind and bits.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text):
      hasher.combine(UInt8(1))
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .float(let value):
      hasher.combine(UInt8(2))
      hasher.combine(value.bitPattern)
    case .double(let value):
      hasher.combine(UInt8(3))
      hasher.combine(value.bitPattern)
    case .integer(let value):
      hasher.combine(UInt8(4))
      hasher.combine(value)
    case .unsigned(let value):
      hasher.combine(UInt8(5))
      hasher.combine(value)
    case .bool(let value):
      hasher.combine(UInt8(6))
      hasher.combine(value)
    }
  }
}
