/// One of the operations whose instructions and allocations have limits.
struct HotOperation {
  let name: String
  /// How many calls of the package `run` makes; allocations are counted for each.
  let calls: Int
  /// How many questions they answer, or positions they take in; instructions are counted for each.
  let questions: Int
  /// Makes the calls and returns a sum over the answers.
  let run: (_ memory: inout AnswerMemory) -> UInt64

  init(
    _ name: String, calls: Int, questions: Int? = nil,
    _ run: @escaping (_ memory: inout AnswerMemory) -> UInt64
  ) {
    self.name = name
    self.calls = calls
    self.questions = questions ?? calls
    self.run = run
  }
}

/// Runs an operation; `.ci/instructions` has callgrind count from its first instruction to its last.
///
/// Not optimized, so that no specialized copy of another name is called instead.
@_silgen_name("hot_operation") @inline(never) @_optimize(none)
func runCounted(_ operation: HotOperation, _ memory: inout AnswerMemory) -> UInt64 {
  operation.run(&memory)
}
