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

  /// The relation of a source's current version to a stored one.
  ///
  /// Numbers and times are ordered. Entity tags, compared weakly (RFC 9110 §8.8.3.2), and digests
  /// are equal or not. Versions of different types cannot be compared, so the new one counts as
  /// newer.
  public func relation(to stored: ContentVersion?) -> Relation {
    switch (self, stored) {
    case (_, nil): .first
    case (.number(let now), .number(let then)): now == then ? .same : now < then ? .older : .newer
    case (.modified(let now), .modified(let then)):
      now == then ? .same : now < then ? .older : .newer
    case (.entityTag(let now), .entityTag(let then)):
      ContentVersion.opaque(now) == ContentVersion.opaque(then) ? .same : .newer
    case (.digest(let now), .digest(let then)): now == then ? .same : .newer
    default: .incomparable
    }
  }

  /// The relation of one version to another.
  public enum Relation: Hashable, Sendable {
    /// There was no version before.
    case first
    /// Later than the stored one, or different, for versions without an order.
    case newer
    case same
    /// Earlier than the stored one: a server went back, or answered from an old copy.
    case older
    /// The versions have different types.
    case incomparable
  }

  /// A tag without its weakness mark.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
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
