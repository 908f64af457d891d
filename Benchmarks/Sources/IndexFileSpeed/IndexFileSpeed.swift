import Complaints
import Foundation
import IndexFiles
import NearbyKit

/// How long an index file takes to be opened and to give its first answer, beside reading it.
///
///     swift run -c release --package-path Benchmarks index-file-speed --make /tmp/places.nbx 10000000
///     swift run -c release --package-path Benchmarks index-file-speed /tmp/places.nbx
///
/// Each time is that of a process of its own, whose first work it is: what Swift's runtime and the
/// system do once for a process is part of it. Reading and opening take turns.
@main
enum IndexFileSpeed {
  private static let usage = """
    usage: index-file-speed FILE.nbx [rounds]
           index-file-speed --make FILE.nbx positions
    Opening an index file and finding the three nearest to 37.5,127, beside reading the file whole: in the
    system's memory, and after it was dropped from there (Linux); the best and the median of 9 rounds.
    """

  private static func fail(_ message: String, _ status: Complaint.Status = .badData) -> Never {
    Complaint(message, status).end()
  }

  static func main() {
    Complaint.ending(usage) { arguments in
      let words = arguments.words
      switch (words.first, words.count) {
      case ("--open", 2): print(opened(words[1]))
      case ("--faults", 2): print(faults { _ = opened(words[1]) })
      case ("--ask", 2): print(try asked(words[1]))
      case ("--read", 2): print(read(words[1]))
      case ("--make", 3):
        // Three are asked for.
        try make(
          words[1],
          count: try arguments.number(
            words[2], in: 3...1_000_000_000, named: "positions", standard: 0))
      default:
        let words = try arguments.operands(1...2)
        try compare(
          words[0],
          rounds: try arguments.number(
            words.dropFirst().first, in: 1...10_000, named: "rounds", standard: 9))
      }
    }
  }

  // MARK: One process

  /// Milliseconds from nothing to the first answer.
  private static func opened(_ file: String) -> Double {
    do {
      let place = try Coordinate(latitude: 37.5, longitude: 127)
      let start = now()
      let index = try IndexFile(path: file)
      var buffer = QueryBuffer()
      try index.answer { $0.findNearest(3, to: place, into: &buffer) }
      let time = now() - start
      guard buffer.positions.count == 3 else {
        fail("\(file) holds less than three positions; name a larger one")
      }
      return time
    } catch { fail("\(error)") }
  }

  /// How often the system had to wait for a disk.
  private static func faults(_ work: () -> Void) -> Double {
    func count() -> Int {
      var usage = rusage()
      getrusage(0, &usage)  // RUSAGE_SELF, which has another type on every system.
      return usage.ru_majflt
    }
    let before = count()
    work()
    return Double(count() - before)
  }

  /// Microseconds for each of 10 nearest, from places near those of the file, when its pages are in memory.
  private static func asked(_ file: String) throws -> Double {
    do {
      let index = try IndexFile(path: file)
      let origins = try places(20_000).map {
        try Coordinate(latitude: $0.latitude * 0.99999, longitude: $0.longitude)
      }
      var buffer = QueryBuffer()
      var best = Double.infinity
      for _ in 0..<5 {
        let start = now()
        for origin in origins {
          try index.answer { $0.findNearest(10, to: origin, into: &buffer) }
        }
        best = min(best, (now() - start) * 1_000 / Double(origins.count))
      }
      return best
    } catch { fail("\(error)") }
  }

  /// Milliseconds that reading takes, a megabyte at a time into the same memory.
  private static func read(_ file: String) -> Double {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
    defer { buffer.deallocate() }
    let start = now()
    let descriptor = open(file, O_RDONLY)
    guard descriptor >= 0 else {
      fail("\(file) cannot be opened; --make FILE.nbx 1000000 makes one", .noInput)
    }
    defer { close(descriptor) }
    while true {
      let count = Foundation.read(descriptor, buffer, 1 << 20)
      guard count >= 0 else { fail("\(file) cannot be read; name an index file", .noInput) }
      if count == 0 { return now() - start }
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }

  // MARK: Many

  private static func compare(_ file: String, rounds: Int) throws {
    _ = try inProcess("--read", file)
    print(String(format: "10 nearest: %.2f microseconds", try inProcess("--ask", file)))
    try report("in memory", file, rounds: rounds) {}
    #if os(Linux)
      func drop() {
        let descriptor = open(file, O_RDONLY)
        guard descriptor >= 0 else {
          fail("\(file) cannot be opened; is it still there?", .noInput)
        }
        // What was written and not yet saved could not be dropped.
        guard fsync(descriptor) == 0,
          posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED)) == 0
        else { fail("\(file) cannot be dropped from the system's memory; put it on a disk") }
        close(descriptor)
      }
      try report("from disk", file, rounds: rounds, before: drop)
      drop()
      print("page faults that waited for the disk: \(Int(try inProcess("--faults", file)))")
    #endif
  }

  private static func report(
    _ name: String, _ file: String, rounds: Int, before: () -> Void
  ) throws {
    var reading: [Double] = [], opening: [Double] = []
    for _ in 0..<rounds {
      before()
      reading.append(try inProcess("--read", file))
      before()
      opening.append(try inProcess("--open", file))
    }
    reading.sort()
    opening.sort()
    let middle = rounds / 2
    print(
      String(
        format: "%@: opened and answered in %.3f ms (median %.3f), read in %.1f (%.1f): "
          + "%.2f %% (%.2f)",
        name, opening[0], opening[middle], reading[0], reading[middle],
        100 * opening[0] / reading[0], 100 * opening[middle] / reading[middle]))
  }

  private static func inProcess(_ work: String, _ file: String) throws -> Double {
    let process = Process(), output = Pipe()
    #if os(Linux)
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    process.arguments = [work, file]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { exit(process.terminationStatus == 0 ? 70 : process.terminationStatus) }
    return time
  }

  /// Makes a file of positions round 3,000 cities, multiples of 1e-7 degrees.
  private static func make(_ file: String, count: Int) throws {
    do {
      let start = now()
      try IndexFile.write(positions: places(count), to: file)
      var usage = rusage()
      getrusage(0, &usage)  // RUSAGE_SELF, which has another type on every system.
      print(
        "\(count) positions in \(Int((now() - start) / 1_000)) s, \(usage.ru_maxrss / 1_024) MB of memory at most"
      )
    } catch {
      throw Complaint("\(error)", .cannotWrite)
    }
  }

  private static func places(_ count: Int) -> some Sequence<Coordinate> {
    var state: UInt64 = 42
    func unit() -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) * 0x1p-53
    }
    func near(_ degrees: Double) -> Double {
      ((degrees + (unit() + unit() - 1) * 0.2) * 1e7).rounded() / 1e7
    }
    let cities = (0..<3_000).map { _ in (unit() * 130 - 60, unit() * 350 - 175) }
    return (0..<count).lazy.map { _ in
      let city = cities[Int(unit() * unit() * 3_000)]
      guard let place = try? Coordinate(latitude: near(city.0), longitude: near(city.1)) else {
        fail("a made place is none", .badData)
      }
      return place
    }
  }
}
