import Geodesy

extension LiveSnapshot {
  /// Candidates by ascending (geodesic, id), measuring only those whose chords do not tell which is
  /// nearer.
  func ranked(_ candidates: [LiveCandidate], from origin: Coordinate) -> [LiveCandidate] {
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
    let runs = tiedRuns(count: entries.count) { place in
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
    return entries.map(\.candidate)
  }
}
