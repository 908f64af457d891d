/// The syntax of a file of delimited records: cell delimiter, quotes, and record end.
package struct DelimitedDialect: Hashable, Sendable {
  /// The separator of cells: at least one byte, without line breaks.
  package var delimiter: [UInt8]
  /// The quote byte; nil if quotes are ordinary characters.
  package var quote: UInt8?
  /// Whether a carriage return on its own ends a record.
  ///
  /// A line feed always does, together with a carriage return before it.
  package var endsAtCarriageReturn: Bool
  /// The beginning of comment lines; empty if there are none.
  package var comment: [UInt8]

  package init(
    delimiter: [UInt8] = [.comma], quote: UInt8? = .doubleQuote,
    endsAtCarriageReturn: Bool = false, comment: [UInt8] = []
  ) {
    precondition(!delimiter.isEmpty, "a delimiter has at least one byte")
    self.delimiter = delimiter
    self.quote = quote
    self.endsAtCarriageReturn = endsAtCarriageReturn
    self.comment = comment
  }

  /// The dialect with the line ends of a text.
  ///
  /// The first line break outside quotes decides: old Macintosh files break lines with a carriage
  /// return alone, while in any other file such a byte is content.
  package func withLineEnds(of bytes: UnsafeBufferPointer<UInt8>) -> DelimitedDialect {
    var dialect = self
    var at = 0
    var startsCell = true
    while at < bytes.count {
      let byte = bytes[at]
      if startsCell, byte == quote {
        at = closingQuote(in: bytes, from: at + 1)
        guard at < bytes.count else { break }
      } else if byte == .lineFeed {
        break
      } else if byte == .carriageReturn {
        dialect.endsAtCarriageReturn = at + 1 == bytes.count || bytes[at + 1] != .lineFeed
        break
      }
      startsCell =
        bytes[at] == delimiter[0]
        && (delimiter.count == 1 || bytes[at...].starts(with: delimiter))
      at += startsCell ? delimiter.count : 1
    }
    return dialect
  }

  /// Whether a record is open behind a line of it: a quote that began a cell has not closed.
  ///
  /// - Parameter beganInQuotes: Whether it was open before that line.
  package func endsInQuotes(
    _ line: UnsafeBufferPointer<UInt8>, beganInQuotes: Bool
  ) -> Bool {
    guard let quote, line.contains(quote) else { return beganInQuotes }
    var at = 0
    var isInQuotes = beganInQuotes
    while true {
      if !isInQuotes, at < line.count, line[at] == quote {
        isInQuotes = true
        at += 1
      }
      if isInQuotes {
        at = closingQuote(in: line, from: at)
        guard at < line.count else { return true }
        isInQuotes = false
      }
      guard let end = line[at...].firstIndex(of: delimiter[0]) else { return false }
      at = end + 1
    }
  }

  /// The offset of the quote that closes a cell, or the end of the bytes; a doubled quote is content.
  private func closingQuote(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      let isQuote = bytes[at] == quote
      let isDoubled = isQuote && at + 1 < bytes.count && bytes[at + 1] == quote
      if isQuote, !isDoubled { break }
      at += isDoubled ? 2 : 1
    }
    return at
  }

  /// The dialect with the delimiter of a text's first records: comma, tab, semicolon or vertical
  /// bar.
  ///
  /// The delimiter that gives the most records the same number of cells, at least two, is used; of
  /// several, the one with the most cells; a comma if none gives two.
  package func withDelimiter(guessedFrom bytes: UnsafeBufferPointer<UInt8>) -> DelimitedDialect {
    var best = (dialect: self, agreement: 0.0, cells: 1)
    for candidate in [UInt8.comma, .tab, .semicolon, .verticalBar] where candidate != quote {
      var dialect = self
      dialect.delimiter = [candidate]
      var reader = DelimitedReader(bytes, dialect: dialect)
      var recordsByCellCount: [Int: Int] = [:]
      var records = 0
      while records < 20, let record = reader.next() {
        if record.isBlank { continue }
        records += 1
        guard record.unclosedQuoteLine == nil else { continue }
        recordsByCellCount[reader.cellCount, default: 0] += 1
      }
      let most = recordsByCellCount.filter { $0.key > 1 }
        .max { ($0.value, $0.key) < ($1.value, $1.key) }
      guard let (cells, count) = most else { continue }
      let agreement = Double(count) / Double(records)
      if (agreement, cells) > (best.agreement, best.cells) { best = (dialect, agreement, cells) }
    }
    return best.dialect
  }
}

extension UInt8 {
  package static let tab = UInt8(ascii: "\t")
  package static let lineFeed = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let space = UInt8(ascii: " ")
  package static let doubleQuote = UInt8(ascii: "\"")
  package static let comma = UInt8(ascii: ",")
  package static let semicolon = UInt8(ascii: ";")
  package static let verticalBar = UInt8(ascii: "|")
}
