import GeoJSONCoding
import MapAnnotations

/// What an annotation is beyond its feature: the id, name, kind, hours, place and dates from its import, whatever its
/// columns are called.
///
/// Stores, databases and joined records have it as a member of the feature. It is looked for nowhere else, so that a file
/// may have a member of this name.
package enum StoredMember {
  /// The member's name.
  static let name = "nearby:stored"

  /// Puts it into the feature of an annotation.
  package static func put(_ annotation: some Annotation, into feature: inout Feature) {
    feature.foreignMembers[name] = nil
    feature.foreignMembers.append(name, value(of: annotation))
  }

  private static func value(of annotation: some Annotation) -> PropertyValue {
    var members: Properties = ["id": .string(annotation.id.text)]
    func append(_ name: String, _ text: String?) {
      if let text { members.append(name, .string(text)) }
    }
    append("name", annotation.name)
    append("kind", annotation.kind?.rawValue)
    append("hours", annotation.openingHours)
    append("place", annotation.placeID)
    append("from", annotation.validDates.first?.first?.description)
    append("until", annotation.validDates.last?.last?.description)
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

  private static let lists: [(names: [String], member: String)] = [
    (KnownNames.id, "id"), (KnownNames.name, "name"), (KnownNames.kind, "kind"),
    (KnownNames.hours, "hours"), (KnownNames.place, "place"), (KnownNames.validFrom, "from"),
    (KnownNames.validUntil, "until"),
  ]
}
