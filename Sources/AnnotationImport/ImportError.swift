import Geodesy

/// An error that makes a source unreadable as a whole.
public struct ImportError: CodedError {
  /// The source's name, as given to the importer.
  public let source: String
  /// The reason for the error.
  public let reason: Reason
  /// The report on its records; nil if reading did not get that far.
  public let report: ImportReport?
  /// The records kept, if it is only that more were rejected than allowed.
  package let annotations: ImportedAnnotations?
  /// The importer's own decisions before the error, in sentences, such as a detected encoding.
  public let remarks: [String]

  package init(
    _ source: String, _ reason: Reason, report: ImportReport? = nil,
    annotations: ImportedAnnotations? = nil, remarks: [String] = []
  ) {
    self.source = source
    self.reason = reason
    self.report = report
    self.annotations = annotations
    self.remarks = remarks
  }

  /// The error of a format's reader.
  init(_ source: String, reading error: some CodedError) {
    self.init(
      source,
      error.code == "empty-input"
        ? .empty : .unreadable(code: error.code, message: error.description))
  }

  /// The reasons that make a source unreadable.
  public enum Reason: Hashable, Sendable {
    /// The source is empty.
    case empty
    /// A line has bytes that are invalid in an encoding; holds the first of them, and the encoding
    /// that fits the source, if any: the same one where it fits all but a few places.
    case encoding(TextEncoding, line: Int, byteOffset: Int, byte: UInt8, fits: TextEncoding?)
    /// The system cannot convert from this encoding.
    case encodingMissing(TextEncoding)
    /// An unsupported format; holds what it looks like, and how to convert it.
    case format(String, remedy: String)
    /// A text that was read as another format because of its name or an option; holds what it looks like.
    case otherFormat(InputFormat)
    /// No record names both coordinates; holds the columns found.
    case noCoordinateFields(columns: [String])
    /// No record names both coordinates, and one is too large to be a header; holds a description.
    case headerSize(String)
    /// Several columns may hold one coordinate.
    case ambiguousCoordinateFields(CoordinateAxis, columns: [String])
    /// A coordinate is spread over several columns: degrees, minutes and seconds.
    case splitCoordinate(CoordinateAxis, columns: [String])
    /// An option names a missing column; holds the name, and what the option is called: `latitudeField`.
    case unknownField(String, option: String, columns: [String])
    /// No row has degrees, and the rows with numbers have meters; holds the first pair, a text with
    /// the possible CRSs, and one with the CRS that the source declares and why it is not used.
    case notDegrees(first: String, second: String, candidates: String, declared: String? = nil)
    /// A CRS in meters was named, but the rows have degrees; holds its name and the first pair.
    case notMetres(crs: String, first: String, second: String)
    /// Every record was rejected.
    case allRejected
    /// More records were rejected than the limit allows.
    case tooManyRejected(RejectLimit)
    /// A record was rejected, and the import is strict.
    case rejectedWhenStrict
    /// The bytes are not valid gzip, JSON, GeoJSON or GPX, or unpacked more than
    /// `ImportOptions.unpackingLimit`; holds the reader's code and message.
    case unreadable(code: String, message: String)
  }

  /// Whether the user's options or the data are wrong, as in a program's exit status.
  public enum Blame: Hashable, Sendable {
    /// The options: exit status 64.
    case usage
    /// The data: exit status 65.
    case data
  }

  /// Whether the remedy is to change options or data.
  public var blame: Blame {
    switch reason {
    case .ambiguousCoordinateFields, .unknownField, .notMetres, .otherFormat: .usage
    default: .data
    }
  }

  /// The code, for programs; that of the most frequent reason if rows were rejected.
  public var code: String {
    switch reason {
    case .empty: "empty-input"
    case .encoding, .encodingMissing: "encoding"
    case .format: "format-unknown"
    case .otherFormat: "other-format"
    case .noCoordinateFields: "no-coordinate-fields"
    case .headerSize: "header-size"
    case .ambiguousCoordinateFields: "ambiguous-coordinate-fields"
    case .splitCoordinate: "split-coordinate"
    case .unknownField: "unknown-field"
    case .notDegrees: "crs-unknown"
    case .notMetres: "crs-degrees"
    case .allRejected, .tooManyRejected, .rejectedWhenStrict:
      report?.rankedReasons.first?.code ?? "rejected"
    case .unreadable(let code, _): code
    }
  }

  /// The source, the line if known, what is wrong and what to do.
  public var description: String {
    switch reason {
    case .encoding(_, let line, _, _, _): "\(source):\(line): \(message)"
    default: "\(source): \(message)"
    }
  }

  private var message: String {
    switch reason {
    case .empty:
      return "there is nothing in it; give a file with records"
    case .encoding(let encoding, let line, let offset, let byte, let fits):
      return ImportError.misfit(encoding, line: line, offset, byte, fits)
    case .encodingMissing(let encoding):
      return "this system's iconv cannot read \(encoding.displayName); install its converters, or "
        + "save the file as UTF-8"
    case .format(let what, let remedy):
      return "this looks like \(what), which cannot be read; \(remedy)"
    case .otherFormat(let format):
      let isTable = format == .csv || format == .tsv
      return
        "this looks like \(isTable ? "a table, not like JSON or GPX" : "JSON, not like a table"); "
        + "say `format` \(format.rawValue)"
    case .noCoordinateFields(let columns)
    where columns.first == "1" && columns == columns.indices.map({ "\($0 + 1)" }):
      return "columns are \(list(columns)); say which are latitude and longitude, such as "
        + "`latitudeField` 1 `longitudeField` 2"
    case .noCoordinateFields(let columns):
      return "no columns for latitude and longitude; columns are \(list(columns)); say "
        + "`latitudeField` … `longitudeField` … (known names: \(KnownNames.latitude.prefix(5).joined(separator: "/")) "
        + "…), and `hasHeader = false` if none are named"
    case .headerSize(let excess):
      return
        "no columns for latitude and longitude; \(excess); check `delimiter`, `quoting` and the "
        + "line ends"
    case .ambiguousCoordinateFields(let axis, let columns):
      let option = axis == .latitude ? "latitudeField" : "longitudeField"
      return "\(list(columns)) may each be the \(axis); say which with `\(option)`"
    case .splitCoordinate(let axis, let columns):
      let example = axis == .latitude ? "37°30'15\"N" : "127°06'20\"E"
      return "the \(axis) is spread over the columns \(list(columns)); write it into one, as "
        + "\(example) or in decimal degrees"
    case .unknownField(let name, let option, let columns):
      return "no column is named \"\(name)\"; columns are \(list(columns)); correct `\(option)`"
    case .notDegrees(let first, let second, let candidates, let declared):
      let said = declared.map { "; it declares the CRS \($0)" } ?? ""
      let list = candidates.isEmpty ? ";" : ". Candidates: \(candidates);"
      let minutes =
        ImportError.mayBeMinutes(first, second)
        ? "; or they are degrees and minutes, 3730.15 for 37°30.15': then write 37°30.15'" : ""
      return "numbers like \(first),\(second) are meters, not degrees\(said)\(list) "
        + "pass the right one as `crs` EPSG:n\(minutes)"
    case .notMetres(let crs, let first, let second):
      return "numbers like \(first),\(second) are degrees, not meters of \(crs); "
        + "leave `crs` out, or name the CRS of the degrees"
    case .allRejected:
      return "\(summary); \(example)"
    case .tooManyRejected(let limit):
      let allowed =
        switch limit {
        case .count(let count): grouped(count)
        case .percent(let share): "\(plainDecimal(share))%"
        }
      return "\(summary); `rejectLimit` allows \(allowed). First: \(example)"
    case .rejectedWhenStrict:
      return "\(summary); `isStrict` allows none. First: \(example)"
    case .unreadable(_, let message):
      return message
    }
  }

  /// Whether an easting and a northing may be degrees and minutes without a mark between them, as in NMEA 0183.
  private static func mayBeMinutes(_ east: String, _ north: String) -> Bool {
    zip([east, north], [180.0, 90]).allSatisfy { text, limit in
      guard text.contains("."), let number = Double(text).map(abs) else { return false }
      return number >= 100 && number <= limit * 100
        && number.truncatingRemainder(dividingBy: 100) < 60
    }
  }

  private static func misfit(
    _ encoding: TextEncoding, line: Int, _ offset: Int, _ byte: UInt8, _ fits: TextEncoding?
  ) -> String {
    let problem = "line \(grouped(line)) is not \(encoding.displayName)"
    let hex = zeroPadded(byte, radix: 16).uppercased()
    let place = "byte 0x\(hex) at \(grouped(offset))"
    if fits == encoding {
      return "\(problem) (\(place)), but nearly all of the file is; correct that line, or leave "
        + "out what is damaged with iconv -c -f \(encoding.iconvNames[0]) -t UTF-8"
    }
    if let fits {
      return "\(problem) but is valid \(fits.displayName); try `encoding` \(fits.rawValue)"
    }
    guard encoding == .utf8 else {
      return "\(problem) (\(place)); correct that line, or say another `encoding`"
    }
    return "\(problem) (\(place)), nor is the file certainly CP949, Shift_JIS, EUC-JP, "
      + "UTF-16 or Windows-1252; correct that line, or say `encoding` NAME"
  }

  private var summary: String { report?.rejectionSummary ?? "rows rejected" }

  /// The first record rejected for the most frequent reason.
  private var example: String {
    report?.rankedReasons.first.flatMap { report?.examples[$0.code] } ?? "see `onReject`"
  }

  /// Columns by the names that options take.
  private func list(_ columns: [String]) -> String {
    let shown = KnownNames.distinct(columns).prefix(40).map { name in
      name.isEmpty ? "\"\"" : name.unicodeScalars.count > 60 ? "\(name.prefix(60))…" : name
    }.joined(separator: ",")
    return columns.count > 40 ? "\(shown),… (\(columns.count))" : shown
  }
}
