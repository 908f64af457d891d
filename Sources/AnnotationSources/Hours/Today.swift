import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations

/// Today, by the clock of each place.
package struct Today {
  private let now: Instant
  private let zoneElsewhere: () -> NamedZone?

  /// - Parameter zoneElsewhere: The clock of places that have none of their own; asked for few of them.
  package init(_ now: Instant, elsewhere zoneElsewhere: @escaping () -> NamedZone?) {
    self.now = now
    self.zoneElsewhere = zoneElsewhere
  }

  /// Whether an annotation is in business today.
  package func business(of annotation: ImportedAnnotation) -> BusinessStatus {
    let record = annotation.business
    guard record.absence != nil else { return record.saysInBusiness ? .inBusiness : .unknown }
    // Wherever it is, today is within a day of UTC's; few records need to know where.
    let status = record.status(at: now, setting: HoursSetting())
    let isSure = [-86_400, 86_400].allSatisfy {
      record.status(at: now.advanced(by: .seconds($0)), setting: HoursSetting()) == status
    }
    if isSure { return status }
    guard let zone = annotation.coordinate.flatMap(NamedZone.zone(at:)) ?? zoneElsewhere() else {
      return status
    }
    return record.status(at: now, setting: zone.setting())
  }
}
