import Geodesy
import TrackImport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A track as it arrives: from a file, or from standard input, each piece as soon as it is there.
enum TrackInput {
  /// Hands over the fixes of a track, those of one piece of its text together.
  ///
  /// - Returns: How many of what there were.
  @discardableResult
  static func read(
    _ file: FileName, _ options: TrackOptions,
    _ receive: ([TrackPoint]) throws(CommandError) -> Void
  ) throws(CommandError) -> TrackCounts {
    try read(file, options, keepsSource: false) { (points, _) throws(CommandError) in
      try receive(points)
    }
  }

  /// Hands over the fixes of a track and, of GPX, the text that they stand in.
  ///
  /// - Parameter keepsSource: Whether the text is wanted; nil is handed over otherwise, and for
  ///   other formats.
  static func read(
    _ file: FileName, _ options: TrackOptions, keepsSource: Bool,
    _ receive: ([TrackPoint], TrackReader.Source?) throws(CommandError) -> Void
  ) throws(CommandError) -> TrackCounts {
    var options = options
    options.source = file.isStandardInput ? "standard input" : file.text
    let reader = TrackReader(options)
    reader.keepsSource = keepsSource
    try Files.pieces(of: file) { (bytes) throws(CommandError) in
      let points = try points { () throws(TrackError) in try reader.read(bytes) }
      try receive(points, reader.takeSource())
    }
    let last = try points { () throws(TrackError) in try reader.finish() }
    try receive(last, reader.takeSource())
    let wrapped = reader.counts.wrappedFeatures
    if wrapped > 0 {
      Console.remark(
        "note: lon-wrapped: \(grouped(wrapped)) of \(options.source)'s features \(wrapped == 1 ? "runs" : "run") on "
          + "past ±180°; read as crossing the antimeridian")
    }
    return reader.counts
  }

  /// All fixes of a track.
  static func points(
    of file: FileName, _ options: TrackOptions
  ) throws(CommandError) -> (points: [TrackPoint], counts: TrackCounts) {
    var points: [TrackPoint] = []
    let counts = try read(file, options) { points += $0 }
    return (points, counts)
  }

  private static func points(
    _ read: () throws(TrackError) -> [TrackPoint]
  ) throws(CommandError) -> [TrackPoint] {
    do throws(TrackError) { return try read() } catch {
      throw CommandError(error, status: error.isUsage ? .usage : .badData)
    }
  }
}

extension Files {
  /// Hands over the bytes of a file as they can be had, without waiting for more.
  static func pieces(
    of file: FileName, _ receive: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    let descriptor = try file.isStandardInput ? STDIN_FILENO : openForReading(file)
    defer { if !file.isStandardInput { close(descriptor) } }
    if file.isStandardInput { ReadFiles.note(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw readFailure(file.isStandardInput ? "standard input" : file.text)
      }
      guard count > 0 else { return }
      try receive(Array(buffer[..<count]))
    }
  }

  private static func systemRead(
    _ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, start, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, start, count)
    #else
      Musl.read(descriptor, start, count)
    #endif
  }
}
