import Geodesy

extension AnnotationID: Codable, CodingKeyRepresentable {
  /// Encodes the text, even for a number: JSON readers round long numbers.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(text) }

  /// Decodes a text, or a whole number from −2⁶³ to 2⁶⁴ − 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self.init(number)
    } else if let number = try? container.decode(UInt64.self) {
      self.init(String(number))
    } else {
      self.init(try container.decode(String.self))
    }
  }

  /// The text, so that dictionaries are encoded as objects.
  public var codingKey: any CodingKey { TextKey(stringValue: text) }
  /// Makes the id from a key's text.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

/// Encodes the name.
extension AnnotationKind: Codable, CodingKeyRepresentable {
  /// The name, so that dictionaries are encoded as objects.
  public var codingKey: any CodingKey { TextKey(stringValue: rawValue) }
  /// Makes the kind from a key's text.
  public init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
}

/// A member name of an object.
private struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension CalendarDate: Codable {
  /// Encodes `"2026-11-23"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone("\(self)") }

  /// - Throws: `DecodingError` for a day that does not exist.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let day = CalendarDate(text) else {
      throw decoder.refusal("\"\(text)\" is not a date; write one such as 2026-11-23")
    }
    self = day
  }
}

extension DateSpan: Decodable {
  private enum Key: String, CodingKey { case first, last }

  /// Decodes `{"first": "2026-11-01", "last": "2026-11-30"}`; an open end is omitted.
  ///
  /// - Throws: `DecodingError` for a first day after the last.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let first = try container.decodeIfPresent(CalendarDate.self, forKey: .first)
    let last = try container.decodeIfPresent(CalendarDate.self, forKey: .last)
    if let first, let last, last < first {
      throw decoder.refusal("the first day \(first) lies after the last \(last); swap them")
    }
    self.init(first: first, last: last)
  }
}

extension DateSegment {
  /// The segment as text: `today`, `tomorrow`, `this-month`, `all`, `2026-12-13`, or
  /// `2026-12-01/2026-12-31`.
  package var word: String {
    switch self {
    case .today: "today"
    case .tomorrow: "tomorrow"
    case .thisMonth: "this-month"
    case .all: "all"
    case .on(let day): "\(day)"
    case .during(let days): "\(days.lowerBound)/\(days.upperBound)"
    }
  }

  /// Reads the text of `word`; nil for anything else.
  package init?(word: String) {
    switch word {
    case "today": self = .today
    case "tomorrow": self = .tomorrow
    case "this-month": self = .thisMonth
    case "all": self = .all
    default:
      let days = word.split(separator: "/", omittingEmptySubsequences: false).map {
        CalendarDate(String($0))
      }
      switch days.count {
      case 1:
        guard let day = days[0] else { return nil }
        self = .on(day)
      case 2:
        guard let first = days[0], let last = days[1], first <= last else { return nil }
        self = .during(first...last)
      default: return nil
      }
    }
  }

  package static let words =
    "write today, tomorrow, this-month, all, a day as 2026-12-13, or two with / between them"
}

extension DateSegment: Codable {
  /// Encodes the text of `word`: `"today"`, `"tomorrow"`, `"this-month"`, `"all"`, `"2026-12-13"`,
  /// or `"2026-12-01/2026-12-31"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(word) }

  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    guard let segment = DateSegment(word: word) else {
      throw decoder.refusal("\"\(word)\" names no days; \(DateSegment.words)")
    }
    self = segment
  }
}

extension BusinessStatus: Codable {
  private enum Key: String, CodingKey { case status, since }

  /// Encodes `{"status": "closedDown", "since": "2015-08-27"}`; the status is `inBusiness`,
  /// `suspended`, `closedDown` or `unknown`, and `since` is omitted if unknown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let word =
      switch self {
      case .inBusiness: "inBusiness"
      case .suspended: "suspended"
      case .closedDown: "closedDown"
      case .unknown: "unknown"
      }
    try container.encode(word, forKey: .status)
    if case .closedDown(let since?) = self { try container.encode(since, forKey: .since) }
  }

  /// - Throws: `DecodingError` for any other status.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let word = try container.decode(String.self, forKey: .status)
    switch word {
    case "inBusiness": self = .inBusiness
    case "suspended": self = .suspended
    case "unknown": self = .unknown
    case "closedDown":
      self = .closedDown(since: try container.decodeIfPresent(CalendarDate.self, forKey: .since))
    default:
      throw decoder.refusal(
        "\"\(word)\" is not a status; write inBusiness, suspended, closedDown or unknown")
    }
  }
}
