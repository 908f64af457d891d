import Geodesy
import MapAnnotations

extension ResultOrder {
  /// The fields as `--sort` takes them: `rating:desc,name`.
  ///
  /// A first field `id` or `distance` is written as `id:value` or `distance:value` where its values are compared, not
  /// the order of ids or distances used.
  var words: String {
    let name =
      switch key {
      case .id: "id"
      case .distance: "distance"
      case .field(let field):
        field.isKeyWord ? "\(field):value" : "\(field)"
      }
    return name + (isDescending ? ":desc" : "")
      + ties.map { ",\($0.field)" + ($0.isDescending ? ":desc" : "") }.joined()
  }

  /// Reads what `words` writes; nil where a field has no name.
  init?(words: String, band: Distance?) {
    var keys: [(field: Condition.Field, isValue: Bool, isDescending: Bool)] = []
    for word in Condition.Field.names(in: words) {
      var name = word[...]
      let isDescending = name.utf8.count > 5 && name.hasSuffix(":desc")
      if isDescending { name = name.dropLast(5) }
      let isValue = name.hasSuffix(":value")
      if isValue { name = name.dropLast(6) }
      guard !name.isEmpty else { return nil }
      keys.append((Condition.Field(named: String(name)), isValue, isDescending))
    }
    guard let first = keys.first else { return nil }
    self.init(
      first.isValue ? .field(first.field) : Key(first.field), isDescending: first.isDescending,
      band: band,
      ties: keys.dropFirst().map { Tie($0.field, isDescending: $0.isDescending) })
  }
}

extension ResultOrder.Key {
  /// What a field means that an order begins with: the id and the distance themselves, or else the field's values.
  package init(_ field: Condition.Field) {
    self =
      switch field.name {
      case .common(.id): .id
      case .common(.distance): .distance
      default: .field(field)
      }
  }
}

extension Condition.Field {
  /// Whether its name alone means an order rather than its values.
  fileprivate var isKeyWord: Bool { name == .common(.id) || name == .common(.distance) }

  /// The names in a comma-separated list; names in double quotes may contain commas.
  package static func names(in text: String) -> [String] {
    var names = [String.UnicodeScalarView()]
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == ",", !isQuoted {
        names.append(String.UnicodeScalarView())
      } else {
        names[names.count - 1].append(scalar)
      }
    }
    return names.map { String($0) }
  }
}
