import Geodesy

extension TreeView {
  /// The neighbors in some slots by (distance, position), and how many geodesics that took.
  ///
  /// Distances are those of `LineOrigin`; the order is that of the geodesics.
  func measuredNeighbors(of slots: [Int], from origin: Coordinate) -> ([Neighbor], geodesics: Int) {
    let latitudes = slots.map { latitude($0) }
    let longitudes = slots.map { longitude($0) }
    var squaredChords = [Double](repeating: 0, count: slots.count)
    var distances = squaredChords
    LineOrigin(origin).lines(
      latitudes: latitudes, longitudes: longitudes, count: slots.count,
      squaredChords: &squaredChords, distances: &distances)
    var geodesics = 0
    for (index, slot) in slots.enumerated() where distances[index].isNaN {
      distances[index] = geodesic(from: origin, toSlot: slot)
      geodesics += 1
    }
    var entries = slots.indices.map { index in
      (
        neighbor: Neighbor(
          position: Int(position(slots[index])), distance: .meters(distances[index])),
        slot: slots[index]
      )
    }
    entries.sort { $0.neighbor < $1.neighbor }
    let runs = tiedRuns(count: entries.count) { place in
      let meters = entries[place].neighbor.distance.meters
      return (meters, meters + LineOrigin.tie)
    }
    for run in runs {
      let first = entries[run.lowerBound].slot
      if run.allSatisfy({ slot(entries[$0].slot, isAtPlaceOf: first) }) { continue }
      for index in run {
        let entry = entries[index]
        entries[index].neighbor = Neighbor(
          position: entry.neighbor.position,
          distance: .meters(geodesic(from: origin, toSlot: entry.slot)))
      }
      geodesics += run.count
      entries[run].sort { $0.neighbor < $1.neighbor }
    }
    return (entries.map(\.neighbor), geodesics)
  }
}
