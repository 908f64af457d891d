/// A name put together from several fields, as `{brand} {branch}`.
///
/// Between two fields that say something stand the signs written between them. A field that says
/// nothing leaves no gap: brackets around it fall away, and the signs before it and behind it become
/// one, themselves where they are the same and otherwise a blank; at either end they fall away, too.
struct NameTemplate: Hashable, Sendable {
  /// The names of the fields, in order; at least one.
  let fields: [String]
  /// What stands before the first field, between each and the next, and behind the last.
  private let signs: [String]
  /// The brackets around each field.
  private let brackets: [(opening: String, closing: String)]
  /// The template as it was written.
  let source: String

  /// nil for a text that has no field in braces, and so is the name of one.
  init?(_ text: String) {
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
    var brackets: [(opening: String, closing: String)] = []
    for place in fields.indices {
      var (opening, closing) = ("", "")
      while let first = signs[place].last, let last = signs[place + 1].first,
        NameTemplate.pairs[first] == last
      {
        opening = String(signs[place].removeLast()) + opening
        closing.append(signs[place + 1].removeFirst())
      }
      brackets.append((opening, closing))
    }
    source = text
    self.fields = fields
    self.signs = signs
    self.brackets = brackets
  }

  private static let pairs: [Character: Character] = [
    "(": ")", "[": "]", "<": ">", "\"": "\"", "（": "）", "［": "］", "〈": "〉", "《": "》", "「": "」",
    "『": "』", "【": "】", "〔": "〕",
  ]

  static func == (left: NameTemplate, right: NameTemplate) -> Bool { left.source == right.source }

  func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// The name; nil where no field says anything.
  ///
  /// - Parameter value: What the field of that place says; nil or nothing but blanks for nothing.
  func text(_ value: (Int) -> String?) -> String? {
    var name = ""
    /// The place of the last field that said something.
    var last: Int?
    for place in fields.indices {
      guard let part = value(place).map(NameTemplate.trimmed), !part.isEmpty else { continue }
      if let last {
        name += joint(from: last, to: place)
      } else if place == 0 {
        name += signs[0]
      }
      name += brackets[place].opening + part + brackets[place].closing
      last = place
    }
    guard let last else { return nil }
    return last == fields.count - 1 ? name + signs[fields.count] : name
  }

  private func joint(from first: Int, to second: Int) -> String {
    let between = signs[(first + 1)...second]
    return between.allSatisfy { $0 == between.first } ? signs[second] : " "
  }

  private static func trimmed(_ text: String) -> Substring {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
