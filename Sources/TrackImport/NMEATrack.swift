import BusinessHours
import Geodesy
import LocationFiltering

/// Makes fixes from NMEA sentences: RMC, GGA, GLL and GNS, one fix for each sentence.
///
/// Only RMC has the day. GGA, GLL and GNS use the last known day, plus one if the time of day has
/// fallen by more than half a day. Before the first RMC, times count from an unknown midnight.
struct NMEATrack {
  /// The day of the last sentence, in days since 1970, or since an unknown day.
  private var day = 0
  private var isDated = false
  private var secondOfDay: Double?
  /// The number of lines that are not sentences with a position.
  private(set) var otherLines = 0

  /// The fix of a line; nil if it is not a sentence with a position.
  mutating func point(_ line: [UInt8], number: Int) -> TrackPoint? {
    guard let sentence = NMEASentence(line[...]),
      let fieldCount = NMEASentence.fieldCounts[sentence.kind]
    else {
      if !line.isEmpty { otherLines += 1 }
      return nil
    }
    switch sentence.checksum {
    case .right: break
    case .wrong(let said, let computed):
      return TrackPoint(
        TrackProblem(
          .checksum,
          "its checksum says \(said.isEmpty ? "nothing" : said), its bytes give "
            + zeroPadded(computed, radix: 16).uppercased()), line: number)
    // More fields follow the position: if all of them are present, nothing of the position was cut
    // off.
    case .missing where sentence.fields.count < fieldCount:
      return TrackPoint(
        TrackProblem(
          .cutOff,
          "it has no checksum and \(grouped(sentence.fields.count, "field")) of \(fieldCount)"),
        line: number)
    case .missing: break
    }
    do throws(TrackProblem) {
      return try point(of: sentence, line: number)
    } catch {
      return TrackPoint(error, line: number)
    }
  }

  private mutating func point(
    of sentence: NMEASentence, line: Int
  ) throws(TrackProblem) -> TrackPoint {
    // Which fields hold the time and the latitude.
    let (timeField, latitudeField) =
      switch sentence.kind {
      case "RMC": (0, 2)
      case "GLL": (4, 0)
      default: (0, 1)
      }
    var fix = Fix(latitude: nil, longitude: nil)
    let status = try NMEATrack.status(of: sentence)
    if status.isFix {
      fix.latitude = try sentence.degrees(latitudeField, ("N", "S"))
      fix.longitude = try sentence.degrees(latitudeField + 2, ("E", "W"))
      fix.isSimulated = status.isSimulated
    }
    var point = TrackPoint(fix: fix, line: line)
    // A receiver without a fix may show any time and date.
    if status.isFix, let second = try sentence.secondOfDay(timeField) {
      point.fix.time = time(second, day: try NMEATrack.day(of: sentence))
    }
    point.isDated = isDated
    if sentence.kind == "RMC", let knots = NMEASentence.decimal(sentence.text(6)) {
      point.speed = knots * 1_852 / 3_600
    }
    if sentence.kind == "GGA" || sentence.kind == "GNS" {
      point.elevation = Double(sentence.text(8))
    }
    return point
  }

  /// Seconds since 1970, or since the midnight from which days are counted.
  private mutating func time(_ second: Double, day said: Int?) -> Double {
    if let said {
      day = said
      isDated = true
    } else if let last = secondOfDay, second - last > 43_200 {
      // A late sentence from before midnight.
      return Double((day - 1) * 86_400) + second
    } else if let last = secondOfDay, last - second > 43_200 {
      day += 1
    }
    secondOfDay = second
    return Double(day * 86_400) + second
  }

  private static func status(
    of sentence: NMEASentence
  ) throws(TrackProblem) -> (isFix: Bool, isSimulated: Bool) {
    switch sentence.kind {
    case "RMC", "GLL":
      let (statusField, modeField) = sentence.kind == "RMC" ? (1, 11) : (5, 6)
      let mode = sentence.text(modeField)
      return (sentence.text(statusField) == "A" && mode != "N", mode == "S")
    case "GNS":
      // One letter for each satellite system.
      let modes = sentence.text(5)
      return (modes.contains { $0 != "N" }, modes.contains("S"))
    default:
      let quality = sentence.text(5)
      guard quality.isEmpty || UInt8(quality) != nil else {
        throw TrackProblem(.field, "\"\(quality)\" is not a quality of a fix")
      }
      return (!quality.isEmpty && UInt8(quality) != 0, UInt8(quality) == 8)
    }
  }

  /// The days since 1970 from an RMC's field `ddmmyy`; nil if it is empty.
  ///
  /// Years from 80 up belong to the last century: GPS began in January 1980.
  private static func day(of sentence: NMEASentence) throws(TrackProblem) -> Int? {
    guard sentence.kind == "RMC" else { return nil }
    let text = sentence.text(8)
    if text.isEmpty { return nil }
    guard text.utf8.count == 6, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text)
    else { throw TrackProblem(.field, "\"\(text)\" is not a date") }
    let (day, month) = (number / 10_000, number / 100 % 100)
    let year = number % 100 + (number % 100 >= 80 ? 1_900 : 2_000)
    guard CivilDay.exists(year, month, day) else {
      throw TrackProblem(.field, "\"\(text)\" is not a date")
    }
    return CivilDay.number(year, month, day)
  }
}

/// One NMEA 0183 sentence, split into fields: `$GPRMC,…*62`.
struct NMEASentence {
  /// The kind of sentence without its talker, such as `RMC`.
  let kind: String
  /// The fields between the commas after the address.
  let fields: [ArraySlice<UInt8>]
  /// How the checksum compares with the bytes.
  let checksum: Checksum

  enum Checksum: Equatable {
    case right
    /// The stated and the computed checksum differ.
    case wrong(said: String, computed: UInt8)
    /// There is no checksum: it may have been omitted or cut off.
    case missing
  }

  /// The minimum number of fields of each kind with a position, without mode and later additions.
  static let fieldCounts = ["RMC": 11, "GGA": 14, "GLL": 6, "GNS": 12]

  /// The sentence in a line; nil if there is none, or it is proprietary.
  ///
  /// Other text may precede the `$`, such as a logger's time.
  init?(_ line: ArraySlice<UInt8>) {
    guard let start = line.firstIndex(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") })
    else { return nil }
    let body = line[(start + 1)...]
    let content = body.prefix { $0 != UInt8(ascii: "*") }
    let fields = content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count > 1, let address = fields.first, address.count == 5,
      address.allSatisfy({ (0x41...0x5A).contains($0) || $0.isASCIIDigit }),
      address.first != UInt8(ascii: "P")
    else { return nil }
    kind = String(decoding: address.suffix(3), as: UTF8.self)
    self.fields = Array(fields.dropFirst())
    guard content.endIndex < body.endIndex else {
      checksum = .missing
      return
    }
    let said = String(
      decoding: body[(content.endIndex + 1)...].prefix {
        $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: ",")
      }, as: UTF8.self)
    let computed = content.reduce(0, ^)
    checksum =
      said.utf8.count == 2 && UInt8(said, radix: 16) == computed
      ? .right : .wrong(said: said, computed: computed)
  }

  /// The text of a field, from 0; empty if there is none.
  func text(_ field: Int) -> String {
    fields.indices.contains(field) ? String(decoding: fields[field], as: UTF8.self) : ""
  }

  /// Degrees from a field `ddmm.mmmm` and the hemisphere in the next field.
  ///
  /// - Returns: nil if the fields are empty.
  /// - Throws: `TrackProblem` for an invalid angle.
  func degrees(_ field: Int, _ hemispheres: (plus: String, minus: String)) throws(TrackProblem)
    -> Double?
  {
    let angle = text(field)
    let side = text(field + 1)
    if angle.isEmpty, side.isEmpty { return nil }
    // At most four digits of degrees, which is more than any latitude or longitude has.
    guard let number = NMEASentence.decimal(angle), number < 1_000_000,
      side == hemispheres.plus || side == hemispheres.minus
    else {
      throw TrackProblem(
        .field,
        "\"\(angle),\(side)\" is not a \(hemispheres.plus == "N" ? "latitude" : "longitude")")
    }
    let whole = (number / 100).rounded(.down)
    let minutes = number - whole * 100
    guard minutes < 60 else {
      throw TrackProblem(
        .field, "\(angle) has \(Int(minutes)) whole minutes, which are fewer than 60")
    }
    let degrees = whole + minutes / 60
    return side == hemispheres.plus ? degrees : -degrees
  }

  /// Seconds since midnight from a field `hhmmss.ss`; nil if it is empty.
  func secondOfDay(_ field: Int) throws(TrackProblem) -> Double? {
    let text = text(field)
    if text.isEmpty { return nil }
    let digits = text.prefix { $0 != "." }
    guard digits.utf8.count == 6, let number = NMEASentence.decimal(text) else {
      throw TrackProblem(.field, "\"\(text)\" is not a time of day")
    }
    let whole = Int(number)
    let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard hour < 24, minute < 60, second <= 60 else {
      throw TrackProblem(.field, "\"\(text)\" is not a time of day")
    }
    return Double(hour * 3_600 + minute * 60 + second) + (number - Double(whole))
  }

  /// A number of digits and at most one point, without sign and exponent.
  static func decimal(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    return isPlain ? Double(text) : nil
  }
}
