import Foundation

/// The vectors that every checkout has, in `Tests/Vectors`, whose README says who computed them.
public enum Vectors {
  /// A file's text, by its name.
  public static func text(_ name: String) throws -> String {
    let file = SharedFiles.packageRoot.appending(path: "Tests/Vectors/\(name)")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// The rows of a plain CSV file (no quoted commas), header left out, each by column name.
  public static func rows(_ name: String) throws -> [[String: String]] {
    try SharedFiles.rows(of: text(name), named: name)
  }

  /// The values of a file with one JSON object a line.
  public static func values<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> [Value] {
    try SharedFiles.values(of: text(name))
  }
}
