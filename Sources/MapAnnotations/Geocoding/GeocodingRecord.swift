import Geodesy

/// What is known of one question to a geocoder: the row that a journal keeps of it.
///
/// As a table: `question` (text, the key together with `geocoder`), `outcome` (`asked`, `found`,
/// `not-found`, `failed`), `latitude`, `longitude`, `label`, `reason`, `attempts`, `last_asked` and
/// `next_try` (both milliseconds since 1970).
public struct GeocodingRecord: Hashable, Sendable {
  /// How far a question has come.
  public enum Outcome: Hashable, Sendable {
    /// Asked, and not answered so far: under way, or to be asked again.
    case asked
    /// Answered with a position.
    case found(Coordinate, label: String?)
    /// Answered: there is no such place.
    case notFound
    /// Given up, with the reason.
    case failed(String)
  }

  /// What is asked.
  public let question: String
  /// How far it has come.
  public var outcome: Outcome
  /// How often it was asked, the answer that counted included.
  public var attempts: Int
  /// When it was last asked.
  public var lastAsked: Instant
  /// Not to be asked again before this; nil when nothing stands against it, or it is answered.
  public var nextTry: Instant?
  /// Why the last attempt failed; nil when none did.
  public var lastFailure: String?

  /// A row of a journal.
  public init(
    question: String, outcome: Outcome, attempts: Int, lastAsked: Instant,
    nextTry: Instant? = nil, lastFailure: String? = nil
  ) {
    self.question = question
    self.outcome = outcome
    self.attempts = attempts
    self.lastAsked = lastAsked
    self.nextTry = nextTry
    self.lastFailure = lastFailure
  }

  /// Whether the geocoder has answered, with a position or with none.
  public var isAnswered: Bool {
    switch outcome {
    case .found, .notFound: true
    case .asked, .failed: false
    }
  }
}

/// Keeps what a queue knows, so that a crash loses nothing.
///
/// A store implements it with one table; `MemoryJournal` is for tests and for apps that do not mind.
public protocol GeocodingJournal {
  /// All rows of one geocoder's identity.
  func records(of geocoder: String) throws -> [GeocodingRecord]
  /// Writes a row, in place of the one with the same question; it must be safe when this returns.
  mutating func save(_ record: GeocodingRecord, of geocoder: String) throws
}

/// A journal that lasts as long as the program.
public struct MemoryJournal: GeocodingJournal, Sendable {
  private var rows: [String: [String: GeocodingRecord]] = [:]

  /// A journal without rows.
  public init() {}

  /// All rows of one geocoder's identity, by question.
  public func records(of geocoder: String) -> [GeocodingRecord] {
    (rows[geocoder] ?? [:]).values.sorted { $0.question < $1.question }
  }

  /// Writes a row.
  public mutating func save(_ record: GeocodingRecord, of geocoder: String) {
    rows[geocoder, default: [:]][record.question] = record
  }
}
