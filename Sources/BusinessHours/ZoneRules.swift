import Geodesy

/// The UTC offsets of a zone at any instant, from its file in the IANA time zone database.
///
///     let seoul = try ZoneRules(tzif: bytes)   // of /usr/share/zoneinfo/Asia/Seoul
///     let setting = HoursSetting(utcOffset: seoul.utcOffset)
///
/// The package reads no files: the caller passes the bytes.
///
/// Source: RFC 9636, "The Time Zone Information Format (TZif)", versions 1 to 4. Leap seconds are
/// ignored, as on ordinary clocks.
public struct ZoneRules: Hashable, Sendable {
  /// The start of each offset, in seconds since 1970-01-01T00:00Z, ascending.
  private var starts: [Int64] = []
  /// The UTC offset from each start on, in seconds.
  private var offsets: [Int32] = []
  /// The UTC offset before the first start.
  private var first: Int32 = 0
  /// The rule after the last start.
  private var rule: ZoneRule?

  /// The maximum size of a file in bytes; files of the database have at most 4 KB.
  public static let maximumLength = 1 << 18

  /// Makes a clock with a fixed UTC offset in seconds.
  ///
  /// - Precondition: Less than a day.
  public init(fixed seconds: Int) {
    precondition(abs(seconds) < 86_400, "clocks \(seconds) seconds ahead of UTC")
    first = Int32(seconds)
  }

  /// Parses a file of the database.
  ///
  /// - Throws: ``ZoneError`` if the bytes are not such a file, are cut off, or describe an impossible clock.
  /// - Complexity: O(*n*) in the bytes, at most ``maximumLength``.
  public init(tzif bytes: some Collection<UInt8>) throws(ZoneError) {
    guard bytes.count <= Self.maximumLength else {
      throw ZoneError("\(bytes.count) bytes are not a zone file; the largest have 4 KB")
    }
    var reading = ZoneFileReading(Array(bytes))
    (starts, offsets, first) = try reading.transitions()
    rule = try reading.rule()
  }

  /// Parses the value of a `TZ` variable, such as `KST-9` or `CET-1CEST,M3.5.0,M10.5.0/3`.
  ///
  /// - Throws: ``ZoneError`` if the text is invalid.
  public init(posix text: String) throws(ZoneError) {
    guard text.utf8.count < 256, let rule = ZoneRule(Array(text.utf8)) else {
      throw ZoneError("\"\(text.prefix(64))\" is no rule of clocks; write one as KST-9")
    }
    self.rule = rule
  }

  /// The UTC offset at an instant in seconds, positive east of Greenwich.
  ///
  /// - Complexity: O(log *n*) for *n* changes of the clocks.
  public func utcOffset(at instant: Instant) -> Int {
    let second = instant.seconds
    guard let last = starts.last, second < last || rule == nil else {
      return rule?.utcOffset(at: second) ?? Int(first)
    }
    let low = starts.partitioningCount { $0 <= second }
    return Int(low == 0 ? first : offsets[low - 1])
  }
}

/// An error in the clock data of a zone.
public struct ZoneError: CodedError, Hashable {
  /// The code: `zone-data`.
  public let code = "zone-data"
  /// What is wrong, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The parts of a zone file.
private struct ZoneFileReading {
  private let bytes: [UInt8]
  private var place = 0
  /// The index where the rule text begins; nil in files of version 1.
  private var footer: Int?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private struct Header {
    let version: UInt8
    let indicators: Int
    let leapSeconds: Int
    let changes: Int
    let types: Int
    let nameCharacters: Int

    /// The length of the data behind the header, in bytes.
    func length(timeSize: Int) -> Int {
      changes * (timeSize + 1) + types * 6 + nameCharacters + leapSeconds * (timeSize + 4)
        + indicators
    }
  }

  private mutating func header() throws(ZoneError) -> Header {
    guard bytes.count - place >= 44, bytes[place..<place + 4].elementsEqual("TZif".utf8) else {
      throw ZoneError("the file does not begin as zone files do; take one of /usr/share/zoneinfo")
    }
    let version = bytes[place + 4]
    let counts = (0..<6).map { Int(number(place + 20 + 4 * $0, 4)) }
    place += 44
    guard counts.allSatisfy({ $0 <= bytes.count }) else { throw Self.isCut }
    return Header(
      version: version, indicators: counts[0] + counts[1], leapSeconds: counts[2],
      changes: counts[3], types: counts[4], nameCharacters: counts[5])
  }

  private static let isCut = ZoneError("the zone file is cut off; install the zone database again")

  private func number(_ start: Int, _ size: Int) -> Int64 {
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    // Numbers under 64 bits are counts, or the caller interprets their sign.
    return Int64(bitPattern: value)
  }

  mutating func transitions() throws(ZoneError) -> ([Int64], [Int32], Int32) {
    var header = try header()
    var timeSize = 4
    if header.version >= UInt8(ascii: "2") {
      guard bytes.count - place >= header.length(timeSize: 4) else { throw Self.isCut }
      place += header.length(timeSize: 4)
      header = try self.header()
      timeSize = 8
    }
    guard bytes.count - place >= header.length(timeSize: timeSize) else { throw Self.isCut }
    let (changes, types) = (header.changes, header.types)
    guard types > 0 else {
      throw ZoneError("the zone file has no clocks; install the database again")
    }
    let typesStart = place + changes * (timeSize + 1)
    var utcOffsets: [Int32] = []
    for type in 0..<types {
      let offset = Int32(truncatingIfNeeded: number(typesStart + 6 * type, 4))
      guard abs(Int(offset)) < 172_800 else {
        throw ZoneError("the zone file has a clock \(offset) s ahead; install the database again")
      }
      utcOffsets.append(offset)
    }
    var starts: [Int64] = []
    var offsets: [Int32] = []
    for change in 0..<changes {
      let raw = number(place + change * timeSize, timeSize)
      let start = timeSize == 4 ? Int64(Int32(truncatingIfNeeded: raw)) : raw
      let type = Int(bytes[place + changes * timeSize + change])
      guard type < types, starts.last.map({ $0 < start }) ?? true else {
        throw ZoneError("the zone file is not in order; install the database again")
      }
      starts.append(start)
      offsets.append(utcOffsets[type])
    }
    if timeSize == 8 { footer = place + header.length(timeSize: 8) }
    return (starts, offsets, utcOffsets[0])
  }

  /// The rule after the last change; nil if the file has none.
  func rule() throws(ZoneError) -> ZoneRule? {
    guard let footer, footer + 1 < bytes.count, bytes[footer] == UInt8(ascii: "\n") else {
      return nil
    }
    let text = bytes[(footer + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    if text.isEmpty { return nil }
    guard let rule = ZoneRule(Array(text)) else {
      throw ZoneError(
        "the zone file ends with \"\(String(decoding: text.prefix(64), as: UTF8.self))\"; "
          + "install the zone database again")
    }
    return rule
  }
}

/// The yearly clock changes of a zone, as in the POSIX `TZ` variable.
///
/// Source: IEEE Std 1003.1, chapter 8.3, with the hours of −167 to 167 that RFC 9636 allows.
struct ZoneRule: Hashable, Sendable {
  /// The standard UTC offset in seconds, positive east of Greenwich.
  private let standard: Int
  private let summer: Summer?

  /// Summer time: its offset, and its start and end in the local time before the change.
  private struct Summer: Hashable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// A day of the year and a time on it.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// The nth day of the year, from 1; 29 February is never counted.
      case julian(Int)
      /// Days after 1 January.
      case ordinal(Int)
      /// The nth weekday (0 is Sunday) of a month; the fifth is the last.
      case weekday(month: Int, nth: Int, weekday: Int)
    }
    let day: Day
    let seconds: Int

    /// The instant in a year if the clocks showed UTC.
    func seconds(in year: Int) -> Int64 {
      let newYear = CivilDay.number(year, 1, 1)
      let number: Int
      switch day {
      case .julian(let day):
        number = newYear + day - 1 + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0)
      case .ordinal(let days): number = newYear + days
      case .weekday(let month, let nth, let weekday):
        let monday = (weekday + 6) % 7
        number =
          CivilDay.nthWeekday(nth == 5 ? -1 : nth, monday, year, month) ?? newYear
      }
      return Int64(number) * 86_400 + Int64(seconds)
    }
  }

  /// Parses a rule; nil if it is invalid.
  init?(_ text: [UInt8]) {
    var reading = Reading(rest: text[...])
    guard reading.name(), let standard = reading.time(limit: 24) else { return nil }
    self.standard = -standard
    guard !reading.rest.isEmpty else {
      summer = nil
      return
    }
    guard reading.name() else { return nil }
    var offset = self.standard + 3600
    if reading.rest.first != UInt8(ascii: ","), !reading.rest.isEmpty {
      guard let time = reading.time(limit: 24) else { return nil }
      offset = -time
    }
    guard reading.rest.take(","), let start = reading.change(), reading.rest.take(","),
      let end = reading.change(), reading.rest.isEmpty
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  func utcOffset(at second: Int64) -> Int {
    guard let summer else { return standard }
    // Days and weekdays repeat after 400 years; the remainder keeps any `Int64` from overflowing.
    let instant = second % (146_097 * 86_400)
    let year = CivilDay.parts(LocalTime(seconds: instant + Int64(standard)).day).year
    let start = summer.start.seconds(in: year) - Int64(standard)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    let isSummer =
      start < end ? instant >= start && instant < end : instant >= start || instant < end
    return isSummer ? summer.offset : standard
  }

  /// A parser that reads the text from left to right.
  private struct Reading {
    var rest: ArraySlice<UInt8>

    /// Reads letters, or anything in angle brackets.
    mutating func name() -> Bool {
      if rest.take("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return rest.take(">")
      }
      let letters = rest.prefix(while: \.isASCIILetter)
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      rest.takeNumber(1...4).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Reads `[+-]h[:m[:s]]`, in seconds.
    mutating func time(limit: Int) -> Int? {
      let isNegative = rest.take("-")
      if !isNegative { _ = rest.take("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where rest.take(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      let day: Change.Day
      if rest.take("J") {
        guard let number = number(1...365) else { return nil }
        day = .julian(number)
      } else if rest.take("M") {
        guard let month = number(1...12), rest.take("."), let nth = number(1...5), rest.take("."),
          let weekday = number(0...6)
        else { return nil }
        day = .weekday(month: month, nth: nth, weekday: weekday)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .ordinal(number)
      }
      guard rest.take("/") else { return Change(day: day, seconds: 7200) }
      guard let seconds = time(limit: 167) else { return nil }
      return Change(day: day, seconds: seconds)
    }
  }
}
