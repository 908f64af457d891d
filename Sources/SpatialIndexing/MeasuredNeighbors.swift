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
    geodesics += settleTies(in: &entries, from: origin)
    return (entries.map(\.neighbor), geodesics)
  }

  /// Orders runs whose distances are too close to tell, by geodesics.
  private func settleTies(
    in entries: inout [(neighbor: Neighbor, slot: Int)], from origin: Coordinate
  ) -> Int {
    var geodesics = 0
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count,
        (entries[end].neighbor.distance - entries[end - 1].neighbor.distance).meters
          <= LineOrigin.tie
      {
        end += 1
      }
      let first = entries[start].slot
      let isOnePlace = entries[start..<end].allSatisfy {
        latitude($0.slot) == latitude(first) && longitude($0.slot) == longitude(first)
      }
      if !isOnePlace {
        for index in start..<end {
          let entry = entries[index]
          entries[index].neighbor = Neighbor(
            position: entry.neighbor.position,
            distance: .meters(geodesic(from: origin, toSlot: entry.slot)))
        }
        geodesics += end - start
        entries[start..<end].sort { $0.neighbor < $1.neighbor }
      }
      start = end
    }
    return geodesics
  }
}
