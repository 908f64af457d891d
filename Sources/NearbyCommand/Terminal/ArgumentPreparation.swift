import AnnotationSources
import SystemCalls

// What the argument parser cannot do by itself: values that begin with a minus sign in every
// position, and file names that are not UTF-8.

/// The program's arguments, as text the parser takes for values.
enum ArgumentPreparation {
  /// Stands in for the minus sign of a value such as `-33.86`, which the parser would take for a
  /// flag.
  ///
  /// A private-use character: no one types it.
  private static let minus: Character = "\u{10F7FE}"
  /// Bytes that are not UTF-8 stand as private-use characters, this one plus the byte.
  private static let firstByte: UInt32 = 0x10F800

  /// The arguments as they were given, the program's name left out.
  static func arguments() -> [String] {
    var arguments: [String] = []
    for pointer in UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
    ).dropFirst() {
      guard let pointer else { break }
      arguments.append(text(of: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))))
    }
    return prepared(arguments)
  }

  /// Marks the values that look like flags, before any `--`: a `-` followed by a digit or a point,
  /// and the negative numbers that are none, so that they are refused as numbers.
  ///
  /// `--open`, the one option whose value may be left out, takes `now`, `arrival` or a time that stands right
  /// behind it, unless a file has that name: then the file is meant, and the value is `now`, as where nothing
  /// of the kind follows. `--open=now` and `./now` leave no question.
  static func prepared(
    _ arguments: [String], isFile: (String) -> Bool = { Files.exists(FileName(argument: $0)) }
  ) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var prepared: [String] = []
    var rest = arguments[..<end]
    while let argument = rest.popFirst() {
      guard argument.utf8.first == UInt8(ascii: "-") else {
        prepared.append(argument)
        continue
      }
      if argument == "--open" {
        if let next = rest.first, isMoment(next), !isFile(next) {
          prepared.append("--open=\(next)")
          rest.removeFirst()
        } else {
          prepared.append("--open=now")
        }
      } else {
        let isValue = isValue(argument.dropFirst())
        prepared.append(isValue ? String(minus) + argument.dropFirst() : argument)
      }
    }
    return prepared + arguments[end...]
  }

  /// Whether a text is a value of `--open`: `now`, `arrival`, `14:00`, `2026-11-22`, `2026-11-22T14:00+09:00`.
  private static func isMoment(_ text: String) -> Bool {
    if ["now", "arrival"].contains(text.lowercased()) { return true }
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard text.utf8.allSatisfy({ "0123456789:-+.TtZz ".utf8.contains($0) }) else { return false }
    let next = text.utf8.dropFirst(digits.count).first
    return (1...2).contains(digits.count) && next == UInt8(ascii: ":")
      || digits.count == 4 && next == UInt8(ascii: "-")
  }

  /// Whether what follows a minus sign is a value and not the name of a flag.
  private static func isValue(_ text: Substring) -> Bool {
    guard let first = text.utf8.first else { return false }
    return first == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      || ["inf", "infinity", "nan"].contains(text.lowercased())
  }

  /// The argument as it was typed, but for bytes that are not UTF-8.
  static func restored(_ argument: String) -> String {
    argument.first == minus ? "-" + argument.dropFirst() : argument
  }

  /// A message of the parser's with the arguments in it as they were typed.
  static func restoredThroughout(_ message: String) -> String {
    String(message.map { $0 == minus ? "-" : $0 })
  }

  /// Bytes as text that `bytes(of:)` gives back unchanged.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for byte in bytes {
      // A name with one wrong byte is unusual enough to give up on its other characters.
      let scalar = byte < 0x80 ? UInt32(byte) : firstByte + UInt32(byte)
      if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The bytes of a file name, as they were typed.
  static func bytes(of argument: String) -> [UInt8] {
    restored(argument).unicodeScalars.flatMap { scalar -> [UInt8] in
      (firstByte..<firstByte + 256).contains(scalar.value)
        ? [UInt8(scalar.value - firstByte)] : Array(String(scalar).utf8)
    }
  }
}

extension FileName {
  init(argument: String) { self.init(bytes: ArgumentPreparation.bytes(of: argument)) }
}
