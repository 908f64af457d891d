import BusinessHours
import Geodesy
import MapAnnotations

// What answers in JSON are made of; what there is none of is null.

extension PropertyValue {
  package static func text(_ text: String?) -> PropertyValue { text.map { .string($0) } ?? .null }

  /// Meters, as results show them.
  package static func meters(_ distance: Distance?) -> PropertyValue {
    distance.map { .number(ResultNumber.meters($0)) } ?? .null
  }

  /// Meters rounded down: a promise that holds.
  package static func least(_ distance: Distance?) -> PropertyValue {
    distance.map { .number(ResultNumber.least($0)) } ?? .null
  }

  /// The degrees of a bearing, as results show them.
  package static func bearing(_ degrees: Double?) -> PropertyValue {
    degrees.map { .number(ResultNumber.bearing($0)) } ?? .null
  }

  /// A moment by the clock of a place.
  package static func moment(_ instant: Instant?, by setting: HoursSetting) -> PropertyValue {
    .text(instant.map { ClockText.iso($0, setting) })
  }

  /// West, south, east and north of a box.
  package static func box(_ box: BoundingBox?) -> PropertyValue {
    box.map { .array($0.edges.map { .double($0) }) } ?? .null
  }

  /// Degrees without an exponent.
  static func degrees(_ degrees: Double?) -> PropertyValue {
    degrees.map { .number(plainDecimal($0)) } ?? .null
  }
}

extension Properties {
  /// What something is, what it is called and where it is.
  package init(id: String, name: String?, kind: AnnotationKind?, at coordinate: Coordinate?) {
    self = [
      "id": .string(id), "name": .text(name), "kind": .text(kind?.rawValue),
      "latitude": .degrees(coordinate?.latitude), "longitude": .degrees(coordinate?.longitude),
    ]
  }
}
