import Geodesy

/// What a sync does with the current content of a source.
public enum SyncDecision: Hashable, Sendable {
  /// The store keeps its content.
  case keep(Reason)
  /// The store takes the new content, in the requested mode.
  case apply(Reason)

  /// The reason for a decision.
  public enum Reason: Hashable, Sendable {
    /// Nothing was stored before.
    case first
    /// The source has a newer version, or a different one without an order.
    case newer(ContentVersion, than: ContentVersion)
    /// The source has the stored version.
    case same(ContentVersion)
    /// The source went back, or answered from an old copy; the stored version is newer.
    case older(ContentVersion, than: ContentVersion)
    /// The source states its version differently than before.
    case incomparable(ContentVersion, to: ContentVersion)
  }

  /// Compares a source's current version with the stored one.
  ///
  /// An equal or older version is ignored; any other is taken. Numbers and times are ordered. Entity tags, compared
  /// weakly (RFC 9110 §8.8.3.2), and digests are equal or not. Versions of different types cannot be compared.
  public init(now: ContentVersion, stored: ContentVersion?) {
    guard let stored else {
      self = .apply(.first)
      return
    }
    func decision(isSame: Bool, isOlder: Bool = false) -> SyncDecision {
      if isSame { return .keep(.same(now)) }
      return isOlder ? .keep(.older(now, than: stored)) : .apply(.newer(now, than: stored))
    }
    switch (now, stored) {
    case (.number(let new), .number(let old)):
      self = decision(isSame: new == old, isOlder: new < old)
    case (.modified(let new), .modified(let old)):
      self = decision(isSame: new == old, isOlder: new < old)
    case (.entityTag(let new), .entityTag(let old)):
      self = decision(isSame: new.withoutWeaknessMark == old.withoutWeaknessMark)
    case (.digest(let new), .digest(let old)): self = decision(isSame: new == old)
    default: self = .apply(.incomparable(now, to: stored))
    }
  }
}

extension String {
  /// An entity tag without its `W/`.
  fileprivate var withoutWeaknessMark: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

extension SyncDecision.Reason: CustomStringConvertible {
  /// The reason as part of a sentence.
  public var description: String {
    switch self {
    case .first: "nothing was stored before"
    case .newer(.number(let now), .number(let then)): "version \(now) is newer than \(then)"
    case .newer(let now, let then): "\(now) is not the stored \(then)"
    case .same(let version): "\(version) is what is stored"
    case .older(let now, let then): "\(now) is older than the stored \(then)"
    case .incomparable(let now, let then): "\(now) cannot be compared with the stored \(then)"
    }
  }
}

/// The fields that a source has gained and lost since the last sync.
///
/// A server may rename a field without notice; this makes it visible.
public struct FieldDrift: Hashable, Sendable {
  /// Stored names that are missing from the new content, in ascending order.
  public let gone: [String]
  /// Names in the new content that were not stored, in ascending order.
  public let new: [String]

  /// Compares the field names of two contents.
  public init(from stored: some Sequence<String>, to now: some Sequence<String>) {
    let stored = Set(stored), now = Set(now)
    gone = stored.subtracting(now).sorted()
    new = now.subtracting(stored).sorted()
  }

  /// Whether the names are the same.
  public var isEmpty: Bool { gone.isEmpty && new.isEmpty }

  /// The change in one sentence; nil if there is none.
  public var remark: String? {
    switch (gone.isEmpty, new.isEmpty) {
    case (true, true): nil
    case (false, true): "fields gone: \(gone.joined(separator: ", "))"
    case (true, false): "new fields: \(new.joined(separator: ", "))"
    case (false, false):
      "fields gone: \(gone.joined(separator: ", ")); new: \(new.joined(separator: ", ")) "
        + "(renamed?)"
    }
  }
}

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

/// The numbers of annotations in an update of a layer, compared by their ids.
public struct UpdateCounts: Hashable, Sendable {
  /// New annotations.
  public var added: Int
  /// Existing annotations that changed.
  public var changed: Int
  /// Existing annotations that did not change.
  public var unchanged: Int
  /// Removed annotations.
  public var removed: Int
  /// Annotations refused because they are denied.
  public var denied = 0
  /// The number of annotations in the layer without a position, if the store counts them.
  public var unplaced = 0

  /// Makes counts; by default nothing has changed.
  public init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, removed: Int = 0) {
    self.added = added
    self.changed = changed
    self.unchanged = unchanged
    self.removed = removed
  }

  /// The number of annotations now.
  public var count: Int { added + changed + unchanged }
}
