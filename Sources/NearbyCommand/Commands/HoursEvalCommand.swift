#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import MapAnnotations

  /// `nearby hours eval`: JSON Lines in, JSON Lines out.
  struct HoursEvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "eval",
      abstract:
        "Evaluate opening_hours values from JSON Lines on standard input, one answer per line.",
      discussion: """
        {"id","value","from","to","tz","country"?,"region"?,"lat"?,"lon"?} with local times \
        yyyy-MM-ddTHH:mm gives {"id","intervals":[[start,end,state,comment?]…]}. A state is open or \
        unknown; all other times are closed. A value that cannot be read gives \
        {"id","error":{"code","message","column"}}, and the exit status is 65. A value that is not \
        to the letter is answered as it is read, with a warning on standard error.
        """)

    func run() throws {
      var failures = 0
      try Files.lines(of: FileName("-")) { (lines) throws(ReportedError) in
        var bytes: [UInt8] = []
        for (line, number) in lines where line.contains(where: { $0 > 0x20 }) {
          let row = HoursRow(line, zones: .ofTheMachine)
          do throws(ReportedError) {
            let answer = try row.answer { Console.remark("warning: hours: line \(number): \($0)") }
            bytes += PropertyValue.object(answer).jsonLine
          } catch {
            failures += 1
            bytes += PropertyValue.object(row.answer(to: error)).jsonLine
            Console.remark("error: \(error.code): line \(number): \(error.description)")
          }
          if bytes.count > OutputSink.chunk {
            try Console.write(bytes)
            bytes.removeAll(keepingCapacity: true)
          }
        }
        // Nobody is to wait for an answer until there are more.
        try Console.write(bytes)
      }
      if failures > 0 { Console.exit(.badData) }
    }
  }
#endif
