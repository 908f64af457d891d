import Geodesy

/// Puts the candidates of a walk in the order of the geodesics to them.
///
/// They are ordered by their chords. Where two chords are so close that the geodesics over them
/// might come in the other order, or be equal, Karney's geodesic decides, and then the position.
struct NearestRanking {
  struct Entry {
    var squaredChord: Double
    var slot: UInt32
    var position: UInt32
  }

  let tree: TreeView
  let origin: NearestOrigin

  /// Fills `entries` with some slots, in order.
  func rank(
    _ slots: UnsafeMutableBufferPointer<UInt32>, into entries: UnsafeMutablePointer<Entry>,
    statistics: inout SearchStatistics
  ) {
    for (index, slot) in slots.enumerated() {
      let entry = Entry(
        squaredChord: tree.squaredChord(from: origin.place, toSlot: Int(slot)), slot: slot,
        position: tree.position(Int(slot)))
      // They come nearly in order, so few have to move.
      var place = index
      while place > 0, precedes(entry, entries[place - 1]) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
    settleTies(entries, count: slots.count, statistics: &statistics)
  }

  @inline(__always)
  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    a.squaredChord < b.squaredChord
      || (a.squaredChord == b.squaredChord && a.position < b.position)
  }

  /// Orders runs of entries whose chords do not tell which is nearer.
  private func settleTies(
    _ entries: UnsafeMutablePointer<Entry>, count: Int, statistics: inout SearchStatistics
  ) {
    var start = 0
    while start < count {
      var end = start + 1
      while end < count,
        entries[end].squaredChord <= NearestOrigin.squaredReach(past: entries[end - 1].squaredChord)
      {
        end += 1
      }
      if end - start > 1, !isOnePlace(entries, start..<end) {
        settle(UnsafeMutableBufferPointer(start: entries + start, count: end - start))
        statistics.geodesics += end - start
      }
      start = end
    }
  }

  /// Whether all entries of a run lie at one place, where they already stand in order.
  private func isOnePlace(_ entries: UnsafeMutablePointer<Entry>, _ run: Range<Int>) -> Bool {
    let first = Int(entries[run.lowerBound].slot)
    return run.dropFirst().allSatisfy { index in
      let slot = Int(entries[index].slot)
      return tree.latitude(slot) == tree.latitude(first)
        && tree.longitude(slot) == tree.longitude(first)
    }
  }

  private func settle(_ run: UnsafeMutableBufferPointer<Entry>) {
    let measured = run.map { entry in
      (entry, tree.geodesic(from: origin.coordinate, toSlot: Int(entry.slot)))
    }.sorted { a, b in (a.1, a.0.position) < (b.1, b.0.position) }
    for (index, entry) in measured.enumerated() { run[index] = entry.0 }
  }
}
