#if Store
  import GeoJSONCoding
  import MapAnnotations

  extension MergePolicy {
    /// The policy as JSON in the store.
    var json: String {
      var members: Properties = ["kind": "replace"]
      if case .upsert(let known) = self {
        let rules = known.sorted { $0.key < $1.key }
          .map { Properties.Entry(name: $0.key, value: .string($0.value.rawValue)) }
        members = ["kind": "upsert", "rules": .object(Properties(rules))]
      }
      return PropertyValue.object(members).jsonText
    }

    /// Reads the stored policy; `replace` if it is unknown.
    init(json text: String) {
      guard let value = try? PropertyValue(json: Array(text.utf8)),
        case .object(let members) = value, members["kind"] == "upsert"
      else {
        self = .replace
        return
      }
      var rules: [String: FieldRule] = [:]
      if case .object(let kept)? = members["rules"] {
        for entry in kept.entries {
          rules[entry.name] = entry.value.text.flatMap(FieldRule.init(rawValue:))
        }
      }
      self = .upsert(rules: rules)
    }
  }
#endif
