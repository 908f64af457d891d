import Geodesy

/// The state of one question to a geocoder: one row of a journal.
///
/// As a table: `question` (text, the key together with `geocoder`), `outcome` (`asked`, `found`,
/// `not-found`, `failed`), `latitude`, `longitude`, `label`, `reason`, `attempts`, `last_asked` and
/// `next_try` (both milliseconds since 1970).
public struct GeocodingRecord: Hashable, Sendable {
  /// The outcome of a question so far.
  public enum Outcome: Hashable, Sendable {
    /// Asked but not answered: in progress, or to be asked again.
    case asked
    /// Answered with a position.
    case found(Coordinate, label: String?)
    /// Answered: there is no such place.
    case notFound
    /// Given up, with the reason.
    case failed(String)
  }

  /// The question.
  public let question: String
  /// The outcome so far.
  public var outcome: Outcome
  /// The number of attempts, including the one that was answered.
  public var attempts: Int
  /// The time of the last attempt.
  public var lastAsked: Instant
  /// The earliest time for the next attempt; nil for no limit or an answered question.
  public var nextTry: Instant?
  /// Why the last attempt failed; nil if none did.
  public var lastFailure: String?

  /// Makes a row of a journal.
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
}

/// Stores the records of a queue, so that a crash loses nothing.
///
/// A store implements it with one table; `MemoryJournal` is for tests and for apps that do not need persistence.
public protocol GeocodingJournal {
  /// All rows of one geocoder.
  func records(of geocoder: String) throws -> [GeocodingRecord]
  /// Writes a row, replacing the one with the same question; it must be durable when this returns.
  mutating func save(_ record: GeocodingRecord, of geocoder: String) throws
}

/// A journal that lasts as long as the program.
public struct MemoryJournal: GeocodingJournal, Sendable {
  private var rows: [String: [String: GeocodingRecord]] = [:]

  /// Makes an empty journal.
  public init() {}

  /// All rows of one geocoder, by question.
  public func records(of geocoder: String) -> [GeocodingRecord] {
    (rows[geocoder] ?? [:]).values.sorted { $0.question < $1.question }
  }

  /// Writes a row.
  public mutating func save(_ record: GeocodingRecord, of geocoder: String) {
    rows[geocoder, default: [:]][record.question] = record
  }
}
