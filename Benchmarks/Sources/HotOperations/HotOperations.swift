/// Runs hot operations for `.ci/instructions`, which counts what they execute and allocate.
///
/// `hot-operations [NAME…]` prints of each `name,calls,questions,checksum`; of all without a name.
@main
struct HotOperations {
  static func main() {
    let names = CommandLine.arguments.dropFirst()
    let operations = HotOperation.all(in: World())
    for name in names where !operations.contains(where: { $0.name == name }) {
      fatalError("no operation \(name); there are \(operations.map(\.name))")
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
