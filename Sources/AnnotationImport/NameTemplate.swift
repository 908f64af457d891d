import Geodesy

/// A name, or a question, combined from several fields, such as `{brand} {branch}`.
///
/// The signs between two nonempty fields are kept. An empty field leaves no gap: brackets around it
/// are dropped, and the signs before and after it are merged into one, unchanged if they are equal
/// and otherwise a space; at either end they are dropped, too.
package struct NameTemplate: Hashable, Sendable {
  /// The names of the fields, in order; at least one.
  package let fields: [String]
  /// The texts before the first field, between fields, and after the last.
  private let signs: [String]
  /// The brackets before and after each field.
  private let openings: [String], closings: [String]
  /// The template text.
  let source: String

  /// nil for a text without a field in braces, which is then the name of a field itself.
  package init?(_ text: String) {
    var fields: [String] = []
    var signs: [String] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      signs.append(String(rest[..<open]))
      fields.append(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    guard !fields.isEmpty else { return nil }
    signs.append(String(rest))
    var openings: [String] = [], closings: [String] = []
    for place in fields.indices {
      var (opening, closing) = ("", "")
      while let first = signs[place].last, let last = signs[place + 1].first,
        NameTemplate.pairs[first] == last
      {
        opening = String(signs[place].removeLast()) + opening
        closing.append(signs[place + 1].removeFirst())
      }
      openings.append(opening)
      closings.append(closing)
    }
    source = text
    self.fields = fields
    self.signs = signs
    self.openings = openings
    self.closings = closings
  }

  private static let pairs: [Character: Character] = [
    "(": ")", "[": "]", "<": ">", "\"": "\"", "（": "）", "［": "］", "〈": "〉", "《": "》", "「": "」",
    "『": "』", "【": "】", "〔": "〕",
  ]

  /// The name; nil if all fields are empty.
  ///
  /// - Parameter value: Returns the value of the field at an index; nil or blank means empty.
  package func text(_ value: (Int) -> String?) -> String? {
    var name = ""
    /// The index of the last nonempty field.
    var last: Int?
    for place in fields.indices {
      guard let part = value(place).map({ trimmed($0, where: \.isWhitespace) }), !part.isEmpty
      else { continue }
      if let last {
        name += joint(from: last, to: place)
      } else if place == 0 {
        name += signs[0]
      }
      name += openings[place] + part + closings[place]
      last = place
    }
    guard let last else { return nil }
    return last == fields.count - 1 ? name + signs[fields.count] : name
  }

  private func joint(from first: Int, to second: Int) -> String {
    let between = signs[(first + 1)...second]
    return between.allSatisfy { $0 == between.first } ? signs[second] : " "
  }
}
