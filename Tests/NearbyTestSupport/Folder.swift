import Foundation

/// A folder of its own for one test, gone with it.
package final class Folder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "nearby-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package var names: [String] { get throws { try names(in: ".") } }

  /// The names in a folder in this one.
  package func names(in subfolder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(subfolder)).sorted()
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(bytes).write(to: file)
    return file
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> URL {
    try write(Array(text.utf8), to: name)
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }
}
