import Foundation

/// The conformance vectors and real data beside the checkout (`../shared`), which a bare clone does
/// not have. Tests that need them are skipped there, visibly:
///
///     @Test(.enabled(if: try SharedFiles.arePresent, SharedFiles.reason))
///
/// With `NEARBY_REQUIRE_SHARED=1`, which `.ci/run` sets where the folder exists, each of them fails
/// instead: the condition throws, and a test whose condition throws has failed.
public enum SharedFiles {
  /// The root of this package.
  public static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `../shared`, or wherever `NEARBY_SHARED` points.
  public static let root: URL =
    ProcessInfo.processInfo.environment["NEARBY_SHARED"].map { URL(filePath: $0) }
    ?? packageRoot.deletingLastPathComponent().appending(path: "shared")

  /// Whether the checkout has them.
  ///
  /// - Throws: `SharedFilesMissing` where it has not and `NEARBY_REQUIRE_SHARED` is 1.
  public static var arePresent: Bool {
    get throws {
      let exist = ["conformance", "data"].allSatisfy {
        FileManager.default.fileExists(atPath: root.appending(path: $0).path)
      }
      if !exist, ProcessInfo.processInfo.environment["NEARBY_REQUIRE_SHARED"] == "1" {
        throw SharedFilesMissing(root: root.path)
      }
      return exist
    }
  }

  /// What a skipped test says.
  public static let reason: String = "needs ../shared, which this checkout does not have"

  /// A file's bytes, by its path below `../shared`.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appending(path: path)))
  }

  /// A file's text, by its path below `../shared`.
  public static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The values of a file with one JSON object a line, by its path below `../shared`.
  public static func values<Value: Decodable>(
    _ path: String, as type: Value.Type = Value.self
  ) throws -> [Value] {
    try values(of: text(path))
  }

  /// The values of a text as above.
  static func values<Value: Decodable>(of text: String) throws -> [Value] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Value.self, from: Data($0.utf8))
    }
  }

  /// The rows of a plain CSV file (no quoted commas), header left out, each by column name.
  ///
  /// - Throws: Where there are none, or one has fewer cells: a test of all rows would
  ///   pass without looking at any.
  public static func rows(_ path: String) throws -> [[String: String]] {
    try rows(of: text(path), named: path)
  }

  /// The rows of a text as above.
  static func rows(of text: String, named path: String) throws -> [[String: String]] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    let header = lines.removeFirst().split(separator: ",", omittingEmptySubsequences: false)
    guard !lines.isEmpty else { throw UnexpectedFile(description: "\(path) has no rows") }
    return try lines.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      // A last cell with quoted commas counts as several.
      guard cells.count >= header.count else {
        throw UnexpectedFile(
          description: "\(path): \(cells.count) cells, not \(header.count): \(line)")
      }
      return Dictionary(
        uniqueKeysWithValues: zip(header, cells).map { (String($0), String($1)) })
    }
  }
}

/// A checkout without `../shared`, where it was required.
public struct SharedFilesMissing: Error, CustomStringConvertible {
  let root: String

  /// What is missing, and who asked for it.
  public var description: String {
    "\(root) has no conformance and data, which NEARBY_REQUIRE_SHARED=1 requires"
  }
}

/// A file that is not as a test needs it.
private struct UnexpectedFile: Error, CustomStringConvertible {
  let description: String
}
