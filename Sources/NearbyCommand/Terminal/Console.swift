import AnnotationImport
import AnnotationSources
import Geodesy
import SystemCalls
import TextMaps

#if Store
  import SourceFetching
#endif

private func systemExit(_ status: Int32) -> Never { exit(status) }

/// The terminal: results to standard output, everything else to standard error.
enum Console {
  /// Makes a closed pipe, and a file that grows past its limit, errors of `write` and not signals.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  /// Whether a terminal shows what is written to a file; nil and `-` stand for standard output.
  static func showsOnTerminal(_ file: FileName?) -> Bool {
    (file?.isStandardInput ?? true) && outputIsTerminal
  }

  /// Whether the terminal, if there is one, shows text and nothing else.
  static var isDumb: Bool { variable("TERM") == "dumb" }
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1

  /// Writes results.
  static func write(_ bytes: [UInt8]) throws(ReportedError) {
    try Files.writeToStandardOutput(bytes)
  }

  /// Writes JSON that tells a person about data: what could command a terminal stands in it escaped, so
  /// that it means the same.
  static func write(report json: [UInt8]) throws(ReportedError) {
    var text = ""
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar == "\n" || TerminalText.sanitized(String(scalar)) == String(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u" + zeroPadded(scalar.value, 4, radix: 16)
      }
    }
    try write(text)
  }

  static func write(_ text: String) throws(ReportedError) { try write(Array(text.utf8)) }

  /// A line or more for the person, on standard error.
  ///
  /// What comes from data cannot command the terminal, and no password is told. When nobody can hear
  /// it, there is no one to tell.
  static func remark(_ text: String) {
    let text = worded(ArgumentPreparation.restoredThroughout(text))
    _ = Files.send(Array((safe(text) + "\n").utf8), to: STDERR_FILENO)
  }

  /// A message as the command line words it, without passwords.
  static func worded(_ text: String) -> String {
    let worded = OptionNames.asTyped(OptionNames.put(into: text))
    #if Store
      return Credentials.hidden(inSentence: worded)
    #else
      return worded
    #endif
  }

  /// Text whose lines hold nothing but what can be seen.
  static func safe(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.sanitized(String($0)) }.joined(separator: "\n")
  }

  /// Puts a text in place of the line that the terminal's cursor is on.
  static func overwrite(_ line: String) {
    _ = Files.send(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
  }

  static func exit(_ status: ExitStatus) -> Never { systemExit(status.rawValue) }

  static func fail(_ error: ReportedError) -> Never {
    if error.fault != .readerLeft { remark("error: \(error.code): \(error.description)") }
    exit(ExitStatus(error.fault))
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The file that a variable names, or one below the folder it names; nil when it is unset or
  /// empty.
  ///
  /// The name need not be UTF-8.
  static func file(variable name: String, _ path: String = "") -> FileName? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return FileName(
      bytes: Array(UnsafeRawBufferPointer(start: value, count: strlen(value))) + path.utf8)
  }

  /// How many columns a table may take: 80, so that a pipe gets the same bytes as a terminal, and
  /// fewer on a terminal that is narrower.
  ///
  /// `COLUMNS` overrules both.
  ///
  /// - Parameter onTerminal: Whether it goes to standard output, and that is a terminal.
  static func width(onTerminal: Bool = outputIsTerminal) -> Int {
    if let columns = variable("COLUMNS").flatMap(Int.init), columns > 0 { return columns }
    var size = winsize()
    guard onTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return 80 }
    return min(80, Int(size.ws_col))
  }

  /// Seconds of a clock that only runs forward; for progress, never for results.
  static var seconds: Double { clockSeconds(CLOCK_MONOTONIC) }

  /// The clock's time.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// The exit statuses of `sysexits.h` that the command uses.
enum ExitStatus: Int32 {
  case success = 0
  /// Nothing was found, and the caller asked to be told so.
  case empty = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  /// A server did not answer as it should.
  case unavailable = 69
  case cannotWrite = 73
  case inputOutput = 74

  /// How the program ends after a mistake.
  init(_ fault: ReportedError.Fault) {
    self =
      switch fault {
      case .usage: .usage
      case .badData: .badData
      case .noInput: .noInput
      case .unavailable: .unavailable
      case .cannotWrite: .cannotWrite
      case .inputOutput: .inputOutput
      // As `head`, which has seen enough.
      case .readerLeft: .success
      }
  }
}

#if CommandLine
  // MARK: Sources of a command, and what is said while they are read

  extension Source {
    /// The files that a command names; without any, the store that answers then, or none for the sample.
    static func files(
      _ files: [FileName], asksForSample: Bool
    ) throws(ReportedError) -> [FileName] {
      if asksForSample, let file = files.first {
        throw ReportedError(
          "sample-and-source", "--sample and \(file.text) are both given; give only one",
          fault: .usage)
      }
      return try files.isEmpty && !asksForSample ? storeFile().map { [$0] } ?? [] : files
    }

    /// The store that answers when no source is named: `$NEARBY_STORE`, which must be there, or the
    /// one in the data folder of the XDG base directory specification, if it is.
    static func storeFile() throws(ReportedError) -> FileName? {
      if let file = Console.file(variable: "NEARBY_STORE") {
        if file.isServerAddress { return file }
        guard Files.exists(file) else {
          throw ReportedError(
            "no-such-file",
            "NEARBY_STORE names \(file.text), which is not there; "
              + (SimilarNames.question(like: file) ?? "correct or unset it"),
            fault: .noInput)
        }
        ReadFiles.note(file)
        return file
      }
      return ["/nearby/store.gpkg", "/nearby/store.nbx"].lazy.compactMap(dataFile)
        .first { Files.exists($0) }
    }

    /// A file in the data folder of the XDG base directory specification.
    static func dataFile(_ path: String) -> FileName? {
      // The specification has relative names ignored.
      Console.file(variable: "XDG_DATA_HOME", path)
        .flatMap { $0.bytes.first == UInt8(ascii: "/") ? $0 : nil }
        ?? Console.file(variable: "HOME", "/.local/share" + path)
    }
  }

  extension SourceSurroundings {
    /// Remarks and progress on standard error, and the words of the command line.
    static func terminal(_ mode: ProgressReport.Mode) -> SourceSurroundings {
      var surroundings = SourceSurroundings()
      surroundings.remark = Console.remark
      surroundings.worded = { Console.worded($0) }
      surroundings.progress = { ProgressReport(mode: mode, name: $0) }
      surroundings.options = ReadingOptions.kept
      return surroundings
    }
  }

  extension ReadingOptions {
    /// How an index file had its sources read; nil where its words are no options.
    ///
    /// - Parameter regionArea: What the file held that `--region` named.
    fileprivate static func kept(
      _ words: [String], _ regionArea: [UInt8]?
    ) throws(ReportedError) -> (options: ImportOptions, format: InputFormat?)? {
      guard let reading = try? ReadingOptions.parse(words) else { return nil }
      var region = try reading.source.regionOfValidity()
      if let regionArea, let name = reading.source.region {
        region = Region(
          name: name,
          polygons: try AreaFile.polygons(
            in: regionArea, of: FileName(argument: name), remark: Console.remark))
      }
      let options = try reading.importOptions(in: region)
      guard case .imported(let format)? = try reading.source.format() else { return (options, nil) }
      return (options, format)
    }
  }

  extension ProgressReport {
    /// One on standard error.
    convenience init(mode: Mode, name: String) {
      self.init(
        mode: mode, name: name, isOnTerminal: Console.errorIsTerminal, clock: { Console.seconds },
        write: mode == .json ? { Console.remark($0) } : { Console.overwrite($0) },
        columns: { Console.width(onTerminal: true) })
    }
  }

  extension Today {
    /// By the machine's clock, and by its zone where a place's is not known.
    static var byTheMachine: Today { Today({ Console.now }) { try? Zones.ofTheMachine.system() } }
  }

  extension Zones {
    /// As the variables `TZDIR` and `TZ` have them.
    static var ofTheMachine: Zones {
      Zones(folder: Console.file(variable: "TZDIR"), variable: Console.variable("TZ"))
    }
  }
#endif
