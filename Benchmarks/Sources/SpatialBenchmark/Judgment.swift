/// Tells which answers are right: by a known sum, else by brute force; and whether engines of one
/// measure agree.
struct Judgment {
  let data: DataSet
  /// How many questions brute force answers: of many points, few, for it looks at each.
  private var bruteForceQueries: Int { data.count > 3_000_000 ? 100 : AnswerDigest.queryLimit }

  /// The answers of one engine to one operation.
  struct Answers {
    let operation: Operation
    let measure: Measure
    let digest: AnswerDigest
  }

  /// Returns a verdict for each, in their order.
  func verdicts(on answers: [Answers]) -> [Verdict] {
    let expected = expectedDigests(for: answers)
    return answers.map { verdict(on: $0, expected: expected, among: answers) }
  }

  private struct Key: Hashable {
    let operation: Operation
    let measure: Measure
  }

  private func key(_ answers: Answers) -> Key {
    Key(operation: answers.operation.judgedAs, measure: answers.measure)
  }

  private func knownSum(_ answers: Answers) -> UInt64? {
    // A known sum is over a thousand questions.
    guard answers.digest.sums.count == AnswerDigest.queryLimit else { return nil }
    return ReferenceSums.sum(
      row: answers.operation.judgedAs.rowName(answers.measure), measure: answers.measure,
      sha256: data.sha256)
  }

  private func expectedDigests(for answers: [Answers]) -> [Key: AnswerDigest] {
    var keys: Set<Key> = []
    for answers in answers where answers.measure != .geographic && knownSum(answers) == nil {
      keys.insert(key(answers))
    }
    var expected: [Key: AnswerDigest] = [:]
    for measure in Set(keys.map(\.measure)) {
      let operations = keys.filter { $0.measure == measure }.map(\.operation)
      let digests = BruteForce(data, measure: measure)
        .digests(of: operations, queries: min(bruteForceQueries, data.queryCount))
      for (operation, digest) in digests {
        expected[Key(operation: operation, measure: measure)] = digest
      }
    }
    return expected
  }

  private func verdict(
    on answers: Answers, expected: [Key: AnswerDigest], among all: [Answers]
  ) -> Verdict {
    if answers.measure == .geographic { return distanceFromGeodesic(answers, among: all) }
    if let sum = knownSum(answers) {
      return sum == answers.digest.total
        ? .right(by: "known sum")
        : .wrong("sum \(answers.digest.total.checksumText), not \(sum.checksumText)")
    }
    guard let judge = expected[key(answers)] else { return .unjudged }
    if let query = answers.digest.firstDifference(from: judge) {
      return .wrong("question \(query) is answered otherwise than by brute force")
    }
    // Beyond what brute force looked at, engines of one measure must agree.
    let others = all.filter { key($0) == key(answers) }.map(\.digest)
    if let other = others.first(where: { !$0.agrees(with: answers.digest) }),
      let query = answers.digest.firstDifference(from: other)
    {
      return .wrong("engines of this measure disagree at question \(query)")
    }
    return .right(by: "brute force, \(judge.sums.count) questions")
  }

  /// How far an approximation is from the index on WGS 84, if that took part.
  private func distanceFromGeodesic(_ answers: Answers, among all: [Answers]) -> Verdict {
    let exact = all.first {
      $0.measure == .wgs84 && $0.operation.judgedAs == answers.operation.judgedAs
    }
    guard let exact else { return .unjudged }
    let differences = answers.digest.differences(from: exact.digest)
    let count = min(answers.digest.sums.count, exact.digest.sums.count)
    return differences == 0
      ? .right(by: "agreement with WGS 84, \(count) questions")
      : .inexact(differences: differences, of: count)
  }
}
