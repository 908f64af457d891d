import GPXCoding

/// A GPX file on its way into a cleaned one: every byte of it, but for the points of tracks that are left
/// out and the blanks before them.
///
/// Kept is what has come from the first point on that is not decided on.
package struct TrackCopy {
  private var source: [UInt8] = []
  /// How many bytes of the file stand before `source`.
  private var offset = 0
  /// Up to where the file is copied, or left out.
  private var position = 0
  /// Where the points stand that are to be decided on, in their order.
  private var waiting: [GPXElementRange] = []
  private var decidedCount = 0
  private var bytes: [UInt8] = []

  package init() {}

  /// Takes what comes next of the file, and the points that have ended with it.
  package mutating func append(_ more: [UInt8], _ points: [TrackPoint]) {
    source += more
    waiting += points.compactMap(\.element)
  }

  /// Decides on the next point: it is written as it stands, or elsewhere if it was moved; nil leaves it
  /// out.
  package mutating func decide(_ point: CleanTrack.Point?) {
    let element = waiting[decidedCount]
    decidedCount += 1
    guard let point else {
      copy(upTo: element.blankStart)
      position = element.end
      return
    }
    if point.isMoved {
      copy(upTo: element.start)
      let text = Array(source[(element.start - offset)..<(element.end - offset)])
      bytes += GPXStartTag.moved(text, to: point.coordinate)
      position = element.end
    } else {
      copy(upTo: element.end)
    }
  }

  /// Hands over what can be written.
  ///
  /// - Parameter settledCount: Before this byte of the file no point is missing; nil at its end.
  package mutating func takeBytes(settledCount: Int?) -> [UInt8] {
    if decidedCount < waiting.count {
      copy(upTo: waiting[decidedCount].blankStart)
    } else {
      copy(upTo: settledCount ?? offset + source.count)
    }
    source.removeFirst(position - offset)
    offset = position
    waiting.removeFirst(decidedCount)
    decidedCount = 0
    defer { bytes = [] }
    return bytes
  }

  private mutating func copy(upTo end: Int) {
    guard end > position else { return }
    bytes += source[(position - offset)..<(end - offset)]
    position = end
  }
}
