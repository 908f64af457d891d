import Foundation

/// A program of the system, as an independent judge.
package enum SystemProgram {
  /// What came out of one run.
  package struct Outcome {
    package let output: [UInt8]
    package let errors: String
    /// As a shell has it: 128 more than the signal that ended it.
    package let status: Int32

    package var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs a program by its path and waits for it.
  ///
  /// - Parameters:
  ///   - environment: nil for that of the tests.
  ///   - folder: The folder it is run in; nil for that of the tests.
  package static func run(
    at path: String, _ arguments: [String], input: [UInt8] = [],
    environment: [String: String]? = nil, in folder: Folder? = nil
  ) throws -> Outcome {
    // Files, unlike pipes, cannot fill up while nobody reads.
    let streams = try Folder()
    let inputURL = try streams.write(input, to: "in")
    let outputURL = try streams.write([], to: "out")
    let errorsURL = try streams.write([], to: "err")
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder.url }
    if let environment { process.environment = environment }
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorsURL)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try streams.bytes("out"), errors: try streams.text("err"),
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus)
  }

  /// Runs a program that is looked for in the path.
  ///
  /// - Returns: What it writes, and then what it writes to standard error; nil where there is none.
  package static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, text: String)? {
    let outcome = try run(at: "/usr/bin/env", [program] + arguments)
    // What env says where there is no such program.
    return outcome.status == 127 ? nil : (outcome.status, outcome.text + outcome.errors)
  }
}
