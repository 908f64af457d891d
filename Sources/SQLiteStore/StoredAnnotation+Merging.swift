#if Store
  import GeoJSONCoding
  import MapAnnotations

  extension StoredAnnotation {
    /// The annotation merged with a newer delivery of itself.
    ///
    /// A blank text, one that means "no value" (`NullText`), a null and a missing position keep the old value; lists
    /// and dates are replaced as a whole; a property or a foreign member that is not delivered stays.
    func merged(
      with new: StoredAnnotation, _ rules: [String: MergePolicy.FieldRule]
    ) -> StoredAnnotation {
      var common = self.common
      common.name = MergePolicy.merged(name, new.name, rules["name"])
      common.kind = MergePolicy.merged(kind?.rawValue, new.kind?.rawValue, rules["kind"])
        .map { AnnotationKind(rawValue: $0) }
      common.placeID = MergePolicy.merged(placeID, new.placeID, nil)
      common.openingHours = MergePolicy.merged(openingHours, new.openingHours, nil)
      common.validDates = new.validDates
      common.properties = MergePolicy.merged(properties, new.properties, rules)
      let placed = new.coordinate == nil ? self : new
      common.coordinate = placed.coordinate
      // A row of a table has no members to replace those of a feature.
      var feature = new.feature ?? self.feature
      feature?.foreignMembers = MergePolicy.merged(foreignMembers, new.foreignMembers, [:])
      feature?.bbox = new.feature?.bbox ?? (new.coordinate == nil ? self.feature?.bbox : nil)
      return StoredAnnotation(
        common, feature: feature, geometry: placed.geometry, hasOwnPin: placed.hasOwnPin)
    }

    /// Whether a question to a geocoder is made of texts of this annotation, one of which another version of it lacks.
    ///
    /// The longest texts come first, so that a floor of 1 is no part of "Street 1".
    func asks(_ question: String, unlike other: StoredAnnotation) -> Bool {
      func words(_ text: String?) -> [Substring] {
        text?.split { !$0.isLetter && !$0.isNumber } ?? []
      }
      let texts: [(old: String?, new: String?)] =
        [(name, other.name)]
        + properties.entries.map { ($0.value.text, other.properties[$0.name]?.text) }
      var rest = words(question)
      var parts: Set<[Substring]> = []
      for part in texts.map({ words($0.old) }).sorted(by: { $0.count > $1.count }) {
        guard !part.isEmpty, let range = rest.firstRange(of: part) else { continue }
        rest.replaceSubrange(range, with: [""])
        parts.insert(part)
      }
      func pieces(_ text: String?) -> [Substring]? { text?.split(whereSeparator: \.isWhitespace) }
      return texts.contains { old, new in
        parts.contains(words(old)) && pieces(old) != pieces(new)
      }
    }

    /// Whether two annotations have the same content, byte for byte; their origin is ignored.
    func saysTheSame(as other: StoredAnnotation) -> Bool {
      var left = self
      var right = other
      left.common.origin = nil
      right.common.origin = nil
      // `==` takes é in one code point for é in two.
      return left == right && left.texts == right.texts
        && left.properties.isSameBytes(as: right.properties)
        && left.foreignMembers.isSameBytes(as: right.foreignMembers)
    }

    private var texts: [ExactText?] {
      [name, kind?.rawValue, placeID, openingHours, feature?.id?.text].map {
        $0.map(ExactText.init)
      }
    }

    private var foreignMembers: Properties { feature?.foreignMembers ?? Properties() }
  }

  extension MergePolicy {
    fileprivate static func merged(_ old: String?, _ new: String?, _ rule: FieldRule?) -> String? {
      switch rule ?? .keepNonBlank {
      case .keepNonBlank: isBlank(new) ? old : new
      case .replace: new
      case .keepFirst: isBlank(old) ? new : old
      }
    }

    fileprivate static func merged(
      _ old: Properties, _ new: Properties, _ rules: [String: FieldRule]
    ) -> Properties {
      var merged = old
      var places: [Occurrence: Int] = [:]
      var held = OccurrenceCount()
      for (place, entry) in old.entries.enumerated() { places[held.next(entry.name)] = place }
      var delivered = OccurrenceCount()
      for entry in new.entries {
        guard let place = places[delivered.next(entry.name)] else {
          merged.entries.append(entry)
          continue
        }
        let takesNew =
          switch rules[entry.name] ?? .keepNonBlank {
          case .keepNonBlank: !isBlank(entry.value)
          case .replace: true
          case .keepFirst: isBlank(old.entries[place].value)
          }
        if takesNew { merged.entries[place] = entry }
      }
      return merged
    }

    /// A property by its name, compared byte by byte, and its number among those with the same name.
    private struct Occurrence: Hashable {
      let name: ExactText
      let earlier: Int
    }

    private struct OccurrenceCount {
      private var counts: [ExactText: Int] = [:]

      mutating func next(_ name: String) -> Occurrence {
        let name = ExactText(name)
        defer { counts[name, default: 0] += 1 }
        return Occurrence(name: name, earlier: counts[name, default: 0])
      }
    }

    /// Whether a text is missing, of spaces only, or one that means "no value".
    private static func isBlank(_ text: String?) -> Bool {
      text.map { $0.utf8.allSatisfy { $0 <= 0x20 } || NullText.isNull($0) } ?? true
    }

    /// Whether a value is null or a blank text; an empty list is not blank.
    private static func isBlank(_ value: PropertyValue) -> Bool {
      switch value {
      case .null: true
      case .string(let text): isBlank(text)
      default: false
      }
    }
  }
#endif
