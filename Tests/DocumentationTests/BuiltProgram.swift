import Foundation
import NearbyTestSupport

/// `TestedProgram`, called from a shell.
struct BuiltProgram {
  /// The folder it lies in.
  let folder: URL

  init() throws {
    let program = TestedProgram.url
    folder = program.deletingLastPathComponent()
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw PageError(
        "\(program.path) is not there; build it with swift build --product nearby")
    }
  }

  /// Runs a command line in a shell at the root of the package.
  ///
  /// - Returns: What a person would see: both outputs, in the order in which they were written.
  func output(of commandLine: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", commandLine]
    process.currentDirectoryURL = SharedFiles.packageRoot
    // Nothing of the caller's: no store, no colors, no width of a terminal.
    process.environment = TestedProgram.environment.merging(
      ["PATH": "\(folder.path):/usr/bin:/bin", "HOME": "/nonexistent"]
    ) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
