import Geodesy

/// Finds the position of a place by its address or name.
///
/// Failures are answers, not errors, so that a queue must handle each of them.
public protocol Geocoder: Sendable {
  /// Identifies the service and the settings that affect its answers; answers with another identity
  /// are not taken from the cache.
  var identity: String { get }

  /// Asks once; the caller handles the rate and retries.
  func locate(_ question: String) async -> GeocodingAnswer
}

/// A geocoder's answer to one question.
public enum GeocodingAnswer: Hashable, Sendable {
  /// The first hit, and its name in the service.
  case found(Coordinate, label: String?)
  /// The service knows no such place.
  case notFound
  /// The service refuses to answer this question, now and later.
  case refused(reason: String)
  /// The service could not answer now; `after` is how long it asks clients to wait.
  case unavailable(reason: String, after: Duration?)
}

/// An annotation that needs a position, and questions that may find it, best first.
public struct UnplacedItem: Hashable, Sendable {
  /// The annotation's id.
  public let id: AnnotationID
  /// The questions to ask one after the other until one is answered; blank ones are omitted.
  public let questions: [String]

  /// Makes an item; spaces around a question and repeated questions are removed.
  public init(id: AnnotationID, questions: [String]) {
    self.id = id
    var kept: [String] = []
    for question in questions.map(UnplacedItem.trimmed)
    where !question.isEmpty && !kept.contains(question) { kept.append(question) }
    self.questions = kept
  }

  private static func trimmed(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ")
  }
}
