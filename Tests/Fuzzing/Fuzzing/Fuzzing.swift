import CNearbyFuzzing

/// The readers under libFuzzer, which looks for bytes that end one of them: with a trap, a read beyond
/// its memory, more time or memory than it may take.
///
///     fuzzing READER [what libFuzzer takes: -max_total_time=60 -seed=1 FOLDER …]
///
/// Built by `.ci/night fuzzing`; whoever uses the package never sees it. With `list` it names the
/// readers.
@main
struct Fuzzing {
  nonisolated(unsafe) private static var reader: ([UInt8]) -> Void = { _ in }

  static func main() {
    let name = CommandLine.arguments.dropFirst().first ?? "list"
    guard let reader = Readers.all[name] else {
      print(Readers.all.keys.sorted().joined(separator: "\n"))
      return
    }
    self.reader = reader
    // The reader's name is not libFuzzer's.
    var count = CommandLine.argc - 1
    CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    _ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, length in
      Fuzzing.reader(Array(UnsafeBufferPointer(start: bytes, count: length)))
      return 0
    }
  }
}
