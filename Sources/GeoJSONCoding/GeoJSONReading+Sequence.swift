extension JSONScanner {
  static let recordSeparator: UInt8 = 0x1E

  /// Whether the text is a sequence of features; see `GeoJSONReader.Framing.automatic`.
  ///
  /// - Complexity: O(first line).
  var looksLikeSequence: Bool {
    if next == JSONScanner.recordSeparator { return true }
    guard next == UInt8(ascii: "{"), let lineEnd = index(of: 0x0A, from: position) else {
      return false
    }
    var following = self
    following.position = lineEnd
    following.skipWhitespace()
    return following.next == UInt8(ascii: "{")
      && closesBraces(bytes[position..<lineEnd], countingBrackets: true)
  }

  /// The first index of a byte at or after `start`; nil if there is none.
  func index(of byte: UInt8, from start: Int) -> Int? {
    bytes[start..<bytes.count].firstIndex(of: byte)
  }

  /// Moves to the next piece of the text that is not blank, and ends the text behind it, before the
  /// separator and white space.
  ///
  /// - Parameter start: Where to look for it; afterwards, where to look for the one behind it.
  /// - Returns: Whether there is one.
  mutating func beginPiece(at start: inout Int, before separator: UInt8) -> Bool {
    while start < bytes.count {
      position = start
      end = index(of: separator, from: start) ?? bytes.count
      start = end + 1
      skipWhitespace()
      guard position < end else { continue }
      while isWhitespace(bytes[end - 1]) { end -= 1 }
      return true
    }
    return false
  }
}

/// Whether as many braces close as open, apart from those in strings; also brackets, if they count.
@inlinable
package func closesBraces(
  _ line: some Sequence<UInt8>, countingBrackets: Bool = false
) -> Bool {
  var depth = 0
  var isString = false, isEscaped = false
  for byte in line {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\"): isEscaped = isString
    case UInt8(ascii: "\""): isString.toggle()
    case UInt8(ascii: "{") where !isString: depth += 1
    case UInt8(ascii: "}") where !isString: depth -= 1
    case UInt8(ascii: "[") where !isString && countingBrackets: depth += 1
    case UInt8(ascii: "]") where !isString && countingBrackets: depth -= 1
    default: break
    }
  }
  return depth == 0 && !isString
}

extension GeoJSONReading {
  /// Reads records up to the end; an invalid one does not affect the others.
  mutating func readSequence() -> GeoJSONDocument {
    let separator: UInt8 =
      scanner.next == JSONScanner.recordSeparator ? JSONScanner.recordSeparator : 0x0A
    var place = scanner.position
    while !isStopped, scanner.beginPiece(at: &place, before: separator) { readSequenceRecord() }
    return GeoJSONDocument(form: .sequence)
  }

  /// Reads the text between two separators, which is a record even if it is not JSON.
  private mutating func readSequenceRecord() {
    let start = scanner.position
    let line = scanner.line(at: start)
    do throws(GeoJSONError) {
      _ = try readRoot()
    } catch {
      deliver(.failure(error), start..<scanner.end, line)
    }
  }
}
