import Geodesy

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
