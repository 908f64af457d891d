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
  /// The end of the first record decides: old Macintosh files break lines with a carriage return
  /// alone, while in any other file such a byte is content.
  package func withLineEnds(of bytes: UnsafeBufferPointer<UInt8>) -> DelimitedDialect {
    var dialect = self
    dialect.endsAtCarriageReturn = true
    var reader = DelimitedReader(bytes, dialect: dialect)
    let end = bytes[(reader.next()?.end ?? bytes.count)...]
    dialect.endsAtCarriageReturn =
      end.first == .carriageReturn && end.dropFirst().first != .lineFeed
    return dialect
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

/// The range of a cell's content in the bytes of its file, without quotes.
package struct DelimitedCell: Sendable {
  package let start: Int
  package let end: Int
  /// Whether the content has doubled quotes, so that its text differs from its bytes.
  package private(set) var hasDoubledQuotes = false

  var range: Range<Int> { start..<end }
}

/// The range of a record in the bytes of its file.
package struct DelimitedRecord: Sendable {
  /// The offset of its first byte.
  package let start: Int
  /// The offset after its last byte; the line end is not included.
  package let end: Int
  /// The line where it begins, from 1.
  package let line: Int
  /// The line of a quote that is not properly closed; nil for a valid record.
  package private(set) var unclosedQuoteLine: Int?
  /// Whether that quote does close on its line, and text follows it.
  package private(set) var hasTextAfterQuote = false

  /// Whether the record is empty.
  package var isBlank: Bool { start == end }
}

/// Reads records and cells from bytes, one record at a time, without copying.
///
/// The grammar is RFC 4180 with these rules for what it leaves open. Line feed, carriage return and
/// line feed, and, in some dialects, carriage return alone end a record; a line end at the end of
/// the bytes starts no further record. A quote counts only as the first byte of a cell and is a
/// character anywhere else; spaces between a closing quote and the delimiter are dropped, all
/// others are content. A quote followed by anything else, or not closed before the end of the
/// bytes, makes its record malformed: the record then ends with the line of the opening quote, so a
/// stray quote costs one line and not the rest of the file.
///
/// - Complexity: O(*n*) for *n* bytes: a search after a malformed quote ends at the next quote, so
///   no byte is read more than twice.
///
/// Source: Y. Shafranovich, RFC 4180 §2.
package struct DelimitedReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let dialect: DelimitedDialect
  private let quote: UInt8
  private let hasQuote: Bool
  /// The first byte of the delimiter, and whether more follow.
  private let delimiter: UInt8
  private let isLongDelimiter: Bool
  private let hasComments: Bool
  /// The second byte that ends a record; a line feed again if there is only one.
  private let otherLineEnd: UInt8
  /// The offset of the next record.
  package private(set) var position: Int
  /// The line of the next record, from 1.
  package private(set) var line: Int
  /// The number of cells in the last record; for a malformed one, those before the quote.
  ///
  /// Cells beyond `cellLimit` are counted but not kept.
  package private(set) var cellCount = 0
  /// The maximum number of cells kept for a record: four times as many as the widest spreadsheet has.
  ///
  /// Otherwise a file without line ends would take twelve times its size.
  package static let cellLimit = 65_536
  /// Cells of a record; the memory is reused for the next.
  private var slots: [DelimitedCell] = []

  /// - Parameters:
  ///   - bytes: The text, in UTF-8 or any other ASCII-compatible encoding.
  ///   - position: The offset of the first record to read.
  ///   - line: The line where that record begins.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, dialect: DelimitedDialect, from position: Int = 0,
    line: Int = 1
  ) {
    self.bytes = bytes
    self.dialect = dialect
    self.position = position
    self.line = line
    quote = dialect.quote ?? 0
    hasQuote = dialect.quote != nil
    delimiter = dialect.delimiter[0]
    isLongDelimiter = dialect.delimiter.count > 1
    hasComments = !dialect.comment.isEmpty
    otherLineEnd = dialect.endsAtCarriageReturn ? .carriageReturn : .lineFeed
  }

  /// A cell of the last record, from 0.
  package subscript(column: Int) -> DelimitedCell {
    precondition(column < cellCount, "there is no cell \(column) of \(cellCount)")
    return slots[column]
  }

  /// The cells of the last record, at most `cellLimit`.
  package var cells: ArraySlice<DelimitedCell> {
    slots[..<min(cellCount, DelimitedReader.cellLimit)]
  }

  /// Whether the cells of the last record are all empty or blank, as in the rows that spreadsheets leave below a table.
  var isEmptyRow: Bool {
    guard cellCount <= DelimitedReader.cellLimit else { return false }
    return (0..<cellCount).allSatisfy { column in
      bytes[slots[column].range].allSatisfy(DecimalParser.isBlank)
    }
  }

  /// Reserves memory for the cells of a record.
  mutating func reserve(_ count: Int) { slots.reserveCapacity(count) }

  /// Moves to the offset of a record; line numbers are then wrong.
  mutating func move(to position: Int) { self.position = position }

  /// Reads the next record and its cells; nil at the end of the bytes.
  package mutating func next() -> DelimitedRecord? {
    if hasComments { skipComments() }
    guard position < bytes.count else { return nil }
    cellCount = 0
    let start = position
    let firstLine = line
    while true {
      switch nextCell() {
      case .cell(let cell):
        append(cell)
      case .last(let cell, let recordEnd):
        append(cell)
        return DelimitedRecord(start: start, end: recordEnd, line: firstLine)
      case .unclosed(let quoteLine, let hasTextAfter, let recordEnd):
        return DelimitedRecord(
          start: start, end: recordEnd, line: firstLine, unclosedQuoteLine: quoteLine,
          hasTextAfterQuote: hasTextAfter)
      }
    }
  }

  @inline(__always)
  private mutating func append(_ cell: DelimitedCell) {
    if cellCount < slots.count {
      slots[cellCount] = cell
    } else if cellCount < DelimitedReader.cellLimit {
      slots.append(cell)
    }
    cellCount += 1
  }

  /// The cell of a column, from 0, in the record at `position`; nil if it has none.
  package mutating func cell(_ column: Int) -> DelimitedCell? {
    var left = column
    while true {
      switch nextCell() {
      case .cell(let cell):
        if left == 0 { return cell }
        left -= 1
      case .last(let cell, _): return left == 0 ? cell : nil
      case .unclosed: return nil
      }
    }
  }

  /// Reads the cells of the record at `position` up to a column.
  mutating func readCells(through column: Int) {
    cellCount = 0
    while cellCount <= column {
      switch nextCell() {
      case .cell(let cell): append(cell)
      case .last(let cell, _): return append(cell)
      case .unclosed: return
      }
    }
  }

  /// The raw bytes of a cell, including doubled quotes.
  func bytes(_ cell: DelimitedCell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[cell.range])
  }

  private enum Step {
    case cell(DelimitedCell)
    case last(DelimitedCell, recordEnd: Int)
    case unclosed(quoteLine: Int, hasTextAfter: Bool, recordEnd: Int)
  }

  @inline(__always)
  private mutating func nextCell() -> Step {
    let start = position
    if hasQuote, start < bytes.count, bytes[start] == quote { return quotedCell() }
    if isLongDelimiter { return plainCell() }
    let delimiter = delimiter
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      if byte == delimiter {
        position = at + 1
        return .cell(DelimitedCell(start: start, end: at))
      }
      if byte == .lineFeed || byte == otherLineEnd { break }
      at += 1
    }
    let end = endRecord(at: at, notBefore: start)
    return .last(DelimitedCell(start: start, end: end), recordEnd: end)
  }

  /// Reads a cell without quotes before a delimiter of several bytes; a separate function, to keep
  /// the common loop short.
  @inline(never)
  private mutating func plainCell() -> Step {
    let start = position
    var at = start
    while at < bytes.count, bytes[at] != .lineFeed, bytes[at] != otherLineEnd {
      if isDelimiter(at) {
        position = at + dialect.delimiter.count
        return .cell(DelimitedCell(start: start, end: at))
      }
      at += 1
    }
    let end = endRecord(at: at, notBefore: start)
    return .last(DelimitedCell(start: start, end: end), recordEnd: end)
  }

  /// Moves past the line end at an offset (or to the end of the bytes) and returns the end of the
  /// content before it.
  private mutating func endRecord(at lineEnd: Int, notBefore start: Int) -> Int {
    line += 1
    position = min(lineEnd + 1, bytes.count)
    if lineEnd < bytes.count, bytes[lineEnd] == .carriageReturn {
      if position < bytes.count, bytes[position] == .lineFeed { position += 1 }
      return lineEnd
    }
    // The carriage return of a CR LF, or of one cut off by the end of the bytes.
    let hasCarriageReturn = lineEnd > start && bytes[lineEnd - 1] == .carriageReturn
    return hasCarriageReturn ? lineEnd - 1 : lineEnd
  }

  private mutating func quotedCell() -> Step {
    let opening = position
    let openingLine = line
    var hasDoubledQuotes = false
    var hasTextAfter = false
    var at = opening + 1
    while at < bytes.count {
      let byte = bytes[at]
      if byte == quote {
        if at + 1 < bytes.count, bytes[at + 1] == quote {
          hasDoubledQuotes = true
          at += 2
          continue
        }
        let cell = DelimitedCell(
          start: opening + 1, end: at, hasDoubledQuotes: hasDoubledQuotes)
        if let step = close(cell) { return step }
        // On a later line, it is rather the opening quote of another cell.
        hasTextAfter = line == openingLine
        break
      }
      if byte == .lineFeed || (byte == otherLineEnd && !isLineFeed(at + 1)) { line += 1 }
      at += 1
    }
    line = openingLine
    let end = endRecord(at: lineEnd(from: opening), notBefore: opening)
    return .unclosed(quoteLine: openingLine, hasTextAfter: hasTextAfter, recordEnd: end)
  }

  /// Moves past a quoted cell; nil if the quote is not followed by the cell's end.
  private mutating func close(_ cell: DelimitedCell) -> Step? {
    var at = cell.end + 1
    while at < bytes.count, !isDelimiter(at), bytes[at] == .space || bytes[at] == .tab { at += 1 }
    if isDelimiter(at) {
      position = at + dialect.delimiter.count
      return .cell(cell)
    }
    let isCarriageReturnOfLineEnd =
      at < bytes.count && bytes[at] == .carriageReturn
      && (at + 1 == bytes.count || isLineFeed(at + 1))
    if isCarriageReturnOfLineEnd, at + 1 < bytes.count { at += 1 }
    guard
      at >= bytes.count || bytes[at] == .lineFeed || bytes[at] == otherLineEnd
        || isCarriageReturnOfLineEnd
    else { return nil }
    let end = endRecord(at: at, notBefore: cell.end + 1)
    return .last(cell, recordEnd: end)
  }

  private func isDelimiter(_ at: Int) -> Bool {
    guard at < bytes.count, bytes[at] == delimiter else { return false }
    return !isLongDelimiter || bytes[at...].starts(with: dialect.delimiter)
  }

  /// Skips comment lines.
  private mutating func skipComments() {
    while position < bytes.count, bytes[position...].starts(with: dialect.comment) {
      _ = endRecord(at: lineEnd(from: position), notBefore: position)
    }
  }

  /// The offset of the next line end, or the end of the bytes.
  private func lineEnd(from start: Int) -> Int {
    bytes[start...].firstIndex { $0 == .lineFeed || $0 == otherLineEnd } ?? bytes.count
  }

  private func isLineFeed(_ at: Int) -> Bool { at < bytes.count && bytes[at] == .lineFeed }
}

extension DelimitedReader {
  /// The text of a cell, with doubled quotes made single.
  package func text(_ cell: DelimitedCell) -> String {
    let content = bytes(cell)
    guard cell.hasDoubledQuotes else { return String(decoding: content, as: UTF8.self) }
    var single: [UInt8] = []
    single.reserveCapacity(content.count)
    var at = 0
    while at < content.count {
      single.append(content[at])
      // Every quote inside is followed by its double.
      at += content[at] == quote ? 2 : 1
    }
    return String(decoding: single, as: UTF8.self)
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
