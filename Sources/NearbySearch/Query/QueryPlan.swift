import Geodesy
import MapAnnotations
import SpatialIndexing

/// How a query is answered: which search finds candidates, and what is left to test on each.
///
///     let plan = QueryPlan(query)
///     print(plan)   // nearest first, within 50 m, of kind mart, asking each: rating >= 4.5
///
/// Tests joined by `and` are taken out of the condition if a search does them: `kind = …` and
/// `kind in (…)` become categories of the tree, `distance < …` limits of the search, `id = …` and
/// `id in (…)` lookups. What a search does exactly is not tested again.
public struct QueryPlan: Hashable, Sendable {
  /// The search that finds the annotations that may match.
  public enum Search: Hashable, Sendable {
    /// A lookup of the annotations with these ids.
    case lookup(Set<AnnotationID>)
    /// A lookup of the annotations whose ids are one of these decimal numbers, however they write it.
    case lookupNumbers([String])
    /// A walk through the tree, nearest first, until there are enough results.
    case nearest
    /// A search in a box or in polygons.
    case area
    /// A test of all annotations.
    case scan
  }

  /// The search that finds the annotations that may match.
  public let search: Search
  /// Only annotations of these kinds are found; nil for all.
  public let kinds: Set<AnnotationKind>?
  /// Only annotations at these distances are found.
  public let distances: DistanceRange
  /// What is left to test on each annotation found; nil for nothing.
  public let condition: Condition?
  /// Whether each annotation found is tested for the area, because the search is not one in the area.
  public let testsArea: Bool

  /// Plans a query.
  ///
  /// - Complexity: O(size of the condition).
  public init(_ query: NearbyQuery) { self.init(query) { _ in nil } }

  /// Plans a query of annotations that are in an index.
  ///
  /// - Parameter count: Returns how many of them are in an area; nil where counting takes long.
  init(_ query: NearbyQuery, count: (QueryArea) -> Int?) {
    var parts = Parts(
      kinds: query.kinds, distances: query.distances, measures: query.origin != nil)
    if let condition = query.condition { parts.take(condition) }
    kinds = parts.kinds
    distances = parts.distances
    // Ids are looked up as texts or as numbers, not both: the numbers are then tested on what was found.
    if parts.ids != nil, let numbers = parts.numbers {
      parts.rest.append(.isID(amongNumbers: numbers))
    }
    condition = parts.rest.count > 1 ? .all(parts.rest) : parts.rest.first
    if let ids = parts.ids {
      search = .lookup(ids)
    } else if let numbers = parts.numbers {
      search = .lookupNumbers(numbers)
    } else if query.area != .everywhere {
      search = query.isSoonMet(count) ? .nearest : .area
    } else {
      search = query.origin == nil ? .scan : .nearest
    }
    testsArea = search == .nearest && query.area != .everywhere
  }

  /// The parts of a condition that must all be true.
  private struct Parts {
    var kinds: Set<AnnotationKind>?
    var distances: DistanceRange
    /// Whether there is an origin to measure from.
    let measures: Bool
    var ids: Set<AnnotationID>?
    var numbers: [String]?
    var rest: [Condition] = []

    mutating func take(_ test: Condition) {
      if case .all(let members) = test {
        for member in members { take(member) }
      } else if let named = test.kinds {
        kinds = kinds?.intersection(named) ?? named
      } else if let named = test.ids {
        ids = ids?.intersection(named) ?? named
      } else if measures, let limits = test.distances {
        distances = distances.intersection(limits)
      } else if numbers == nil, let named = test.idNumbers {
        numbers = named
      } else {
        rest.append(test)
      }
    }
  }
}

extension QueryPlan: CustomStringConvertible {
  /// The plan in one line.
  public var description: String {
    var parts: [String] = []
    func lookUp(_ ids: [String]) {
      parts.append(
        "look up id \(ids.prefix(5).joined(separator: ", "))"
          + (ids.count > 5 ? " and \(ids.count - 5) more" : ""))
    }
    switch search {
    case .lookup(let ids): lookUp(ids.sorted().map(\.text))
    case .lookupNumbers(let numbers): lookUp(numbers)
    case .nearest: parts.append(testsArea ? "nearest first, in the area" : "nearest first")
    case .area: parts.append("what lies in the area")
    case .scan: parts.append("ask all")
    }
    // Rounded to a micrometer: to a reader, the last binary number before 50 is 50.
    func said(_ distance: Distance) -> String {
      let meters = distance.meters
      return plainDecimal(abs(meters) < 1e9 ? (meters * 1e6).rounded() / 1e6 : meters)
    }
    if let beyond = distances.beyond { parts.append("beyond \(said(beyond)) m") }
    if distances.within < .infinity { parts.append("within \(said(distances.within)) m") }
    if let kinds {
      parts.append("of kind \(kinds.map(\.rawValue).sorted().joined(separator: ", "))")
    }
    if let condition { parts.append("asking each: \(condition)") }
    return parts.joined(separator: ", ")
  }
}

extension Condition {
  /// A test of whether an id is one of some numbers.
  static func isID(amongNumbers numbers: [String]) -> Condition {
    let literals = numbers.map { Literal.number($0) }
    return literals.count == 1
      ? .comparison(.field(.common(.id)), .equal, .literal(literals[0]))
      : .membership(.field(.common(.id)), literals)
  }

  /// The texts that a test compares a field with; nil where it is no such test, or also names other values.
  private func texts(equalTo wanted: Field) -> [String]? {
    switch self {
    case .comparison(.field(let field), .equal, .literal(.text(let text))),
      .comparison(.literal(.text(let text)), .equal, .field(let field)):
      return field == wanted ? [text] : nil
    case .membership(.field(let field), let literals) where field == wanted:
      let texts = literals.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == literals.count ? texts : nil
    default: return nil
    }
  }

  /// The kinds that a test names, where it is true for exactly these.
  fileprivate var kinds: Set<AnnotationKind>? {
    guard let texts = texts(equalTo: .common(.kind)), !texts.contains(where: NullText.isNull) else {
      return nil
    }
    return Set(texts.lazy.map { AnnotationKind(rawValue: $0) })
  }

  /// The ids that a test names, where it is true for exactly these.
  ///
  /// Numbers are left out: `id = 7` is true for the ids `7`, `7.0` and `07`.
  fileprivate var ids: Set<AnnotationID>? {
    guard let texts = texts(equalTo: .common(.id)), !texts.contains("") else { return nil }
    // Texts are equal if they are canonically equivalent, ids only if their bytes are equal.
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return Set(texts.lazy.map { AnnotationID($0) })
  }

  /// The numbers that a test compares ids with, where it is true for exactly the ids that equal one of them.
  ///
  /// `id = 7` is true for the ids `7`, `7.0` and `07`.
  fileprivate var idNumbers: [String]? {
    let literals: [Literal]
    switch self {
    case .comparison(.field(let field), .equal, .literal(let literal)) where field == .common(.id),
      .comparison(.literal(let literal), .equal, .field(let field)) where field == .common(.id):
      literals = [literal]
    case .membership(.field(let field), let members) where field == .common(.id): literals = members
    default: return nil
    }
    var numbers: [String] = []
    for literal in literals {
      // A number that no id can have is better tested on each annotation.
      guard case .number(let text) = literal, DecimalNumber(text)?.canonicalIDs != nil else {
        return nil
      }
      numbers.append(text)
    }
    return numbers.isEmpty ? nil : numbers
  }

  /// The distances for which a test is true, and no others; nil for other kinds of tests.
  fileprivate var distances: DistanceRange? {
    switch self {
    case .comparison(.field(let field), let comparison, .literal(.number(let limit)))
    where field == .common(.distance):
      return NearestBinary(limit)?.distances(comparison)
    case .comparison(.literal(.number(let limit)), let comparison, .field(let field))
    where field == .common(.distance):
      return NearestBinary(limit)?.distances(comparison.mirrored)
    case .range(.field(let field), .literal(.number(let low)), .literal(.number(let high)))
    where field == .common(.distance):
      guard let above = NearestBinary(low)?.distances(.atLeast),
        let below = NearestBinary(high)?.distances(.atMost)
      else { return nil }
      return above.intersection(below)
    default: return nil
    }
  }
}

extension NearestBinary {
  /// The distances for which a comparison with the number is true; nil where no range expresses them.
  ///
  /// A condition compares decimals and a range binary numbers, which have the same order (see `order(of:)`): only for
  /// the binary number nearest to the literal does it matter on which side of the literal it lies.
  fileprivate func distances(_ comparison: Condition.Comparison) -> DistanceRange? {
    guard double.isFinite else { return nil }
    let isIn = comparison.holds(tie)
    switch comparison {
    case .less, .atMost: return DistanceRange(within: .meters(isIn ? double : double.nextDown))
    case .greater, .atLeast:
      let beyond = isIn ? double.nextDown : double
      // No distance is below zero, so a range needs no limit there.
      return DistanceRange(beyond: beyond < 0 ? nil : .meters(beyond))
    case .equal:
      guard isIn else { return DistanceRange(within: .meters(-1)) }
      return DistanceRange(
        beyond: double > 0 ? .meters(double.nextDown) : nil, within: .meters(double))
    case .unequal: return nil
    }
  }
}
