import Geodesy

/// The version of a source's content, stated by the source or computed from its bytes.
public enum ContentVersion: Hashable, Sendable {
  /// A number that grows with every change, as a feed states it.
  case number(Int)
  /// An HTTP entity tag with its quotes, and `W/` before a weak one (RFC 9110 §8.8.3).
  case entityTag(String)
  /// When the content last changed.
  case modified(Instant)
  /// A digest of the content, in hexadecimal digits.
  case digest(String)
}

extension ContentVersion: CustomStringConvertible {
  /// The version for messages: `version 12`, `entity tag "a1"`.
  public var description: String {
    switch self {
    case .number(let number): "version \(number)"
    case .entityTag(let tag): "entity tag \(tag)"
    case .modified(let moment): "change of \(HTTPDateText.text(moment))"
    case .digest(let digest): "content \(digest.prefix(12))"
    }
  }
}

extension ContentVersion {
  /// The version as text for a table: its type and value; `init(stored:)` reads it back.
  public var stored: String {
    switch self {
    case .number(let number): "number \(number)"
    case .entityTag(let tag): "etag \(tag)"
    case .modified(let moment): "modified \(moment.milliseconds)"
    case .digest(let digest): "digest \(digest)"
    }
  }

  /// Reads the text of `stored`; nil for anything else.
  public init?(stored text: String) {
    guard let blank = text.firstIndex(of: " ") else { return nil }
    let value = String(text[text.index(after: blank)...])
    switch text[..<blank] {
    case "number":
      guard let number = Int(value) else { return nil }
      self = .number(number)
    case "etag": self = .entityTag(value)
    case "modified":
      guard let milliseconds = Int64(value) else { return nil }
      self = .modified(Instant(milliseconds: milliseconds))
    case "digest": self = .digest(value)
    default: return nil
    }
  }

  /// Reads a feed's version number: a whole number, or a text with only a whole number; nil for
  /// anything else.
  public init?(feed value: PropertyValue) {
    switch value {
    case .number(let text), .string(let text):
      guard let number = Int(text) else { return nil }
      self = .number(number)
    case .null, .bool, .array, .object: return nil
    }
  }
}
