import Geodesy

extension OpenState: Codable {
  /// Encodes a word: `"open"`, `"closed"` or `"unknown"`.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone("\(self)") }

  /// - Throws: `DecodingError` for any other word.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    guard let state = [OpenState.open, .closed, .unknown].first(where: { "\($0)" == word }) else {
      throw decoder.refusal("\"\(word)\" is not a state; write open, closed or unknown")
    }
    self = state
  }
}
