#if Server
  import GeoJSONCoding
  import Geodesy
  import Logging
  import MapAnnotations
  import SystemCalls

  /// Logs to standard error, with one JSON object per line.
  struct ServerLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      var members: Properties = [
        "time": .number(fixedDecimal(clockSeconds(CLOCK_REALTIME), decimals: 3)),
        "level": .string(event.level.rawValue), "message": .string("\(event.message)"),
      ]
      for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        .sorted(by: { $0.key < $1.key })
      {
        members.append(name, .string("\(value)"))
      }
      let line = PropertyValue.object(members).jsonLine
      // One call per line, so that lines of several threads do not mix.
      line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
    }
  }
#endif
