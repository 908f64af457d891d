import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing

#if CommandLine
  /// Finds the neighbors of many left rows and writes them, on all cores.
  struct JoinSearch: Sendable {
    let index: AnnotationIndex<ImportedAnnotations>
    /// nil where hours do not matter.
    let hours: HoursIndex<ImportedAnnotations>?
    let open: OpenCondition?
    let limit: Int
    let distances: DistanceRange
    let kinds: Set<AnnotationKind>?
    /// Whether a right annotation with the left one's id is no neighbor.
    let excludesSelf: Bool

    /// How many left rows are in memory with their neighbors at a time: a multiple of 1,024, at which progress
    /// is shown.
    static let rowsAtOnce = 1 << 16
    /// How many left rows one task writes.
    private static let rowsInText = 1 << 12

    /// The rows of some left annotations as text, in their order.
    ///
    /// - Parameter format: nil where only the number of matches is wanted.
    /// - Returns: Texts to be written one behind another, and how many matches there are.
    func texts(
      of lefts: Slice<ImportedAnnotations>, as format: JoinFormat?, _ fields: JoinFields
    ) async -> (texts: [[UInt8]], matches: Int) {
      let placed = lefts.compactMap { left in left.coordinate.map { (left: left, origin: $0) } }
      let answers = await mappedInSpatialOrder(placed.map(\.origin)) { place in
        answer(to: placed[place].left, from: placed[place].origin)
      }
      let matches = answers.reduce(0) { $0 + $1.count }
      guard let format else { return ([], matches) }
      let texts = await withTaskGroup(of: (Int, [UInt8]).self) { group in
        let starts = Array(stride(from: 0, to: placed.count, by: Self.rowsInText))
        for (number, start) in starts.enumerated() {
          group.addTask {
            var writer = JoinWriter(format: format, fields: fields)
            for place in start..<min(start + Self.rowsInText, placed.count) {
              writer.append(answers[place], of: placed[place].left)
            }
            return (number, writer.bytes)
          }
        }
        var texts = [[UInt8]](repeating: [], count: starts.count)
        for await (number, bytes) in group { texts[number] = bytes }
        return texts
      }
      return (texts, matches)
    }

    private func answer(
      to left: ImportedAnnotation, from origin: Coordinate
    ) -> NearbyAnswer<ImportedAnnotation> {
      guard excludesSelf else { return nearest(limit, to: origin) }
      let id = left.id
      // One more than wanted is mostly all that it takes, and no row is asked.
      let more = nearest(limit < .max ? limit + 1 : limit, to: origin)
      let others = more.dropping { $0.id == id }
      if others.count >= limit || more.count <= limit {
        return others.count > limit ? others.first(limit) : others
      }
      if let hours, let open {
        return hours.nearest(
          limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
          open: open, where: { $0.id != id })
      }
      return index.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
        where: { $0.id != id })
    }

    private func nearest(_ limit: Int, to origin: Coordinate) -> NearbyAnswer<ImportedAnnotation> {
      if let hours, let open {
        return hours.nearest(
          limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds,
          open: open)
      }
      return index.nearest(
        limit, to: origin, within: distances.within, beyond: distances.beyond, kinds: kinds)
    }
  }

  /// The rows of a join: `left_id,right_id,rank,distance`, and the fields that were asked for.
  private struct JoinWriter {
    let format: JoinFormat
    let fields: JoinFields
    var bytes: [UInt8] = []

    init(format: JoinFormat, fields: JoinFields) {
      self.format = format
      self.fields = fields
    }

    mutating func append(_ results: NearbyAnswer<ImportedAnnotation>, of left: ImportedAnnotation) {
      if results.isEmpty {
        if fields.ofEmpty { append(left, nil, rank: nil, meters: nil) }
        return
      }
      for (place, result) in results.enumerated() {
        append(left, result.annotation, rank: place + 1, meters: result.distance.meters)
      }
    }

    private mutating func append(
      _ left: ImportedAnnotation, _ right: ImportedAnnotation?, rank: Int?, meters: Double?
    ) {
      switch format {
      case .csv: appendCSV(left, right, rank: rank, meters: meters)
      case .json, .jsonl: appendJSON(left, right, rank: rank, meters: meters)
      }
    }

    private mutating func appendCSV(
      _ left: ImportedAnnotation, _ right: ImportedAnnotation?, rank: Int?, meters: Double?
    ) {
      let comma = UInt8(ascii: ",")
      CSVText.append(cell: left.id.text, to: &bytes)
      bytes.append(comma)
      if let right { CSVText.append(cell: right.id.text, to: &bytes) }
      bytes.append(comma)
      if let rank { appendFixedDecimal(Double(rank), decimals: 0, to: &bytes) }
      bytes.append(comma)
      if let meters { appendFixedDecimal(meters, decimals: 4, to: &bytes) }
      for (names, side) in [(fields.left, left as ImportedAnnotation?), (fields.right, right)] {
        for name in names {
          bytes.append(comma)
          CSVText.append(cell: side?.property(name)?.text ?? "", to: &bytes)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func appendJSON(
      _ left: ImportedAnnotation, _ right: ImportedAnnotation?, rank: Int?, meters: Double?
    ) {
      if !bytes.isEmpty { bytes += format.separator.utf8 }
      var members: Properties = ["left_id": .string(left.id.text)]
      members.append("right_id", right.map { .string($0.id.text) } ?? .null)
      members.append("rank", rank.map { .integer($0) } ?? .null)
      members.append(
        "distance", meters.map { .number(fixedDecimal($0, decimals: 4)) } ?? .null)
      for (name, names, side) in [
        ("left", fields.left, left as ImportedAnnotation?), ("right", fields.right, right),
      ] where !names.isEmpty {
        members.append(name, side.map { .object($0.properties.keeping(names)) } ?? .null)
      }
      var writer = JSONWriter()
      writer.value(.object(members))
      bytes += writer.bytes
      if format == .jsonl { bytes += "\n".utf8 }
    }
  }
#endif
