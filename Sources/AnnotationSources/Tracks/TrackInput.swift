import Geodesy
import TrackImport

/// A track as it arrives: from a file, or from standard input, each piece as soon as it is there.
package enum TrackInput {
  /// Hands over the fixes of a track, those of one piece of its text together, and of GPX the text
  /// that they stand in.
  ///
  /// - Parameters:
  ///   - keepsSource: Whether the text is wanted; nil is handed over otherwise, and for other formats.
  ///   - remark: Takes what a person should know.
  /// - Returns: How many of what there were.
  @discardableResult
  package static func read(
    _ file: FileName, _ options: TrackOptions, keepsSource: Bool = false,
    remark: (String) -> Void,
    _ receive: ([TrackPoint], TrackReader.Source?) throws(ReportedError) -> Void
  ) throws(ReportedError) -> TrackCounts {
    var options = options
    options.source = file.isStandardInput ? "standard input" : file.text
    let reader = TrackReader(options)
    reader.keepsSource = keepsSource
    try Files.pieces(of: file) { (bytes) throws(ReportedError) in
      let points: [TrackPoint]
      do throws(TrackError) { points = try reader.read(bytes) } catch { throw reported(error) }
      try receive(points, reader.takeSource())
    }
    let last: [TrackPoint]
    do throws(TrackError) { last = try reader.finish() } catch {
      // What is said of the fixes before an error does not depend on the pieces in which they came.
      if !error.points.isEmpty { try receive(error.points, reader.takeSource()) }
      throw reported(error)
    }
    try receive(last, reader.takeSource())
    let wrapped = reader.counts.wrappedFeatures
    if wrapped > 0 {
      remark(
        "note: lon-wrapped: \(grouped(wrapped)) of \(options.source)'s features \(wrapped == 1 ? "runs" : "run") on "
          + "past ±180°; read as crossing the antimeridian")
    }
    return reader.counts
  }

  private static func reported(_ error: TrackError) -> ReportedError {
    ReportedError(error, fault: error.isUsage ? .usage : .badData)
  }
}
