import Foundation

/// A program of the system, as an independent judge.
public enum SystemProgram {
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
