import AnnotationImport
import AnnotationSources
import BusinessHours
import Geodesy
import MapAnnotations
import SystemCalls

/// The program's arguments, as text the parser takes for values.
///
/// The parser alone cannot take a value that begins with a minus sign in every position, nor a file name
/// that is not UTF-8.
enum ArgumentPreparation {
  /// Stands in for the minus sign of a value such as `-33.86`, which the parser would take for a
  /// flag.
  ///
  /// A private-use character: no one types it.
  fileprivate static let minus: Character = "\u{10F7FE}"
  /// Bytes that are not UTF-8 stand as private-use characters, this one plus the byte.
  private static let firstByte: UInt32 = 0x10F800

  /// The arguments as they were given, the program's name left out.
  static func arguments() -> [String] {
    var arguments: [String] = []
    for pointer in UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
    ).dropFirst() {
      guard let pointer else { break }
      arguments.append(text(of: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))))
    }
    return prepared(arguments)
  }

  /// Marks the values that look like flags, before any `--`: a `-` followed by a digit or a point,
  /// and the negative numbers that are none, so that they are refused as numbers.
  ///
  /// `--open`, the one option whose value may be left out, takes `now`, `arrival` or a time that stands right
  /// behind it, unless a file has that name: then the file is meant, and the value is `now`, as where nothing
  /// of the kind follows. `--open=now` and `./now` leave no question. It also takes words that can only be meant as a
  /// time, such as `8pm`, so that the error says that they are none.
  ///
  /// `--output=`, which is what a shell makes of `--output="$FILE"` if the variable is empty, becomes `--output` and
  /// an empty value: the parser would take the next argument for the value, and overwrite a source. It reads `-o=`
  /// correctly.
  ///
  /// `--help-all` is the parser's `--help-hidden`, which the parser's `help` does not take.
  static func prepared(
    _ arguments: [String], isFile: (String) -> Bool = { Files.exists(FileName(argument: $0)) }
  ) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var prepared: [String] = []
    var rest = arguments[..<end]
    if rest.contains("--help-all") { rest = rest.drop { $0 == "help" } }
    while let argument = rest.popFirst() {
      guard argument.utf8.first == UInt8(ascii: "-") else {
        prepared.append(argument)
        continue
      }
      if argument == "--open" {
        if let next = rest.first, isMoment(next) || resemblesMoment(rest.prefix(2)), !isFile(next) {
          prepared.append("--open=\(next)")
          rest.removeFirst()
        } else {
          prepared.append("--open=now")
        }
      } else if argument == "--help-all" {
        prepared.append("--help-hidden")
      } else if lacksValue(argument) {
        prepared += [String(argument.dropLast()), ""]
      } else {
        let isValue = isValue(argument.dropFirst())
        prepared.append(isValue ? String(minus) + argument.dropFirst() : argument)
      }
    }
    return prepared + arguments[end...]
  }

  /// Whether an argument is the long name of an option with `=` and nothing behind it.
  private static func lacksValue(_ argument: String) -> Bool {
    let name = argument.utf8.prefix { $0 != UInt8(ascii: "=") }
    return argument.hasPrefix("--") && name.count > 2 && name.count + 1 == argument.utf8.count
  }

  /// Whether a text is a value of `--open`: `now`, `arrival`, `14:00`, `2026-11-22`, `2026-11-22T14:00+09:00`.
  private static func isMoment(_ text: String) -> Bool {
    if ["now", "arrival"].contains(text.lowercased()) { return true }
    let digits = text.utf8.prefix(while: \.isASCIIDigit)
    guard text.utf8.allSatisfy({ "0123456789:-+.TtZz ".utf8.contains($0) }) else { return false }
    let next = text.utf8.dropFirst(digits.count).first
    return (1...2).contains(digits.count) && next == UInt8(ascii: ":")
      || digits.count == 4 && next == UInt8(ascii: "-")
  }

  /// Whether the first of some words has letters, and nothing that only names of files, addresses and positions have.
  private static func resemblesMoment(_ words: ArraySlice<String>) -> Bool {
    guard let word = words.first, !word.hasPrefix("-"), word.contains(where: \.isLetter),
      !word.utf8.contains(where: { "./,".utf8.contains($0) })
    else { return false }
    return [word, words.joined(separator: " ")].allSatisfy {
      (try? Coordinate(parsing: $0)) == nil
    }
  }

  /// Whether what follows a minus sign is a value and not the name of a flag.
  private static func isValue(_ text: Substring) -> Bool {
    guard let first = text.utf8.first else { return false }
    return first == UInt8(ascii: ".") || first.isASCIIDigit
      || ["inf", "infinity", "nan"].contains(text.lowercased())
  }

  /// A message with the arguments in it as they were typed; bytes that are not UTF-8 are `�`.
  static func restoredThroughout(_ message: String) -> String {
    let typed = message.map { character -> Character in
      if character == minus { return "-" }
      return character.unicodeScalars.contains(where: isByte) ? "\u{FFFD}" : character
    }
    return String(typed)
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
    (firstByte..<firstByte + 256).contains(scalar.value)
  }

  /// Refuses values of options that are not UTF-8, which would be stored or compared as other text.
  ///
  /// Names of files may have any bytes: of those that there are, and behind options that write one.
  ///
  /// - Parameter isFlag: Whether the argument at an index takes no value, so that a file may follow.
  static func checkEncoding(
    of arguments: [String], isFlag: (Int) -> Bool = { _ in false }
  ) throws(ReportedError) {
    for (place, argument) in arguments.prefix(while: { $0 != "--" }).enumerated()
    where argument.unicodeScalars.contains(where: isByte) {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let isWhole = argument.hasPrefix("--") && parts.count == 2
      let before = place > 0 ? arguments[place - 1] : ""
      let (option, value) = isWhole ? (parts[0], parts[1]) : (before, argument)
      guard option.hasPrefix("--"), !option.contains("="), !option.hasSuffix("rejects"),
        !["--output", "--store", "--style", "--data"].contains(option),
        !Files.exists(FileName(argument: value)), isWhole || !isFlag(place - 1)
      else { continue }
      throw ReportedError(
        "encoding",
        "\(option) \"\(value)\" is not UTF-8, and there is no file of that name; write it in UTF-8",
        fault: .usage)
    }
  }

  /// Bytes as text that `bytes(of:)` gives back unchanged.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    // Characters that stand for bytes are written as their own bytes.
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: isByte)
    {
      return text
    }
    var text = ""
    for byte in bytes {
      // A name with one wrong byte is unusual enough to give up on its other characters.
      let scalar = byte < 0x80 ? UInt32(byte) : firstByte + UInt32(byte)
      if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The bytes of a file name, as they were typed.
  static func bytes(of argument: String) -> [UInt8] {
    argument.asTyped.unicodeScalars.flatMap { scalar -> [UInt8] in
      isByte(scalar)
        ? [UInt8(scalar.value - firstByte)] : Array(String(scalar).utf8)
    }
  }
}

extension String {
  /// An argument as it was typed, but for bytes that are not UTF-8.
  var asTyped: String { first == ArgumentPreparation.minus ? "-" + dropFirst() : self }
}

extension FileName {
  init(argument: String) { self.init(bytes: ArgumentPreparation.bytes(of: argument)) }
}

// MARK: A position among the operands

/// A position among the operands, as people copy it: `37.57,126.97`, or `37°34'12"N 126°58'12"E` in one word
/// or two.
enum PositionOperand {
  /// Takes the position out of some operands; nil where none is one.
  ///
  /// An operand that names a file is that file, whatever it is called.
  ///
  /// - Throws: For two positions, for one that is not on the Earth, and for what was meant for one and is none:
  ///   a link to a map, or a text with a comma or a mark for degrees and nothing but what positions are made of.
  static func take(from operands: inout [String]) throws(ReportedError) -> Coordinate? {
    var found: (position: Coordinate, text: String)?
    var sources: [String] = []
    var rest = operands[...]
    while let word = rest.popFirst() {
      var text = word.asTyped
      // `37,57 126,97`: each is read as a position, though the second is on no map.
      let pair = [found?.text ?? "", text].map { $0.replacing(",", with: ".") }
      let areDecimal = text.contains(",") && pair.allSatisfy { finiteNumber($0) != nil }
      var position = try areDecimal && !isFile(word) ? found?.position : position(text, word)
      if position == nil, !text.isEmpty, let next = rest.first, !next.isEmpty {
        let both = "\(text) \(next.asTyped)"
        position = try self.position(both, word, next)
        if position != nil {
          rest.removeFirst()
          text = both
        }
      }
      guard let position else {
        try refuseMistaken(text, word)
        sources.append(word)
        continue
      }
      if let found {
        throw ReportedError(
          "position-twice",
          "\(found.text) and \(text) are both positions; give only one"
            + (areDecimal ? ", with decimal points: \(pair[0]),\(pair[1])" : ""), fault: .usage)
      }
      found = (position, text)
    }
    operands = sources
    return found?.position
  }

  /// The position that a text says; nil where it says none, or one of its words names a file.
  private static func position(
    _ text: String, _ words: String...
  ) throws(ReportedError) -> Coordinate? {
    if words.contains(where: isFile) { return nil }
    do throws(CoordinateError) {
      return try Coordinate(parsing: text)
    } catch .notAPosition {
      return nil
    } catch {
      throw ReportedError(error, fault: .usage)
    }
  }

  private static func isFile(_ word: String) -> Bool { Files.exists(FileName(argument: word)) }

  /// Says what is wrong with a text that nobody would call a file, where there is none of that name.
  private static func refuseMistaken(_ text: String, _ word: String) throws(ReportedError) {
    let scalars = text.unicodeScalars
    let resembles =
      MapLink(text)?.isToMap == true
      && (text.contains("://") || InputFormat(nameEndingIn: text) == nil)
      || scalars.count(where: \.isASCIIDigit) >= 2
        && scalars.contains(where: { ",°º˚".unicodeScalars.contains($0) })
        && scalars.allSatisfy({
          "0123456789 .,;:+-−°º˚'′’\"″”NSEWnsew".unicodeScalars.contains($0)
        })
    guard resembles, !isFile(word) else { return }
    throw ReportedError(CoordinateError.notAPosition(text), fault: .usage)
  }
}

// MARK: Values

// Text from the command line as numbers, distances, positions and boxes. Whatever is wrong names
// the value and what to write instead.

/// A finite decimal number, with a dot, in any locale: one coordinate, perhaps with full-width digits, blanks or
/// invisible marks from where it was copied; nothing else.
///
/// - Parameter remedy: What to write instead of no number, unless that is degrees.
func parseNumber(_ text: String, remedy: String? = nil) throws(ReportedError) -> Double {
  let text = text.asTyped
  if let number = finiteNumber(text) ?? finiteNumber(trimmed(text.plainSigns)) { return number }
  let error = CoordinateError.notANumber(text)
  guard let remedy, !text.contains(",") else { throw ReportedError(error, fault: .usage) }
  throw ReportedError(error.code, "\"\(text)\" is not a number; \(remedy)", fault: .usage)
}

/// Refuses the number of an option that is outside a range.
///
/// - Parameter remedy: What to do about it.
func requireNumber(
  _ number: Int, in range: ClosedRange<Int>, option: String, code: String = "bad-count",
  _ remedy: String = "write a number in that range"
) throws(ReportedError) {
  guard !range.contains(number) else { return }
  throw ReportedError(
    code, "\(option) \(number) is outside \(range.lowerBound)…\(range.upperBound); \(remedy)",
    fault: .usage)
}

/// Refuses the count of an option that is below 1.
func requireCount(_ count: Int?, option: String) throws(ReportedError) {
  guard let count, count < 1 else { return }
  throw ReportedError("bad-count", "\(option) \(count) must be at least 1", fault: .usage)
}

/// Refuses options that say more about another one, which is not given.
///
/// - Parameter options: The names of such options, and whether they are given.
func refuse(
  _ options: KeyValuePairs<String, Bool>, without other: String
) throws(ReportedError) {
  guard let name = options.first(where: { $0.value })?.key else { return }
  throw ReportedError(
    "missing-" + other.drop { $0 == "-" }, "\(name) says more about \(other); give that too",
    fault: .usage)
}

/// A latitude and a longitude as two options give them.
func parsePosition(latitude: String, longitude: String) throws(ReportedError) -> Coordinate {
  let degrees = (try parseNumber(latitude), try parseNumber(longitude))
  do throws(CoordinateError) {
    return try Coordinate(latitude: degrees.0, longitude: degrees.1)
  } catch .looksSwapped {
    let (latitude, longitude) = (latitude.asTyped, longitude.asTyped)
    throw ReportedError(
      "lat-lon-swapped",
      """
      latitude \(latitude) is outside -90…90; these look swapped. \
      Try --lat \(longitude) --lon \(latitude)
      """, fault: .usage)
  } catch {
    throw ReportedError(error, fault: .usage)
  }
}

/// What `--lat` and `--lon` say; nil where neither is given.
func parsePosition(
  _ latitude: String?, _ longitude: String?
) throws(ReportedError) -> Coordinate? {
  switch (latitude, longitude) {
  case (nil, nil): return nil
  case (let latitude?, let longitude?):
    return try parsePosition(latitude: latitude, longitude: longitude)
  default:
    let (given, other, axis) =
      latitude == nil ? ("--lon", "--lat", "latitude") : ("--lat", "--lon", "longitude")
    let text = (latitude ?? longitude ?? "").asTyped
    let isWhole = (try? Coordinate(parsing: text)) != nil
    let why = isWhole ? "has a \(axis), which \(other) takes" : "is given but \(other) is not"
    throw ReportedError("missing-position", "\(given) \(why); give both", fault: .usage)
  }
}

/// A length with its unit (`300m`, `2km`, `1.5mi`); a bare number is meters.
func parseDistance(_ text: String, option: String) throws(ReportedError) -> Distance {
  try Distance(text: text.asTyped, named: option)
}

/// A length of time in seconds, as `WrittenMeasure` reads it.
///
/// - Parameter needsUnit: Whether a bare number is refused, because people might mean minutes.
func parseSeconds(
  _ text: String, option: String, needsUnit: Bool = false
) throws(ReportedError) -> Double {
  try WrittenMeasure.seconds(text.asTyped, named: option, needsUnit: needsUnit)
}

/// A speed in meters a second, as `WrittenMeasure` reads it; it needs a unit, because people might mean km/h.
func parseSpeed(_ text: String, option: String) throws(ReportedError) -> Double {
  try WrittenMeasure.speed(text.asTyped, named: option, bare: nil)
}

/// The instant that an option names, as `WrittenMoment` reads it.
func parseInstant(
  _ text: String, option: String, setting: HoursSetting, now: Instant
) throws(ReportedError) -> Instant {
  try WrittenMoment(text.asTyped, named: option, now: now).instant(by: setting)
}

/// The address of a server, percent-encoded, without slashes at its end, and its scheme in lowercase.
///
/// - Parameter takesQuery: Whether it may have a `?`; otherwise paths are appended to it.
func parseServerAddress(
  _ text: String, option: String, takesQuery: Bool = false
) throws(ReportedError) -> String {
  let text = text.asTyped
  let marks = takesQuery ? "#<>\"" : "?#<>\""
  let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
  let server = parts.last?.prefix { !"/?".contains($0) } ?? ""
  // Behind its name, or the brackets of an IPv6 address.
  let ports = server[(server.lastIndex(of: "]") ?? server.startIndex)...]
    .split(separator: ":", omittingEmptySubsequences: false).dropFirst()
  guard parts.count == 2, case let scheme = parts[0].lowercased(),
    ["http", "https"].contains(scheme), let first = parts[1].first, !"/:?".contains(first),
    text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !marks.utf8.contains($0) }),
    !server.contains("@"), ports.count < 2,
    ports.allSatisfy({ (1...65_535).contains(wholeNumber(String($0)) ?? 0) })
  else {
    let remedy =
      server.contains("@")
      ? "leave out the user and password"
      : "write https://example.org, perhaps with a port and a path, and nothing behind it"
    throw ReportedError(
      "bad-address", "\(option) \"\(text)\" is not the address of a server; \(remedy)",
      fault: .usage)
  }
  let encoded = String(parts[1]).percentEncoded(keeping: "!$%&'()*+,-./:;=?@[]_~")
  var address = "\(scheme)://\(encoded)"
  while address.last == "/" { address.removeLast() }
  return address
}

/// A box as `west,south,east,north`.
func parseBox(_ text: String) throws(ReportedError) -> BoundingBox {
  let text = text.asTyped
  return try ReportedError.wrapping(.usage) { () throws(CoordinateError) in
    try BoundingBox(text: text)
  }
}

/// A count of bytes, as `WrittenMeasure` reads it.
///
/// - Parameter code: The code of the error where it is none.
func parseByteCount(
  _ text: String, option: String, code: String = "bad-limit"
) throws(ReportedError) -> Int {
  let text = text.asTyped
  guard let count = WrittenMeasure.bytes(text) else {
    throw ReportedError(
      code, "\(option) \(text) is not a size of 1 byte or more; write 500000, 500k, 20M or 8G",
      fault: .usage)
  }
  return count
}

/// How many results: a whole number of at least 1, or `all`.
func parseLimit(
  _ text: String, option: String = "-k", code: String = "bad-k"
) throws(ReportedError) -> Int {
  let text = text.asTyped
  if text == "all" { return .max }
  guard let limit = wholeNumber(text) ?? Int(text) else {
    throw ReportedError(
      code, "\(option) \(text) is not a whole number; write a number of at least 1, or all",
      fault: .usage)
  }
  guard limit >= 1 else {
    throw ReportedError(
      code,
      "\(option == "-k" ? "k" : option) must be at least 1, not \(limit); write \(option) 3, or "
        + "\(option) all", fault: .usage)
  }
  return limit
}

// Options that take one of a few words are text to the parser: a type for each would have to be
// looked up at every start, which takes longer than the answer.

/// One of the words that an option knows.
func parseWord<Word: RawRepresentable & CaseIterable>(
  _ text: String, option: String
) throws(ReportedError) -> Word where Word.RawValue == String {
  if let word = Word(rawValue: text.lowercased()) { return word }
  let known = Word.allCases.map(\.rawValue)
  throw ReportedError(
    "bad-" + option.drop { $0 == "-" },
    """
    \(option) "\(text.asTyped)" is not known; \
    use \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")
    """, fault: .usage)
}

/// What `--region` names: a preset, a box, or the polygons of a GeoJSON file.
func parseRegion(_ text: String) throws(ReportedError) -> Region {
  let text = text.asTyped
  if let preset = Region(named: text) { return preset }
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  if parts.count == 4, parts.allSatisfy({ Double(trimmed($0)) != nil }) {
    return Region(name: text, boxes: [try parseBox(text)])
  }
  guard let file = regionFile(text) else {
    let names = Region.presets.map(\.name).joined(separator: ", ")
    throw ReportedError(
      "unknown-region",
      "\(text) is neither a region (\(names)) nor a box W,S,E,N nor a file; "
        + (SimilarNames.question(like: FileName(argument: text)) ?? "give one of them"),
      fault: .usage)
  }
  return Region(
    name: file.text, polygons: try AreaFile.polygons(of: file, remark: Console.remark))
}

/// The file that `--region` names, if it names neither a preset nor a box and there is one.
func regionFile(_ text: String) -> FileName? {
  let file = FileName(argument: text)
  return Region(named: text.asTyped) == nil && Files.exists(file) ? file : nil
}
