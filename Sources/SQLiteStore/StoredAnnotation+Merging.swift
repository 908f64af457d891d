#if Store
  import GeoJSONCoding
  import MapAnnotations

  extension StoredAnnotation {
    /// What is known after a source delivered an annotation again.
    ///
    /// A blank text, a null and a missing position keep what was there; lists and dates are taken
    /// as a whole; a property that is not delivered stays.
    func merged(
      with new: StoredAnnotation, _ rules: [String: MergePolicy.FieldRule]
    ) -> StoredAnnotation {
      var merged = self
      merged.common.name = MergePolicy.merged(name, new.name, rules["name"])
      merged.common.kind = MergePolicy.merged(kind?.rawValue, new.kind?.rawValue, rules["kind"])
        .map { AnnotationKind(rawValue: $0) }
      merged.common.placeID = MergePolicy.merged(placeID, new.placeID, nil)
      merged.common.openingHours = MergePolicy.merged(openingHours, new.openingHours, nil)
      merged.common.validDates = new.validDates
      if new.coordinate != nil {
        merged.common.coordinate = new.coordinate
        merged.geometry = new.geometry
      }
      merged.common.properties = MergePolicy.merged(properties, new.properties, rules)
      if var feature = new.feature {
        feature.geometry = merged.geometry
        feature.properties =
          feature.properties == nil && merged.properties.isEmpty ? nil : merged.properties
        merged.feature = feature
      } else {
        merged.feature = nil
      }
      return merged
    }

    /// Whether nothing would change; where it was read from does not matter.
    func saysTheSame(as other: StoredAnnotation) -> Bool {
      var left = self
      var right = other
      left.common.origin = nil
      right.common.origin = nil
      left.feature?.geometry = nil
      right.feature?.geometry = nil
      return left == right
    }
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
          case .keepNonBlank: isBlank(old.entries[place].value) || !isBlank(entry.value)
          case .replace: true
          case .keepFirst: isBlank(old.entries[place].value)
          }
        if takesNew { merged.entries[place] = entry }
      }
      return merged
    }

    /// A column by its name, byte for byte, and by how many of that name come before it.
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

    private static func isBlank(_ text: String?) -> Bool {
      text.map { $0.utf8.allSatisfy { $0 <= 0x20 } } ?? true
    }

    /// Nothing, or a text of nothing but spaces; an empty list is a list.
    private static func isBlank(_ value: PropertyValue) -> Bool {
      switch value {
      case .null: true
      case .string(let text): isBlank(text)
      default: false
      }
    }
  }
#endif
