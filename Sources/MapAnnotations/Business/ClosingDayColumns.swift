import BusinessHours

/// The columns in which sources list the closing days of a place.
///
///     let mart = BasicAnnotation(id: 1, properties: ["holidays": .array(["2018-10-28 (일)"])])
///     ClosingDayColumns.text(of: mart.properties)  // 2018-10-28 (일)
///
/// `closing_days`, `휴무일`, `定休日` and similar ones; also `holidays` and `휴일` if they name days. Several columns of one
/// place are combined, such as `정기휴무` with its Sundays and `holidays` with its dates.
public enum ClosingDayColumns {
  /// The closing days in a place's properties, as text for `WrittenHours`; nil if there are none.
  ///
  /// - Returns: The texts of the columns in order, joined by `; `; the values of a list are joined
  ///   by commas.
  /// - Complexity: O(properties), and O(length) for a column that may have another meaning.
  public static func text(of properties: Properties) -> String? {
    var texts: [String] = []
    for entry in properties.entries {
      guard let isPlain = names[entry.name], let text = text(of: entry.value),
        !texts.contains(text), isPlain || WrittenHours.namesClosingDays(text)
      else { continue }
      texts.append(text)
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { names[name] != nil }

  private static func text(of value: PropertyValue) -> String? {
    switch value {
    case .string(""): return nil
    case .string(let text), .number(let text): return text
    case .array(let values):
      // Other values become "?", so that the list does not look complete.
      let texts = values.filter { $0 != .null }.map { $0.text ?? "?" }.filter { !$0.isEmpty }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    case .null, .bool, .object: return nil
    }
  }

  /// The names, and whether each always means closing days: `휴일` may be a column of hours.
  private static let names: [String: Bool] = {
    var names: [String: Bool] = [:]
    func add(_ isPlain: Bool, _ list: String) {
      for name in list.split(separator: " ") {
        let words = name.split(separator: "_")
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        // All spellings are listed here, so that a lookup is cheap: `closing_days`, `closing days`, `closing-days`,
        // `closingdays`, `CLOSING_DAYS`, `closingDays`, `ClosingDays`, `Closing Days`, `Closing days`.
        for joint in ["_", " ", "-", ""] {
          let joined = words.joined(separator: joint)
          names[joined] = isPlain
          names[joined.uppercased()] = isPlain
          names[capitals.joined(separator: joint)] = isPlain
          names[([capitals[0]] + words.dropFirst().map(String.init)).joined(separator: joint)] =
            isPlain
        }
        names[([String(words[0])] + capitals.dropFirst()).joined()] = isPlain
      }
    }
    add(
      true,
      """
      closing_days closed_days closing_dates closed_dates closing_day closed_day regular_holiday regular_holidays \
      휴무일 휴무일자 휴무일정 휴무 정기휴무일 정기휴무 정기휴일 정기휴점일 휴관일 정기휴관일 휴업일 정기휴업일 의무휴업일 의무휴업 휴점일 \
      휴진일 휴원일 쉬는날 定休日 定休 休業日 休館日 休店日 店休日 休診日 休園日 休日 臨時休業日 休み
      """)
    add(false, "holidays holiday closed closures days_off 휴일 休業 休館")
    return names
  }()
}
