import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing

extension ImportedAnnotations {
  /// What a person should know of the left rows of a join; nil if all are points.
  ///
  /// - Parameter file: Where they come from.
  /// - Complexity: O(1) if their source has only points, otherwise that of reading them again.
  package func remarkOnShapesJoinedAsPoints(from file: FileName) -> String? {
    let shapeCount = hasShapes ? count(where: { $0.geometry != nil }) : 0
    guard shapeCount > 0 else { return nil }
    return "warning: left-as-points: \(grouped(shapeCount)) of \(grouped(count, "record")) of "
      + "\(file.text) "
      + (shapeCount == 1
        ? "is a line, an area or several points, and is joined by one point of it"
        : "are lines, areas or several points, and each is joined by one point of it")
      + "; shapes are measured on the right side only"
  }
}

/// What answers a join: asks for some left rows at a time and writes what it finds.
package protocol JoinAnswering: Sendable {
  /// The rows of some left annotations as text, in their order.
  ///
  /// - Parameter writer: Has written nothing; nil where only the number of matches is wanted.
  /// - Returns: Texts to be written one behind another, and how many matches there are.
  func texts(
    of lefts: Slice<ImportedAnnotations>, _ writer: JoinWriter?
  ) async -> (texts: [[UInt8]], matches: Int)
}

/// Finds the nearest right annotations of left ones.
package struct JoinSearch: JoinAnswering {
  package let index: AnnotationIndex<ImportedAnnotations>
  /// nil where hours do not matter.
  package var hours: HoursIndex<ImportedAnnotations>?
  package var open: OpenCondition?
  package var limit = Int.max
  package var distances = DistanceRange()
  package var kinds: Set<AnnotationKind>?
  /// Whether a right annotation with the left one's id is no neighbor.
  package var excludesSelf = false

  package init(_ index: AnnotationIndex<ImportedAnnotations>) { self.index = index }

  package func texts(
    of lefts: Slice<ImportedAnnotations>, _ writer: JoinWriter?
  ) async -> (texts: [[UInt8]], matches: Int) {
    var rows: [Int] = []
    var origins: [Coordinate] = []
    for row in lefts.indices {
      guard let origin = lefts.base.coordinate(at: row) else { continue }
      rows.append(row)
      origins.append(origin)
    }
    // One more than wanted is mostly all that it takes to leave out itself.
    let wanted = excludesSelf && limit < .max ? limit + 1 : limit
    if hours == nil, distances.beyond == nil,
      let found = await index.nearestOffsets(wanted, toEach: origins, kinds: kinds)
    {
      return await texts(of: lefts.base, rows, origins, found, writer)
    }
    let answers = await mappedInSpatialOrder(origins) { [rows, origins] place in
      answer(to: lefts.base[rows[place]], at: origins[place])
    }
    let texts = await shares(of: rows.count) { [rows] part in
      var text = writer
      for place in part {
        text?.append(rows[place], neighbors(answers[place]))
      }
      return text?.bytes ?? []
    }
    return (texts, answers.reduce(0) { $0 + $1.count })
  }

  /// The rows of left annotations whose nearest are known, but for what is too far or is the left one
  /// itself.
  private func texts(
    of lefts: ImportedAnnotations, _ rows: [Int], _ origins: [Coordinate],
    _ found: NearestOffsets, _ writer: JoinWriter?
  ) async -> (texts: [[UInt8]], matches: Int) {
    let rights = index.annotations
    let parts = await shares(of: rows.count) { part in
      var text = writer
      var matches = 0
      var near: [(right: Int, meters: Double)] = []
      found.forEach(part) { place, offsets in
        let line = LineOrigin(origins[place])
        near.removeAll(keepingCapacity: true)
        for offset in offsets {
          guard let position = rights.coordinate(at: offset) else { continue }
          let meters = line.distance(to: position)
          if meters <= distances.within.meters { near.append((offset, meters)) }
        }
        if excludesSelf {
          let isFull = near.count > limit
          let id = lefts[rows[place]].id
          near.removeAll { rights[$0.right].id == id }
          // More than one was itself, and what comes behind them was not found.
          if isFull, near.count < limit {
            let others = answer(to: lefts[rows[place]], at: origins[place])
            matches += others.count
            text?.append(rows[place], neighbors(others))
            return
          }
          if near.count > limit { near.removeLast(near.count - limit) }
        }
        matches += near.count
        text?.append(rows[place], near)
      }
      return (text?.bytes ?? [], matches)
    }
    return (parts.map(\.0), parts.reduce(0) { $0 + $1.1 })
  }

  /// What an answer holds, as the writer takes it.
  private func neighbors(
    _ answer: NearbyAnswer<ImportedAnnotation>
  ) -> [(right: Int, meters: Double)] {
    zip(index.offsets(of: answer), answer).map { ($0, $1.distance.meters) }
  }

  /// The neighbors of one left annotation, found by themselves.
  private func answer(
    to left: ImportedAnnotation, at origin: Coordinate
  ) -> NearbyAnswer<ImportedAnnotation> {
    let id = excludesSelf ? left.id : nil
    if let hours, let open {
      return hours.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
        open: open, where: id.map { id in { $0.id != id } })
    }
    guard let id else {
      return index.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds)
    }
    return index.nearest(
      limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
      where: { $0.id != id })
  }

  /// Has several tasks each take a share of `count` things, and gives what they return in order.
  private func shares<Part: Sendable>(
    of count: Int, _ work: @escaping @Sendable (Range<Int>) -> Part
  ) async -> [Part] {
    // A share takes long beside a task, and there are enough that all cores end at about one time.
    let size = max(1, min(1 << 12, (count + 15) / 16))
    return await withTaskGroup(of: (Int, Part).self) { group in
      let starts = Array(stride(from: 0, to: count, by: size))
      for (number, start) in starts.enumerated() {
        group.addTask { (number, work(start..<min(start + size, count))) }
      }
      var parts = [Part?](repeating: nil, count: starts.count)
      for await (number, part) in group { parts[number] = part }
      return parts.compactMap(\.self)
    }
  }
}
