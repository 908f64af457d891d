import Foundation

/// The conformance vectors and real data beside the checkout (`../shared`), which a bare clone does
/// not have. Tests that need them are skipped there, visibly:
///
///     @Test(.enabled(if: SharedFiles.arePresent, SharedFiles.reason))
public enum SharedFiles {
  /// The root of this package.
  public static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `../shared`, or wherever `NEARBY_SHARED` points.
  public static let root: URL =
    ProcessInfo.processInfo.environment["NEARBY_SHARED"].map { URL(filePath: $0) }
    ?? packageRoot.deletingLastPathComponent().appending(path: "shared")

  /// Whether the checkout has them.
  public static let arePresent = FileManager.default.fileExists(
    atPath: root.appending(path: "conformance").path)

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

  /// The rows of a plain CSV file (no quoted commas), header left out, each by column name.
  ///
  /// - Throws: Where there are none, or one has fewer cells: a test of all rows would
  ///   pass without looking at any.
  public static func rows(_ path: String) throws -> [[String: String]] {
    var lines = try text(path).split(separator: "\n", omittingEmptySubsequences: true)
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

/// A file that is not as a test needs it.
private struct UnexpectedFile: Error, CustomStringConvertible {
  let description: String
}
