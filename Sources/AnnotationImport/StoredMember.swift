import GeoJSONCoding
import MapAnnotations

/// What an annotation is beyond its feature: the id, name, kind, hours, place and dates from its import, whatever its
/// columns are called.
///
/// Stores, databases and joined records have it as a member of a feature that would be read as something else without
/// it. It is looked for nowhere else, so that a file may have a member of this name.
package enum StoredMember {
  /// The member's name.
  static let name = "nearby:stored"

  /// Puts it into the feature of an annotation.
  package static func put(_ annotation: some Annotation, into feature: inout Feature) {
    feature.foreignMembers[name] = nil
    let value = value { (role: StoredTable.Role) -> String? in
      switch role {
      case .id: annotation.id.text
      case .name: annotation.name
      case .kind: annotation.kind?.rawValue
      case .hours: annotation.openingHours
      case .place: annotation.placeID
      case .validFrom: annotation.validDates.first?.first?.description
      case .validUntil: annotation.validDates.last?.last?.description
      }
    }
    feature.foreignMembers.append(name, value)
  }

  /// The value of the member by the texts of an annotation's roles.
  static func value(_ text: (StoredTable.Role) -> String?) -> PropertyValue {
    var members = Properties()
    for list in lists {
      if let text = text(list.role) { members.append(list.member, .string(text)) }
    }
    return .object(members)
  }

  /// nil for a feature without it.
  static func of(_ feature: ScannedFeature) -> Properties? {
    if case .object(let members)? = feature.foreignMembers[name] { members } else { nil }
  }

  /// The stored value for one of the known lists of names: an inner nil if it is empty, an outer
  /// nil if an option names a property.
  static func value(_ names: [String], in members: Properties) -> String?? {
    guard let place = lists.firstIndex(where: { $0.names == names }) else { return nil }
    return .some(members[lists[place].member]?.text)
  }

  private static let lists: [(role: StoredTable.Role, names: [String], member: String)] = [
    (.id, KnownNames.id, "id"), (.name, KnownNames.name, "name"),
    (.kind, KnownNames.kind, "kind"), (.hours, KnownNames.hours, "hours"),
    (.place, KnownNames.place, "place"), (.validFrom, KnownNames.validFrom, "from"),
    (.validUntil, KnownNames.validUntil, "until"),
  ]
}
