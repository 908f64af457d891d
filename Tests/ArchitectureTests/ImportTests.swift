import Foundation
import Testing

/// The floors of `CONTRIBUTING.md`, lowest first.
///
/// Targets on one floor do not import each other, except where `mayAlsoImport` says so.
private let floors: [[String]] = [
  ["Geodesy"],
  ["SpatialIndexing", "MapProjections", "LocationFiltering", "BusinessHours"],
  ["MapAnnotations"],
  ["NearbySearch", "Geofencing", "GeoJSONCoding", "ViewportClustering"],
  [
    "SystemCalls", "WorldOutlines", "GPXCoding", "GzipReading", "TextMaps", "WebMaps",
    "AnnotationImport", "TrackImport",
  ],
  [
    "NearbySampleData", "IndexFiles", "PROJTransforms", "PostGISStore", "SQLiteStore",
    "SourceFetching",
  ],
  ["AnnotationSources"],
  ["NearbyHTTP"],
  ["NearbyCommand", "NearbyKit"],
]

/// The importers read GPX and gzip through their neighbors on the same floor, and tracks of rows as
/// annotations are read; iconv is the system's.
private let mayAlsoImport = [
  // What changes on a screen is written as GeoJSON.
  "ViewportClustering": ["GeoJSONCoding"],
  "AnnotationImport": ["GPXCoding", "GzipReading", "SystemCalls"],
  "TrackImport": ["GPXCoding", "GzipReading", "AnnotationImport"],
  // The same land lies behind a page and behind text; tiles are packed.
  "WebMaps": ["GzipReading", "WorldOutlines"],
  "TextMaps": ["WorldOutlines"],
]

/// Modules from outside the package that a target may use.
private let outsideModules: [String: Set<String>] = [
  // A mutex whose turns the thread sanitizer sees, for all that share something.
  "Geodesy": ["Synchronization"],
  "SystemCalls": ["Glibc", "Darwin", "Musl"],
  "GzipReading": ["CNearbyZlib"],
  "GPXCoding": ["CNearbyExpat"],
  "NearbySampleData": ["CNearbySampleData"],
  // The land, as it is written.
  "WorldOutlines": ["CNearbyLand"],
  // The page's parts, and zlib for tiles.
  "WebMaps": ["CNearbyPageAssets", "CNearbyZlib"],
  "SourceFetching": ["CNearbyCurl", "Synchronization"],
  "SQLiteStore": ["CNearbySQLite"],
  // libpq, and a semaphore for those that wait for a connection.
  "PostGISStore": ["CNearbyPQ", "Dispatch"],
  // Vector kernels; and what threads count and claim without a lock.
  "SpatialIndexing": ["CNearbyKernels", "Synchronization"],
  // A flag, by which sessions see that they are called from inside.
  "MapAnnotations": ["Synchronization"],
  // The maps that changes are drawn on, where there are any.
  "NearbyKit": ["GoogleMaps", "MapKit", "MapLibre"],
  // What a signal finds of the files that a program writes.
  "AnnotationSources": ["Synchronization"],
  // Sockets, and the signals and logs that come with them.
  "NearbyHTTP": [
    "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix",
    "ServiceLifecycle",
  ],
  "NearbyCommand": ["ArgumentParser"],
]

/// The one file of the pure floors that imports a platform, for its sine and cosine.
private let mathematicsFile = "ElementaryFunctions.swift"
private let platformModules: Set<String> = [
  "Darwin", "Glibc", "Musl", "Bionic", "WASILibc", "ucrt",
]

/// Names by which a clock, a locale or Foundation would enter the pure floors without an import.
private let impureNames = ["ContinuousClock", "SuspendingClock", "Date(", "Locale", "gettimeofday"]

private struct SourceFile {
  let target: String
  let name: String
  let text: String

  /// The modules that the file imports, whatever attributes or access levels stand in front.
  var imports: [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains($0) }),
        place + 1 < words.count
      else { return nil }
      // `import struct Foundation.Date` names its module in the third word.
      let module =
        Self.declarationKinds.contains(words[place + 1]) && place + 2 < words.count
        ? words[place + 2] : words[place + 1]
      return String(module.prefix { $0 != "." })
    }
  }

  /// Whether a name stands in the text by itself: `CalendarDate(` is no `Date(`.
  func mentions(_ name: String) -> Bool {
    var rest = text[...]
    while let place = rest.range(of: name) {
      if place.lowerBound == text.startIndex { return true }
      let before = text[text.index(before: place.lowerBound)]
      if !before.isLetter { return true }
      rest = rest[place.upperBound...]
    }
    return false
  }

  /// The names of the types that the file declares at its top level, or within `#if` there.
  var types: [String] {
    var depth = 0
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      if words.first == "#if" { depth += 1 }
      if words.first == "#endif" { depth -= 1 }
      guard line.prefix(while: { $0 == " " }).count == 2 * depth,
        let place = words.firstIndex(where: { Self.typeKinds.contains($0) }),
        words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains($0) }),
        place + 1 < words.count
      else { return nil }
      return String(words[place + 1].prefix { $0.isLetter || $0.isNumber })
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect",
  ]
  private static let typeKinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]
  private static let declarationKinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}

@Suite struct ImportTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func sourceFiles() throws -> [SourceFile] {
    try floors.joined().flatMap { target in
      let folder = root.appending(path: target == "NearbySampleData" ? "Data" : "Sources/\(target)")
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
      #expect(!names.isEmpty, "\(target) has no sources")
      return try names.map { name in
        SourceFile(
          target: target, name: name,
          text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
      }
    }
  }

  @Test func `every target of the package has a floor`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    let known = Set(floors.joined())
      .union([
        "CNearbyCurl", "CNearbyExpat", "CNearbyKernels", "CNearbyLand", "CNearbyPageAssets",
        "CNearbyPQ", "CNearbySQLite", "CNearbyZlib", ".DS_Store",
      ])
    #expect(Set(folders).subtracting(known).isEmpty)
    #expect(try !Self.sourceFiles().isEmpty)
  }

  @Test func `no import points up or sideways`() throws {
    let floorOf = Dictionary(
      uniqueKeysWithValues: floors.enumerated().flatMap { floor, targets in
        targets.map { ($0, floor) }
      })
    var importCount = 0
    for file in try Self.sourceFiles() {
      let own = try #require(floorOf[file.target])
      for module in file.imports {
        guard let floor = floorOf[module] else { continue }
        #expect(
          floor < own || mayAlsoImport[file.target, default: []].contains(module),
          "\(file.target)/\(file.name) imports \(module), which does not stand below it")
        importCount += 1
      }
    }
    #expect(importCount > 0)
  }

  @Test func `nothing from outside is imported but where it is allowed`() throws {
    let own = Set(floors.joined())
    var importCount = 0
    for file in try Self.sourceFiles() {
      let allowed =
        file.name == mathematicsFile
        ? platformModules : outsideModules[file.target, default: []]
      for module in file.imports where !own.contains(module) {
        #expect(
          allowed.contains(module), "\(file.target)/\(file.name) imports \(module)")
        importCount += 1
      }
    }
    #expect(importCount > 0)
  }

  @Test func `the pure floors know no clock, locale or Foundation`() throws {
    let pure = Set(floors[0...3].joined())
    for file in try Self.sourceFiles() where pure.contains(file.target) {
      for name in impureNames {
        #expect(!file.mentions(name), "\(file.target)/\(file.name) mentions \(name)")
      }
    }
  }

  @Test func `what threads lock is a shared value, whose turns the thread sanitizer sees`() throws {
    for file in try Self.sourceFiles() where file.name != "StandardLibrary.swift" {
      #expect(!file.mentions("Mutex"), "\(file.target)/\(file.name) has a bare Mutex")
    }
  }

  @Test func `Geodesy does not name its module, which the benchmarks rename`() throws {
    for file in try Self.sourceFiles() where file.target == "Geodesy" {
      #expect(!file.mentions("Geodesy."), "Geodesy/\(file.name)")
    }
  }

  @Test
  func
    `messages of libraries name settings as Swift does, and the program has its own names for them`()
    throws
  {
    let table = try String(
      contentsOf: Self.root.appending(path: "Sources/NearbyCommand/Options/OptionNames.swift"),
      encoding: .utf8)
    var named: Set<String> = []
    for file in try Self.sourceFiles() where file.target != "NearbyCommand" {
      for line in file.text.split(separator: "\n") where line.contains("\"") {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
        // What other programs are called with is no option of this one.
        #expect(
          line.firstMatch(of: /"[^"]*--[a-z]/) == nil
            || line.firstMatch(of: /swift build|soffice/) != nil,
          "\(file.target)/\(file.name): \(line)")
        for match in line.matches(of: /`([A-Za-z][A-Za-z():= ]*)`/) {
          named.insert(String(match.1))
        }
      }
    }
    #expect(named.count > 20)
    // Commands, which whoever reads from PostgreSQL is told of.
    for name in named.subtracting(["import", "sync", "store info", "store drop"]) {
      #expect(table.contains("\"\(name)\": \""), "\(name)")
    }
  }

  @Test func `a name of a type stands for one thing in all targets`() throws {
    var targets: [String: Set<String>] = [:]
    for file in try Self.sourceFiles() {
      for type in file.types { targets[type, default: []].insert(file.target) }
    }
    #expect(targets.count > 500)
    for (type, targets) in targets where targets.count > 1 {
      Issue.record("\(type) is declared in \(targets.sorted().joined(separator: " and "))")
    }
  }

  @Test func `a type is recognized at the top level alone`() {
    let file = SourceFile(
      target: "Geodesy", name: "x.swift",
      text: """
        @usableFromInline package final class Shelf: Sendable {
          struct Inner {}
        }
        #if Store
          private indirect enum Tree<Item> {
            case leaf
          }
          #if os(Linux)
            typealias Clock = Int
          #endif
        #endif
        // struct Nothing
        extension Tree { struct Other {} }
        """)
    #expect(file.types == ["Shelf", "Tree", "Clock"])
  }

  @Test func `an import is recognized in every form it can be written in`() {
    let file = SourceFile(
      target: "Geodesy", name: "x.swift",
      text: """
        import Foundation
        @testable import NearbySearch
        public import struct Glibc.tm
        @_exported import TextMaps
          import Darwin
        // import Nothing
        """)
    #expect(file.imports == ["Foundation", "NearbySearch", "Glibc", "TextMaps", "Darwin"])
  }
}
