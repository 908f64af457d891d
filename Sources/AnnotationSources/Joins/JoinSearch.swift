import AnnotationImport
import GeoJSONCoding
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
  ) async throws(CancellationError) -> (texts: [[UInt8]], matches: Int)
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
  ) async throws(CancellationError) -> (texts: [[UInt8]], matches: Int) {
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
    let answers = try await mappedInSpatialOrder(origins) { [rows, origins] place in
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

/// Finds the areas of RIGHT that hold left annotations.
///
/// On one core: two took five times as long, when asking an area still counted references. Not measured since
/// it counts none.
package struct AreaJoin: JoinAnswering {
  /// The offsets of the annotations that are areas, in the order of their ids, and these areas by the same numbers.
  package let offsets: [Int]
  package let index: AreaIndex
  /// Whether of several areas the smallest alone counts.
  package let isSmallest: Bool

  /// - Parameters:
  ///   - rights: Their polygons are the areas.
  ///   - kinds: Only areas of these kinds; nil for all.
  ///   - isStrict: Whether a polygon that cannot be one ends the program, and not only the area's part.
  ///   - file: Where they come from, for messages.
  ///   - remark: Takes what a person should know.
  /// - Throws: Where there is no area at all.
  package init(
    _ rights: ImportedAnnotations, kinds: Set<AnnotationKind>?, isSmallest: Bool,
    isStrict: Bool, file: FileName, remark: (String) -> Void
  ) throws(ReportedError) {
    var found: [(id: AnnotationID, offset: Int, area: MultiPolygon)] = []
    var others = 0
    var hasAreas = false
    for (offset, annotation) in rights.enumerated() {
      guard let parts = annotation.geometry?.wrapped.areas, !parts.isEmpty else {
        others += 1
        continue
      }
      hasAreas = true
      if let kinds, !(annotation.kind.map(kinds.contains) ?? false) { continue }
      var polygons: [Polygon] = []
      let place = "\(file.text): area \(annotation.id.text)"
      for rings in parts {
        do throws(ReportedError) {
          if let polygon = try AreaFile.polygon(rings, of: place) { polygons.append(polygon) }
        } catch {
          guard !isStrict else { throw error }
          remark("warning: \(error.code): \(error.description); left out")
        }
      }
      found.append((annotation.id, offset, MultiPolygon(polygons)))
    }
    guard hasAreas else {
      throw ReportedError(
        "area-empty",
        "\(file.text) holds no polygon, so nothing can be inside; give the areas second, as GeoJSON, or leave out `inside` to find the nearest",
        fault: .badData)
    }
    if others > 0 {
      remark(
        "note: \(grouped(others)) of \(grouped(rights.count, "record")) of \(file.text) "
          + (others == 1
            ? "is not a polygon, and contains nothing" : "are not polygons, and contain nothing"))
    }
    // By id, as equally near results are ordered; a database does not know the order of the source.
    found.sort { ($0.id, $0.offset) < ($1.id, $1.offset) }
    offsets = found.map(\.offset)
    self.isSmallest = isSmallest
    index = AreaIndex(found.map(\.area))
  }

  package func texts(
    of lefts: Slice<ImportedAnnotations>, _ writer: JoinWriter?
  ) async -> (texts: [[UInt8]], matches: Int) {
    var text = writer
    var matches = 0
    forEachMatch(of: lefts) { row, areas in
      matches += areas.count
      guard text != nil else { return }
      for area in areas { text?.append(JoinRow(left: row, right: offsets[area])) }
      if areas.isEmpty, text?.table.keepsUnmatched == true { text?.append(JoinRow(left: row)) }
    }
    return ([text?.bytes ?? []], matches)
  }

  /// How many of some left annotations lie in each area.
  package func counts(of lefts: Slice<ImportedAnnotations>) -> [Int] {
    var counts = [Int](repeating: 0, count: offsets.count)
    forEachMatch(of: lefts) { for area in $1 { counts[area] += 1 } }
    return counts
  }

  /// Calls `body` with each left annotation that has a position, by its offset, and the areas that hold
  /// it.
  private func forEachMatch(
    of lefts: Slice<ImportedAnnotations>, _ body: (_ row: Int, _ areas: [Int]) -> Void
  ) {
    var areas: [Int] = []
    for row in lefts.indices {
      guard let position = lefts.base.coordinate(at: row) else { continue }
      areas.removeAll(keepingCapacity: true)
      if isSmallest {
        if let area = index.smallestArea(containing: position) { areas.append(area) }
      } else {
        index.appendAreas(containing: position, to: &areas)
      }
      body(row, areas)
    }
  }
}
