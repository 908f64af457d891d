extension Annotation {
  /// Unless given: what the properties say, read by ``BusinessRecord/init(reading:isOffer:)``.
  ///
  /// - Complexity: O(its properties), which are read again each time.
  public var business: BusinessRecord {
    BusinessRecord(reading: properties, isOffer: kind == .deal)
  }
}

extension BusinessRecord {
  /// Reads what a source says of a place's being in business.
  ///
  /// From the columns of Korean registers (`영업상태명`, `상세영업상태명`, their codes, `폐업일자`, `휴업시작일자`, …), of
  /// Japanese ones (`廃業年月日`, `廃止日`, `営業状況`, …), from OpenStreetMap's keys (`disused:shop`, `abandoned:amenity`,
  /// `was:shop`, `end_date`, …) and from `closed`, `closed_date` and `business_status`. Which, and what they say
  /// together, is described in <doc:ClosedPlaces>.
  ///
  /// - Parameters:
  ///   - properties: The record's columns.
  ///   - isOffer: Whether the record is a deal: then `end_date` is the end of the deal, not of the place.
  public init(reading properties: Properties, isOffer: Bool = false) {
    var columns = BusinessColumns()
    for entry in properties.entries {
      guard let text = entry.value.text, !text.isEmpty else { continue }
      columns.add(entry.name, text)
    }
    self = columns.record(isOffer: isOffer)
  }

  /// Whether a column of this name is among those that are read.
  package static func isColumn(_ name: String) -> Bool { BusinessColumns.reads(name) }
}
