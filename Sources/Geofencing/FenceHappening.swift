import Geodesy

/// An event before the events of its fix are sorted and numbered.
struct FenceHappening {
  let kind: FenceEvent.Kind
  /// The fence's slot in the index, and its number.
  let slot, fence: Int32
  /// For an exit, the number of the entry.
  let visit: Int?
  let position: Coordinate
  let evidence: FenceEvidence

  /// The rank among the events of one fix: by kind, then by fence number.
  var rank: Int {
    (FenceEvent.Kind.allCases.firstIndex(of: kind) ?? 0) << 32 | Int(fence)
  }
}
