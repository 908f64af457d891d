#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SourceFetching

  /// How patiently the web is asked.
  struct FetchingOptions: ParsableArguments {
    @Option(help: .usual("How long to wait for a connection (default: 10).", valueName: "seconds"))
    var connectTimeout: String?

    @Option(
      help: .usual("How long to wait for the whole answer (default: 120).", valueName: "seconds"))
    var timeout: String?

    @Option(
      help: .usual(
        """
        Receive at most this many bytes, redirects included, and unpack to at most as many: 500000, \
        20M or 2G (default: 1 GiB).
        """, valueName: "bytes"))
    var maxBytes: String?

    @Option(
      help: .usual(
        "Send this header, only to the address given; repeatable.", valueName: "name: value"))
    var header: [String] = []

    @Option(help: .usual("The User-Agent header to send.", valueName: "text"))
    var userAgent: String?

    func options() throws(ReportedError) -> FetchOptions {
      var options = FetchOptions()
      options.userAgent =
        try userAgent.map { (text) throws(ReportedError) in
          try FetchingOptions.fieldValue(text, option: "--user-agent", code: "bad-user-agent")
        } ?? "nearby/\(ProgramVersion.number)"
      if let connectTimeout {
        options.connectTimeout = try FetchingOptions.seconds(connectTimeout, "--connect-timeout")
      }
      if let timeout { options.totalTimeout = try FetchingOptions.seconds(timeout, "--timeout") }
      if let maxBytes {
        options.byteLimit = try parseByteCount(
          maxBytes, option: "--max-bytes", code: "bad-max-bytes")
      }
      for field in header {
        guard let colon = field.firstIndex(of: ":"),
          FetchOptions.isField(field[..<colon], field[colon...])
        else {
          // It may be a secret, so that it is not repeated.
          throw ReportedError(
            "bad-header", "a --header is not a header; write it as \"Accept: text/csv\"",
            fault: .usage)
        }
        let value = field[field.index(after: colon)...].drop { $0 == " " }
        options.headers.append((String(field[..<colon]), String(value)))
      }
      return options
    }

    /// A text that can be the value of a header field: a line break in it would begin another.
    static func fieldValue(
      _ text: String, option: String, code: String
    ) throws(ReportedError) -> String {
      guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
        throw ReportedError(
          code,
          "\(option) holds a line break or another control character; leave that out",
          fault: .usage)
      }
      return text
    }

    static func seconds(_ text: String, _ option: String) throws(ReportedError) -> Duration {
      let number = try parseSeconds(text, option: option)
      guard number > 0, number <= 86_400 else {
        throw ReportedError(
          "bad-duration", "\(option) \(text) is not between 0 and a day; write a time such as 30s",
          fault: .usage)
      }
      return .milliseconds(max(1, Int64(number * 1000)))
    }

    /// The world as the program has it.
    static func surroundings() -> FetchSurroundings {
      FetchSurroundings(
        now: { Console.now }, sleep: { try await Task.sleep(for: $0) },
        random: { UInt64.random(in: .min ... .max) },
        willRetry: { error, wait in
          Console.remark("\(error.description); trying again in \(wait.roughText)")
        })
    }
  }
#endif
