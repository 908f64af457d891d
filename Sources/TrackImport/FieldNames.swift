import Geodesy

/// The known names of log fields, in the languages of the supported sources.
enum FieldNames {
  static let time = [
    "time", "timestamp", "datetime", "date_time", "utc", "utctime", "gpstime", "time_utc", "when",
    "recorded_at", "created_at", "loggedat", "timestampms", "epoch", "unixtime", "일시", "시각",
    "시간", "측정시각", "측정일시", "수집일시", "기록일시", "日時", "時刻", "時間", "測位時刻",
    "測位日時", "測定日時", "記録日時", "取得日時",
  ]
  static let date = ["date", "날짜", "일자", "日付"]
  static let accuracy = [
    "accuracy", "acc", "hacc", "horizontalaccuracy", "horizontal_accuracy", "accuracy_m",
    "accuracymeters", "gpsaccuracy", "정확도", "수평정확도", "精度", "水平精度", "測位精度",
  ]
  static let elevation = [
    "ele", "elevation", "alt", "altitude", "height", "고도", "標高", "高度",
  ]
  static let speed = ["speed", "speed_mps", "velocity", "속도", "速度"]
  static let simulated = [
    "mock", "ismock", "is_mock", "simulated", "issimulated", "isfrommockprovider",
  ]

  /// A name prepared for comparison: in lower case, without a unit in brackets.
  static func plain(_ name: String) -> String {
    let text = name.lowercased().prefix { $0 != "(" && $0 != "[" && $0 != "（" }
    let plain = trimmed(text) { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    return String(plain.map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  /// Whether a text means "yes".
  static func isTrue(_ text: String) -> Bool { ["1", "true", "yes"].contains(text.lowercased()) }
}
