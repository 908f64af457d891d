/// The languages that labels are written in.
///
/// The app chooses one: no locale is read here, and a list in Korean stays Korean on a phone that is set to English.
public enum LabelLanguage: String, CaseIterable, Hashable, Sendable {
  /// `203 m`, `5 min walk`.
  case english = "en"
  /// `203m`, `도보 5분`.
  case korean = "ko"
  /// `203m`, `徒歩5分`.
  case japanese = "ja"

  /// The separator between a number and its unit.
  var blank: String { self == .english ? " " : "" }
}
