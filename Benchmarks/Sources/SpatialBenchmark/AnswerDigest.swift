/// What is kept of answers to compare them: for each question a sum over its ids that depends
/// neither on their order nor on which of several points at one place was taken.
struct AnswerDigest: Equatable {
  /// One sum a question, of the first thousand at most.
  private(set) var sums: [UInt64] = []

  /// How many questions are kept.
  static let queryLimit = 1_000

  mutating func append(_ ids: UnsafeBufferPointer<UInt32>, of data: DataSet) {
    let query = UInt64(sums.count)
    sums.append(
      ids.reduce(0) { $0 &+ mixed(query << 32 | UInt64(data.canonical[Int($1)])) })
  }

  /// The sum over all questions that the known sums are written in.
  var total: UInt64 { sums.reduce(0, &+) }

  /// Equal for two digests as far as the shorter reaches.
  func agrees(with other: AnswerDigest) -> Bool { differences(from: other) == 0 }

  /// How many questions both have and answer differently.
  func differences(from other: AnswerDigest) -> Int {
    zip(sums, other.sums).count { $0 != $1 }
  }

  /// The first question that is answered differently.
  func firstDifference(from other: AnswerDigest) -> Int? {
    zip(sums, other.sums).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }
}

extension UInt64 {
  /// Sixteen digits, as sums are written.
  var checksumText: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The finalizer of SplitMix64.
private func mixed(_ value: UInt64) -> UInt64 {
  var x = value &+ 0x9E37_79B9_7F4A_7C15
  x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
  x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
  return x ^ (x >> 31)
}
