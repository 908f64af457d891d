import Geodesy

/// The version of a source's content, as the source states it or as computed from its bytes.
public enum ContentVersion: Hashable, Sendable {
  /// A number that grows with every change, as a feed states it.
  case number(Int)
  /// An HTTP entity tag with its quotes, `W/` in front of a weak one (RFC 9110 §8.8.3).
  case entityTag(String)
  /// When the content last changed.
  case modified(Instant)
  /// A digest of the content, in hexadecimal digits.
  case digest(String)

  /// How the version that a source has now relates to one that was stored.
  ///
  /// Numbers and moments are ordered. Entity tags are the same or not, compared weakly (RFC 9110
  /// §8.8.3.2), and so are digests. Versions of two different sorts cannot be compared, so the new
  /// one counts as newer.
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

  /// What one version is to another.
  public enum Relation: Hashable, Sendable {
    /// There was none before.
    case first
    /// It comes after the stored one, or is another of a sort without an order.
    case newer
    case same
    /// It comes before the stored one: a server went back, or answered from an old copy.
    case older
    /// The two are of different sorts.
    case incomparable
  }

  /// A tag without the mark of weakness.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}

extension ContentVersion: CustomStringConvertible {
  /// The version as messages have it: `version 12`, `entity tag "a1"`.
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
  /// The version in one word and a value, as a table keeps it; `init(stored:)` reads it back.
  public var stored: String {
    switch self {
    case .number(let number): "number \(number)"
    case .entityTag(let tag): "etag \(tag)"
    case .modified(let moment): "modified \(moment.milliseconds)"
    case .digest(let digest): "digest \(digest)"
    }
  }

  /// Reads what `stored` wrote; nil for anything else.
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

  /// Reads the number that a feed states: a whole number, or a text that holds nothing else; nil
  /// for anything else.
  public init?(feed value: PropertyValue) {
    switch value {
    case .number(let text), .string(let text):
      guard let number = Int(text) else { return nil }
      self = .number(number)
    case .null, .bool, .array, .object: return nil
    }
  }
}
