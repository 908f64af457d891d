#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Runs hot operations for `.ci/instructions`, which counts what they execute and allocate.
///
/// `hot-operations [NAME…]` prints of each `name,calls,questions,checksum`; of all without a name.
@main
struct HotOperations {
  static func main() {
    let names = CommandLine.arguments.dropFirst()
    let operations = HotOperation.all(in: World())
    for name in names where !operations.contains(where: { $0.name == name }) {
      let known = operations.map(\.name).joined(separator: ", ")
      let line = "Error: no operation is called \(name); there are \(known)\n"
      _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(64)
    }
    var memory = AnswerMemory()
    for operation in operations where names.isEmpty || names.contains(operation.name) {
      // The first run, which is not counted, brings the buffers to their size.
      let first = operation.run(&memory)
      let checksum = runCounted(operation, &memory)
      precondition(first == checksum, "\(operation.name) answers \(first), then \(checksum)")
      print(operation.name, operation.calls, operation.questions, checksum, separator: ",")
    }
  }
}
