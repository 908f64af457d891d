import Foundation

/// How figures are written in tables.
enum Figures {
  /// Three significant digits, with thousands set apart.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    if value >= 99.95 { return grouped(Int(value.rounded())) }
    return String(format: value >= 9.995 ? "%.1f" : "%.2f", value)
  }

  static func ratio(_ value: Double) -> String { number(value) + "×" }

  static func percent(_ part: Double) -> String {
    part.isFinite ? String(format: "%.0f %%", part * 100) : "–"
  }

  static func grouped(_ value: Int) -> String {
    var digits = Array(String(abs(value)))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (value < 0 ? "−" : "") + String(digits)
  }
}
