import AnnotationImport
import AnnotationSources
import Geodesy
import MapAnnotations

/// What is said on standard error of kinds that were asked for and no annotation is of: mostly
/// somebody mistyped one.
enum KindRemarks {
  /// Looks for the kinds among the results first, and through all annotations only for those that
  /// are not there.
  ///
  /// - Parameters:
  ///   - names: As `--kind` has them.
  ///   - known: Kinds of annotations that were not fetched.
  /// - Complexity: O(results), where each kind has one; O(*n*) for a kind that nothing is of.
  static func say(
    _ names: [String], shown: some Sequence<AnnotationKind?>,
    among annotations: some Sequence<ImportedAnnotation>, known: [AnnotationKind] = []
  ) {
    var missing = Set(names.map { AnnotationKind(rawValue: ArgumentPreparation.restored($0)) })
    missing.subtract(known)
    for case let kind? in shown {
      guard !missing.isEmpty else { break }
      missing.remove(kind)
    }
    guard !missing.isEmpty else { return }
    var kinds = Set(known)
    for annotation in annotations {
      guard let kind = annotation.kind, kinds.insert(kind).inserted else { continue }
      missing.remove(kind)
      if missing.isEmpty { return }
    }
    let names = kinds.map(\.rawValue).sorted()
    for name in missing.map(\.rawValue).sorted() {
      Console.remark(
        "warning: kind-unknown: no annotation is of kind \"\(name)\"; \(remedy(for: name, names))")
    }
  }

  /// At most so many kinds are listed.
  private static var mostListed: Int { 8 }

  private static func remedy(for name: String, _ known: [String]) -> String {
    guard !known.isEmpty else { return "none has a kind" }
    let parts = name.split(separator: ",").map { trimmed($0) }
    if parts.count > 1, parts.contains(where: { known.contains($0) }) {
      return "repeat --kind for several"
    }
    let similar = SimilarNames.words(like: name, among: known)
    if !similar.isEmpty { return "did you mean \(similar.joined(separator: " or "))?" }
    let rest = known.count - mostListed
    return "known kinds: " + known.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(grouped(rest)) more" : "")
  }
}
