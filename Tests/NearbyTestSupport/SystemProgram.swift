import Foundation

/// A program of the system, as an independent judge.
public enum SystemProgram {
  /// Runs a program that is looked for in the path.
  ///
  /// - Returns: What it writes, to standard error as well; nil where there is none.
  public static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, text: String)? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // What env says where there is no such program.
    guard process.terminationStatus != 127 else { return nil }
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// What a program writes to its standard output that is given some bytes.
  public static func output(
    of path: String, _ arguments: [String], input: [UInt8]
  ) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let inputFile = folder.appending(path: "in"), outputFile = folder.appending(path: "out")
    try Data(input).write(to: inputFile)
    try Data().write(to: outputFile)
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    try process.run()
    process.waitUntilExit()
    return [UInt8](try Data(contentsOf: outputFile))
  }
}
