import Foundation

/// What ends a program of this package: a line that says what is wrong and what to do, and a status.
///
/// An error that leaves `main` would print where the runtime stopped, and a core.
public struct Complaint: Error, CustomStringConvertible {
  /// The sentence, in one line.
  public let description: String
  let status: Status

  /// Those of `sysexits.h`, as `nearby` has them.
  public enum Status: Int32, Sendable {
    case usage = 64
    case badData = 65
    case noInput = 66
    /// A server, or a program that is to be compared with, does not do what it is asked.
    case unavailable = 69
    case cannotWrite = 73
  }

  /// - Parameter sentence: What is wrong and what to do; lines are joined.
  public init(_ sentence: String, _ status: Status) {
    description = sentence.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    self.status = status
  }

  /// Prints it to standard error and ends the program.
  public func end() -> Never {
    FileHandle.standardError.write(Data("Error: \(description)\n".utf8))
    exit(status.rawValue)
  }

  /// Runs a program's work; an error ends it with a line and not with a trap.
  ///
  /// - Parameter usage: What `-h` and `--help` print, and what is said of arguments that do not fit.
  public static func ending(_ usage: String, _ work: (Arguments) throws -> Void) {
    let arguments = Arguments(Array(CommandLine.arguments.dropFirst()), usage: usage)
    if arguments.words.contains(where: { ["-h", "--help"].contains($0) }) { return print(usage) }
    do {
      try work(arguments)
    } catch let complaint as Complaint {
      complaint.end()
    } catch {
      Complaint("\(error)", .badData).end()
    }
  }
}

/// The words behind a program's name.
public struct Arguments {
  /// As they came.
  public let words: [String]
  let usage: String

  init(_ words: [String], usage: String) {
    self.words = words
    self.usage = usage
  }

  /// What is said of words that do not fit, with the first line of the usage.
  public func misfit(_ what: String) -> Complaint {
    Complaint("\(what); \(usage.prefix { $0 != "\n" })", .usage)
  }

  /// Refuses flags that are not among the known ones, and more or fewer other words than there can
  /// be; gives those.
  public func operands(_ count: ClosedRange<Int>, flags: [String] = []) throws -> [String] {
    if let unknown = words.first(where: { $0.hasPrefix("-") && !flags.contains($0) }) {
      throw misfit("there is no option \(unknown)")
    }
    let operands = words.filter { !$0.hasPrefix("-") }
    if operands.count < count.lowerBound { throw misfit("an argument is missing") }
    guard operands.count <= count.upperBound else {
      throw misfit("\(operands[count.upperBound]) is an argument too many")
    }
    return operands
  }

  /// A whole number that an operand says; `standard` where it is left out.
  public func number(
    _ word: String?, in range: ClosedRange<Int>, named name: String, standard: Int
  ) throws -> Int {
    guard let word else { return standard }
    guard let number = Int(word), range.contains(number) else {
      throw misfit(
        "\(word) is no number of \(name) from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// The bytes of a file.
///
/// - Parameter remedy: What to do where there is none.
public func contents(of file: String, remedy: String = "check the name") throws -> Data {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
    throw Complaint("there is no file \(file); \(remedy)", .noInput)
  }
  if isFolder.boolValue { throw Complaint("\(file) is a folder; name a file", .noInput) }
  do {
    return try Data(contentsOf: URL(filePath: file))
  } catch {
    throw Complaint("\(file) cannot be read; check its permissions", .noInput)
  }
}
