import Geodesy
import MapAnnotations

/// How a query is answered: which search finds what may match, and what is left to ask of each.
///
///     let plan = QueryPlan(query)
///     print(plan)   // search: nearest, within 50 m; kinds: mart; asked of each: rating >= 4.5
///
/// Tests that `and` joins are taken out of the condition where a search does them: `kind = …` and
/// `kind in (…)` become categories of the tree, `distance < …` limits of the walk, `id = …` and
/// `id in (…)` lookups. What a search does exactly is asked of nobody again.
public struct QueryPlan: Hashable, Sendable {
  /// What finds the annotations that may match.
  public enum Search: Hashable, Sendable {
    /// The annotations with these ids are fetched.
    case lookup(Set<AnnotationID>)
    /// A walk through the tree, the nearest first, until there are enough.
    case nearest
    /// What lies in a box or in polygons.
    case area
    /// All annotations are asked.
    case scan
  }

  /// What finds the annotations that may match.
  public let search: Search
  /// Only annotations of these kinds are found; nil for all.
  public let kinds: Set<AnnotationKind>?
  /// Only annotations at these distances are found.
  public let distances: DistanceRange
  /// What is left to ask of each that is found; nil for nothing.
  public let condition: Condition?

  /// Plans a query.
  ///
  /// - Complexity: O(size of the condition).
  public init(_ query: NearbyQuery) {
    var kinds = query.kinds
    var distances = query.distances
    var ids: Set<AnnotationID>?
    var rest: [Condition] = []
    for test in query.condition.map(QueryPlan.conjuncts) ?? [] {
      if let named = test.kinds {
        kinds = kinds?.intersection(named) ?? named
      } else if let named = test.ids {
        ids = ids?.intersection(named) ?? named
      } else {
        // The search limits by binary numbers, the condition compares decimal ones exactly.
        if query.origin != nil, let limits = test.distances {
          distances = distances.intersection(limits)
        }
        rest.append(test)
      }
    }
    self.kinds = kinds
    self.distances = distances
    condition = rest.count > 1 ? .all(rest) : rest.first
    if let ids {
      search = .lookup(ids)
    } else if query.area != .everywhere {
      search = .area
    } else {
      search = query.origin == nil ? .scan : .nearest
    }
  }

  /// The tests that must all be true.
  private static func conjuncts(_ condition: Condition) -> [Condition] {
    guard case .all(let members) = condition else { return [condition] }
    return members.flatMap(conjuncts)
  }
}

extension QueryPlan: CustomStringConvertible {
  /// The plan in a line.
  public var description: String {
    var parts: [String] = []
    switch search {
    case .lookup(let ids):
      let shown = ids.sorted().prefix(5).map(\.text).joined(separator: ", ")
      parts.append("look up id \(shown)" + (ids.count > 5 ? " and \(ids.count - 5) more" : ""))
    case .nearest: parts.append("nearest first")
    case .area: parts.append("what lies in the area")
    case .scan: parts.append("ask all")
    }
    if let beyond = distances.beyond { parts.append("beyond \(plainDecimal(beyond.meters)) m") }
    if distances.within < .infinity {
      parts.append("within \(plainDecimal(distances.within.meters)) m")
    }
    if let kinds {
      parts.append("of kind \(kinds.map(\.rawValue).sorted().joined(separator: ", "))")
    }
    if let condition { parts.append("asking each: \(condition)") }
    return parts.joined(separator: ", ")
  }
}

extension Condition {
  /// The operand and the texts of a test for equality with one of some texts; nil for any other test.
  private var texts: (field: Field, texts: [String])? {
    switch self {
    case .comparison(.field(let field), .equal, .literal(.text(let text))),
      .comparison(.literal(.text(let text)), .equal, .field(let field)):
      return (field, [text])
    case .membership(.field(let field), let literals):
      let texts = literals.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == literals.count ? (field, texts) : nil
    default: return nil
    }
  }

  /// The kinds that a test names, where it is true of these and of no others.
  fileprivate var kinds: Set<AnnotationKind>? {
    guard let (field, texts) = texts, field == .common(.kind),
      !texts.contains(where: NullText.isNull)
    else { return nil }
    return Set(texts.map { AnnotationKind(rawValue: $0) })
  }

  /// The ids that a test names, where it is true of these and of no others.
  ///
  /// Numbers are left: `id = 7` is true of the ids `7`, `7.0` and `07`.
  fileprivate var ids: Set<AnnotationID>? {
    guard let (field, texts) = texts, field == .common(.id), !texts.contains("") else { return nil }
    // Texts are equal where they look alike, ids only where their bytes are.
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return Set(texts.map { AnnotationID($0) })
  }

  /// Distances outside of which a test is not true.
  fileprivate var distances: DistanceRange? {
    func meters(_ operand: Operand) -> Double? {
      guard case .literal(.number(let text)) = operand, let number = Double(text), number.isFinite
      else { return nil }
      return number
    }
    func above(_ meters: Double) -> DistanceRange {
      DistanceRange(beyond: meters > 0 ? .meters(meters.nextDown.nextDown) : nil)
    }
    func below(_ meters: Double) -> DistanceRange {
      DistanceRange(within: .meters(meters.nextUp.nextUp))
    }
    let distance = Operand.field(.common(.distance))
    switch self {
    case .comparison(distance, let comparison, let limit):
      guard let limit = meters(limit) else { return nil }
      switch comparison {
      case .less, .atMost: return below(limit)
      case .greater, .atLeast: return above(limit)
      case .equal: return above(limit).intersection(below(limit))
      case .unequal: return nil
      }
    case .comparison(let limit, let comparison, distance):
      guard let limit = meters(limit) else { return nil }
      switch comparison {
      case .less, .atMost: return above(limit)
      case .greater, .atLeast: return below(limit)
      case .equal: return above(limit).intersection(below(limit))
      case .unequal: return nil
      }
    case .range(distance, let low, let high):
      guard let low = meters(low), let high = meters(high) else { return nil }
      return above(low).intersection(below(high))
    default: return nil
    }
  }
}
