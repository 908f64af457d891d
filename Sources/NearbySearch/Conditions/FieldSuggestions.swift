import Geodesy
import MapAnnotations

/// The names of fields, for suggesting the one that was probably meant.
struct FieldSuggestions {
  private let names: [String]
  /// Annotations beyond these are not searched for names.
  private static let sampleSize = 1_000

  init<Item: Annotation>(_ annotations: some Collection<Item>, columns: [String]) {
    var names = columns
    var seen = Set(columns)
    for annotation in annotations.prefix(FieldSuggestions.sampleSize) {
      for entry in annotation.properties.entries where seen.insert(entry.name).inserted {
        names.append(entry.name)
      }
    }
    self.names = names
  }

  /// The error for a name that no annotation has.
  ///
  /// - Parameter mayBeText: Whether a text may be meant, whose quotes are missing or those of a name.
  func error(for name: String, at column: Int, mayBeText: Bool) -> ConditionError {
    let text = mayBeText ? "for a text, write \(Condition.Literal.text(name)); " : ""
    return ConditionError(
      .field, "no field is named \"\(name)\"; \(text)\(remedy(for: name))", column: column)
  }

  /// Words of columns that have become the coordinates, and the field that has these.
  private static let coordinateWords = [
    ("latitude", ["위도", "緯度", "纬度"]), ("longitude", ["경도", "経度", "經度", "经度"]),
  ]

  private func remedy(for name: String) -> String {
    let parts = name.split { !$0.isLetter }
    for (field, words) in FieldSuggestions.coordinateWords
    where parts.contains(where: { part in words.contains { part.hasSuffix($0) } }) {
      return "did you mean \(field)?"
    }
    let common = Condition.Field.Common.allCases.map(\.rawValue)
    if let field = common.first(where: { $0 == name }) {
      return "write \(field) without quotes for what every annotation has"
    }
    // `weight:dsc` and `weight desc` are slips of an order.
    if let mark = name.lastIndex(where: { $0 == ":" || $0 == " " }),
      (common + names).contains(String(name[..<mark])),
      name[mark...].dropFirst().lowercased().hasPrefix("d"), name[mark...].utf8.count > 3
    {
      return "for the reverse order, write \(name[..<mark]):desc"
    }
    let nearest = (common + names).map {
      (name: $0, edits: FieldSuggestions.edits(from: name, to: $0))
    }
    .min { $0.edits < $1.edits }
    if let nearest, nearest.edits <= (name.count < 4 ? 1 : max(2, name.count / 3)) {
      let isCommon = common.contains(nearest.name)
      return
        "did you mean \(isCommon ? nearest.name : "\(Condition.Field.property(nearest.name))")?"
    }
    // So is `weight,desc`, in which it looks like a field.
    if ["desc", "descending"].contains(name.lowercased()) {
      return "for the reverse order, write :desc right after a field"
    }
    let others = names.filter { !common.contains($0) }
    let shown = common + others.prefix(30).map { "\(Condition.Field.property($0))" }
    return "fields are \(shown.joined(separator: ", "))"
  }

  /// The edit distance between two names, ignoring case and width; a prefix is one edit away.
  private static func edits(from source: String, to target: String) -> Int {
    func folded(_ text: String) -> [Unicode.Scalar] {
      Array(String(decoding: FoldedText(text).bytes, as: UTF8.self).unicodeScalars)
    }
    let source = folded(source), target = folded(target)
    if source.count >= 2, target.starts(with: source) {
      return source.count == target.count ? 0 : 1
    }
    return editDistance(from: source, to: target)
  }
}
