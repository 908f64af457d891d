import Geodesy
import MapAnnotations

/// A pattern as in SQL's `LIKE`: `%` is any text, `_` any one character, and a backslash escapes the next character.
///
/// Characters are compared as Swift compares them: canonically equivalent ones are equal.
struct LikePattern: Hashable, Sendable {
  private enum Part: Hashable {
    case anything
    case anyCharacter
    case character(Character)
  }

  private let parts: [Part]
  /// The pattern for ASCII texts, with non-ASCII bytes as wildcards; nil where it has other characters.
  private let bytes: [UInt8]?
  private let ignoresCase: Bool

  private static let anything: UInt8 = 0xFF
  private static let anyByte: UInt8 = 0xFE

  /// - Parameter ignoresCase: Whether case and width do not matter, as in `FoldedText`.
  init(_ pattern: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [Part] = []
    var run = ""
    func endRun() {
      let text = ignoresCase ? String(decoding: FoldedText(run).bytes, as: UTF8.self) : run
      parts += text.map { .character($0) }
      run = ""
    }
    var isTaken = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isTaken: isTaken = true
      case "%" where !isTaken:
        endRun()
        if parts.last != .anything { parts.append(.anything) }
      case "_" where !isTaken:
        endRun()
        parts.append(.anyCharacter)
      default:
        run.unicodeScalars.append(scalar)
        isTaken = false
      }
    }
    // A backslash at the end stands for itself.
    if isTaken { run += "\\" }
    endRun()
    self.parts = parts
    var bytes: [UInt8]? = []
    for part in parts {
      switch part {
      case .anything: bytes?.append(LikePattern.anything)
      case .anyCharacter: bytes?.append(LikePattern.anyByte)
      case .character(let character):
        // A line break may be two bytes.
        guard character.utf8.count == 1, let byte = character.asciiValue else {
          bytes = nil
          break
        }
        bytes?.append(byte)
      }
    }
    self.bytes = bytes
  }

  /// Whether the whole text matches the pattern.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // With a carriage return, two bytes may be one character.
    if let bytes, text.isASCII, !text.contains(0x0D) {
      return bytes.withUnsafeBufferPointer { bytes in
        LikePattern.matches(
          text.count, bytes.count, isAnything: { bytes[$0] == LikePattern.anything }
        ) { place, part in
          let byte = ignoresCase ? text[place].lowercasedASCII : text[place]
          return bytes[part] == LikePattern.anyByte || bytes[part] == byte
        }
      }
    }
    let characters = Array(
      String(
        decoding: ignoresCase ? FoldedText(utf8: text).bytes : Array(text), as: UTF8.self))
    return LikePattern.matches(
      characters.count, parts.count, isAnything: { parts[$0] == .anything }
    ) { place, part in
      parts[part] == .anyCharacter || parts[part] == .character(characters[place])
    }
  }

  /// Whether the parts match the places one by one, with `%` matching any number of places.
  ///
  /// - Complexity: O(*n* + *m*) where at most one part is `%`, O(*n* · *m*) at worst.
  @inline(__always)
  private static func matches(
    _ count: Int, _ partCount: Int, isAnything: (Int) -> Bool,
    fits: (_ place: Int, _ part: Int) -> Bool
  ) -> Bool {
    var place = 0
    var part = 0
    // After the last `%`: the part that follows it, and the place where that was last tried.
    var retry: (part: Int, place: Int)?
    while place < count {
      if part < partCount, isAnything(part) {
        part += 1
        retry = (part, place)
      } else if part < partCount, fits(place, part) {
        place += 1
        part += 1
      } else if let last = retry {
        retry = (last.part, last.place + 1)
        (part, place) = (last.part, last.place + 1)
      } else {
        return false
      }
    }
    while part < partCount, isAnything(part) { part += 1 }
    return part == partCount
  }
}
