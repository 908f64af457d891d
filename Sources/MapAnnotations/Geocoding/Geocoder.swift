import Geodesy

/// Finds the position of a place by its address or name.
///
/// What can go wrong is an answer and not an error, so that a queue has to say what it does with it.
public protocol Geocoder: Sendable {
  /// Names the service and the settings that its answers depend on; answers of another identity
  /// are not taken from the cache.
  var identity: String { get }

  /// Asks once; the caller sees to the rate and to asking again.
  func locate(_ question: String) async -> GeocodingAnswer
}

/// What a geocoder says to one question.
public enum GeocodingAnswer: Hashable, Sendable {
  /// The first hit, and what the service calls it.
  case found(Coordinate, label: String?)
  /// The service knows no such place.
  case notFound
  /// The service will not answer this question, however often it is asked.
  case refused(reason: String)
  /// The service could not answer now; `after` is how long it asks to be left alone.
  case unavailable(reason: String, after: Duration?)
}

/// An annotation that waits for a position, and the questions that may bring it, best first.
public struct UnplacedItem: Hashable, Sendable {
  /// The annotation's id.
  public let id: AnnotationID
  /// What a geocoder is asked, one after the other until one is answered; blank ones are left out.
  public let questions: [String]

  /// An item by its id and questions; blanks around a question and repeated questions go.
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
