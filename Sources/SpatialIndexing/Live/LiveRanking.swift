import Geodesy

extension LiveSnapshot {
  /// Appends the ids of the first candidates by ascending (geodesic, id), measuring only those whose
  /// chords do not tell which is nearer.
  func appendNearest(
    _ limit: Int, of candidates: [LiveCandidate], from origin: Coordinate, to ids: inout [UInt64]
  ) {
    let lines = LineOrigin(origin)
    var entries = candidates.map { candidate in
      (
        chord: lines.squaredChord(
          latitude: candidate.leaf.latitude(candidate.slot),
          longitude: candidate.leaf.longitude(candidate.slot)),
        candidate: candidate
      )
    }
    entries.sort { $0.chord < $1.chord }
    let runs = tiedRuns(count: entries.count, limit: limit) { place in
      (entries[place].chord, ChordBracket.squaredReach(past: entries[place].chord))
    }
    for run in runs {
      let settled = entries[run].map { entry in
        (
          meters: entry.candidate.meters(from: origin),
          id: entry.candidate.leaf.id(entry.candidate.slot), entry: entry
        )
      }.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
      for (place, item) in zip(run, settled) { entries[place] = item.entry }
    }
    for entry in entries.prefix(limit) { ids.append(entry.candidate.leaf.id(entry.candidate.slot)) }
  }
}
