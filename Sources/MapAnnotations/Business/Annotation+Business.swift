extension Annotation {
  /// The default: read from the properties by ``BusinessRecord/init(reading:isOffer:)``.
  ///
  /// - Complexity: O(its properties), read on each call.
  public var business: BusinessRecord {
    BusinessRecord(reading: properties, isOffer: kind == .deal)
  }
}

extension BusinessRecord {
  /// Reads whether a place is in business from a source's columns.
  ///
  /// It reads columns of Korean registers (`영업상태명`, `상세영업상태명`, their codes, `폐업일자`, `휴업시작일자`, …) and Japanese ones
  /// (`廃業年月日`, `廃止日`, `営業状況`, …), OpenStreetMap's keys (`disused:shop`, `abandoned:amenity`, `was:shop`, `end_date`,
  /// …), and `closed`, `closed_date` and `business_status`. <doc:ClosedPlaces> lists them and says how they combine.
  ///
  /// - Parameters:
  ///   - properties: The record's columns.
  ///   - isOffer: Whether the record is a deal, whose `end_date` is the end of the deal, not of the place.
  public init(reading properties: Properties, isOffer: Bool = false) {
    var columns = BusinessColumns()
    for entry in properties.entries {
      guard let text = entry.value.text, !text.isEmpty else { continue }
      columns.add(entry.name, text)
    }
    self = columns.record(isOffer: isOffer)
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { BusinessColumns.reads(name) }
}
