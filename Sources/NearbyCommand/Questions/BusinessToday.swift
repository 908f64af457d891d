import AnnotationImport
import AnnotationSources
import BusinessHours
import MapAnnotations

extension ImportedAnnotation {
  /// Whether it is in business today, by its place's clock.
  var businessToday: BusinessStatus {
    let record = business
    guard record.absence != nil else { return record.saysInBusiness ? .inBusiness : .unknown }
    let now = Console.now
    // Wherever it is, today is within a day of UTC's; few records need to know where.
    let (yesterday, tomorrow) = (
      now.advanced(by: .seconds(-86_400)), now.advanced(by: .seconds(86_400))
    )
    let status = record.status(at: now, setting: HoursSetting())
    if record.status(at: yesterday, setting: HoursSetting()) == status,
      record.status(at: tomorrow, setting: HoursSetting()) == status
    {
      return status
    }
    guard let zone = coordinate.flatMap(NamedZone.zone(at:)) ?? (try? Zones.system()) else {
      return status
    }
    return record.status(at: now, setting: zone.setting())
  }
}
