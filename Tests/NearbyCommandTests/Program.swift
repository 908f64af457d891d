import Foundation
import NearbyTestSupport
import Testing

/// `TestedProgram`, run as a person runs it.
enum Program {
  typealias Outcome = SystemProgram.Outcome

  /// Runs the program and waits for it.
  ///
  /// The environment is empty but for what is given, and the home is the folder, so that no store
  /// of the person who runs the tests answers.
  static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    in folder: Folder
  ) throws -> Outcome {
    try run(TestedProgram.url, arguments, input: input, environment: environment, in: folder)
  }

  /// Runs a line of shell, in which `$nearby` is the program.
  static func shell(
    _ line: String, environment: [String: String] = [:], in folder: Folder
  ) throws -> Outcome {
    try run(
      URL(filePath: "/bin/sh"), ["-c", line],
      environment: environment.merging(["nearby": TestedProgram.url.path]) { $1 }, in: folder)
  }

  /// Starts a line of shell, in which `$nearby` is the program, and waits until it has begun to write.
  ///
  /// It hears signals as if a person had started it.
  ///
  /// - Parameter target: The folder, in `folder`, where the temporary file or folder will be.
  static func startWriting(
    _ line: String, input: Pipe = Pipe(), in folder: Folder, to target: String = "."
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = TestedProgram.environment.merging(["nearby": TestedProgram.url.path]) {
      $1
    }
    process.currentDirectoryURL = folder.url
    process.standardInput = input
    // Threads of a test hold signals back, and a shell has programs behind it ignore some, which
    // their children inherit.
    let signals = [SIGINT, SIGTERM, SIGHUP]
    var heard = sigset_t()
    var held = sigset_t()
    sigemptyset(&heard)
    for number in signals { sigaddset(&heard, number) }
    pthread_sigmask(SIG_UNBLOCK, &heard, &held)
    let before = signals.map { ($0, signal($0, SIG_DFL)) }
    defer {
      for (number, handler) in before { _ = signal(number, handler) }
      pthread_sigmask(SIG_SETMASK, &held, nil)
    }
    try process.run()
    func isWriting() throws -> Bool {
      try folder.names(in: target).contains { $0.hasSuffix(".partial") }
    }
    let deadline = Date(timeIntervalSinceNow: 60)
    while try !isWriting(), process.isRunning, Date() < deadline {
      Thread.sleep(forTimeInterval: 0.005)
    }
    #expect(try isWriting())
    return process
  }

  static func run(
    _ executable: URL, _ arguments: [String], input: [UInt8] = [],
    environment: [String: String] = [:], in folder: Folder
  ) throws -> Outcome {
    try SystemProgram.run(
      at: executable.path, arguments, input: input,
      environment: TestedProgram.environment.merging(["HOME": folder.url.path]) { $1 }
        .merging(environment) { $1 }, in: folder)
  }
}

extension SystemProgram.Outcome {
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// The one JSON object on standard output.
  var json: [String: Any] {
    get throws {
      let object = try JSONSerialization.jsonObject(with: Data(output))
      return object as? [String: Any] ?? [:]
    }
  }
}

typealias Folder = NearbyTestSupport.Folder

extension Folder {
  /// A folder with the files that most tests ask.
  static func withShops() throws -> Folder {
    let folder = try Folder()
    try folder.write(Fixture.shops, to: "shops.csv")
    return folder
  }
}

/// Sources that fit on a screen.
enum Fixture {
  /// Numeric and other ids, quotes, Korean, four at one place, one on the other side of the
  /// equator and one without a position.
  static let shops = #"""
    id,name,kind,lat,lon,address,opening_hours
    1,시네마,cinema,37.57,126.97,"서울, 종로",Mo-Fr 09:00-18:00
    2,"Mart ""B""",mart,37.58,126.98,b,
    10,Ten,mart,37.57,126.97,c,
    a,Alpha,deal,-33.86,151.2,d,
    02,Zero two,deal,37.57,126.97,e,
    -3,Neg,deal,37.57,126.97,f,
    5,NoPos,deal,,,g,

    """#

  /// Around the antimeridian and on the poles.
  static let seam = """
    id,lat,lon
    E,1,180
    W,1,-180
    F,1,179.9
    P,90,12
    Q,-90,0

    """

  /// Every kind of geometry, ids of both types, foreign members, and features without a place.
  static let shapes = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[127,37,55.5]},"properties":{"name":"p","kind":"cinema","n":1.0,"big":12345678901234567890,"nested":{"a":1}},"foreign":[1]},
    {"type":"Feature","id":"007","bbox":[127,37,128,37],"geometry":{"type":"LineString","coordinates":[[127,37],[128,37]]},"properties":null},
    {"type":"Feature","id":"poly","geometry":{"type":"Polygon","coordinates":[[[127,37],[128,37],[128,38],[127,38],[127,37]]]},"properties":{}},
    {"type":"Feature","id":"mp","geometry":{"type":"MultiPoint","coordinates":[[127,37],[128,37]]},"properties":{}},
    {"type":"Feature","id":"ml","geometry":{"type":"MultiLineString","coordinates":[[[127,37],[128,37]]]},"properties":{}},
    {"type":"Feature","id":"mpoly","geometry":{"type":"MultiPolygon","coordinates":[[[[127,37],[128,37],[128,38],[127,38],[127,37]]]]},"properties":{}},
    {"type":"Feature","id":"gc","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[127.5,37]}]},"properties":{}},
    {"type":"Feature","id":"null","geometry":null,"properties":{"name":"nowhere"}}]}

    """
}
