import Geodesy

/// Lines of text for a terminal that is narrower than they are.
///
/// A number stays with its unit, a duration whole, and an option with what it is set to: `4 min 0 s`
/// ends no line before `s`. A no-break space (U+00A0) holds any other two words together, and is
/// written as a space.
///
/// Works on bytes: an explained track of a million fixes has some four million lines.
package enum LineWrapping {
  private static let timeUnits = ["h", "min", "s"].map { Array($0.utf8) }
  private static let units =
    timeUnits + ["m", "km", "cm", "mm", "ms", "m/s", "km/h", "°", "%"].map { Array($0.utf8) }

  /// A text in lines of so many columns, as far as its words allow.
  package static func lines(_ text: String, columns: Int) -> [String] {
    wrapped(text, columns: columns).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A text behind what stands before it, or under that, with the line's end.
  ///
  /// - Parameters:
  ///   - head: What stands before it, with the spaces in between.
  ///   - width: Columns of the terminal.
  ///   - indent: How far the text is from the edge if it stands under the head; nil for behind it.
  ///   - isCut: Whether it is one line, cut where it is longer; else it takes as many as it needs.
  package static func line(
    _ head: String, _ text: String, width: Int, under indent: Int? = nil, isCut: Bool = false
  ) -> String {
    let margin = indent ?? DisplayWidth.columns(of: head)
    let room = max(8, width - margin)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(head.utf8.count + 2 * (text.utf8.count + margin) + 2)
    if head.utf8.allSatisfy({ $0 == space }) {
      appendSpaces(margin, to: &bytes)
    } else {
      bytes += head.utf8
      if indent != nil { beginLine(margin, &bytes) }
    }
    if isCut {
      bytes += TerminalText.truncated(text, to: room).utf8
    } else {
      for (place, line) in wrapped(text, columns: room).enumerated() {
        if place > 0 { beginLine(margin, &bytes) }
        bytes += line
      }
    }
    endLine(&bytes)
    // Lines of nothing are left out, but not all there is.
    return bytes.isEmpty ? "\n" : String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Lines

  private static let space = UInt8(ascii: " ")

  private static func beginLine(_ margin: Int, _ bytes: inout [UInt8]) {
    endLine(&bytes)
    appendSpaces(margin, to: &bytes)
  }

  /// Ends a line without spaces at its end; one of nothing else is taken back.
  private static func endLine(_ bytes: inout [UInt8]) {
    while bytes.last == space { bytes.removeLast() }
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
  }

  private static func appendSpaces(_ count: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(space, count: max(0, count)))
  }

  private static func wrapped(_ text: String, columns: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var used = 0
    for piece in pieces(of: text) {
      let width = self.columns(of: piece)
      let comma = width > columns ? piece.firstIndex(of: UInt8(ascii: ",")) : nil
      if let comma, comma != piece.count - 1 {
        // A position that no line has room for.
        lines += [Array(piece[...comma]), Array(piece[(comma + 1)...])]
        used = columns
      } else if !lines.isEmpty, used + 1 + width <= columns {
        lines[lines.count - 1].append(space)
        lines[lines.count - 1] += piece
        used += 1 + width
      } else {
        lines.append(piece)
        used = width
      }
    }
    return lines.isEmpty ? [[]] : lines
  }

  private static func columns(of piece: [UInt8]) -> Int {
    let isPlain = piece.allSatisfy { (0x20..<0x7F).contains($0) }
    return isPlain ? piece.count : DisplayWidth.columns(of: String(decoding: piece, as: UTF8.self))
  }

  // MARK: Words

  /// Words, with those joined that stay on one line.
  private static func pieces(of text: String) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var text = text
    text.withUTF8 { bytes in
      var last: Slice<UnsafeBufferPointer<UInt8>>?
      for word in bytes.split(separator: space) {
        if let last, stays(word, with: last) {
          pieces[pieces.count - 1].append(space)
        } else {
          pieces.append([])
          pieces[pieces.count - 1].reserveCapacity(word.count + 16)
        }
        append(word, to: &pieces[pieces.count - 1])
        last = word
      }
    }
    return pieces
  }

  /// Appends a word, its no-break spaces (C2 A0) as spaces.
  private static func append(_ word: Slice<UnsafeBufferPointer<UInt8>>, to piece: inout [UInt8]) {
    for byte in word {
      if byte == 0xA0, piece.last == 0xC2 {
        piece[piece.count - 1] = space
      } else {
        piece.append(byte)
      }
    }
  }

  private static func stays(
    _ word: Slice<UnsafeBufferPointer<UInt8>>, with last: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    if last.last?.isASCIIDigit ?? false { return isOne(of: units, unpunctuated(word)) }
    // What follows a full unit of time is the rest of a duration.
    if isOne(of: timeUnits, last) { return word.allSatisfy(\.isASCIIDigit) }
    return isOption(last) && !isOption(word)
  }

  private static func isOption(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    word.prefix(2).elementsEqual("--".utf8)
  }

  private static func isOne(
    of units: [[UInt8]], _ word: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    units.contains { $0.count == word.count && $0.elementsEqual(word) }
  }

  private static func unpunctuated(
    _ word: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    var word = word
    while let end = word.last, ",.;:)".utf8.contains(end) { word.removeLast() }
    return word
  }
}

/// A text with a caret under one of its characters.
package enum Caret {
  private static let width = 72

  /// Two lines; a long text is cut down to what stands around the place.
  package static func lines(under column: Int, of text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
    let place = min(max(column - 1, 0), scalars.count)
    let start = scalars.count <= width ? 0 : max(0, min(place - width / 2, scalars.count - width))
    let end = min(scalars.count, start + width)
    func shown(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return TerminalText.sanitized(String(view))
    }
    let before = (start > 0 ? "…" : "") + shown(start..<min(place, end))
    let after = shown(min(place, end)..<end) + (end < scalars.count ? "…" : "")
    let blanks = String(repeating: " ", count: DisplayWidth.columns(of: before))
    return "  \(before)\(after)\n  \(blanks)^"
  }
}
