import GeoJSONCoding

/// The kept records of a source, most often features: a text that has them, and where each is.
struct KeptRecords {
  private(set) var bytes: [UInt8]
  private(set) var starts = RowOffsets()
  private(set) var ends = RowOffsets()
  /// The last line of those that are written here.
  private var line = 1
  private var writer = JSONWriter()

  /// - Parameter bytes: A source that has the features; empty if they are written here.
  init(in bytes: [UInt8] = []) { self.bytes = bytes }

  /// Keeps a feature that is in the bytes.
  mutating func append(_ range: Range<Int>) {
    starts.append(range.lowerBound)
    ends.append(range.upperBound)
  }

  /// Writes the feature of a record of another format, and keeps it, on the line of its record, if
  /// `judge` returns true.
  @discardableResult
  mutating func append(
    _ feature: Feature, record number: Int, at byteRange: Range<Int>, line: Int,
    ifKept judge: (ScannedRecord) -> Bool
  ) -> Bool {
    writer.removeAll()
    writer.feature(feature)
    // Before the next feature.
    writer.endLine()
    var isKept = false
    writer.bytes.withUnsafeBufferPointer { text in
      do throws(GeoJSONError) {
        try GeoJSONReader(framing: .document).scan(text) { scanned in
          isKept = judge(
            ScannedRecord(
              number: number, feature: scanned.feature, byteRange: byteRange, line: line))
          return .stop
        }
      } catch {
        isKept = judge(
          ScannedRecord(number: number, feature: .failure(error), byteRange: byteRange, line: line))
      }
    }
    if isKept { append(writer.bytes.dropLast(), line: line) }
    return isKept
  }

  /// Keeps a text, which is written on that line.
  mutating func append(_ text: ArraySlice<UInt8>, line: Int) {
    bytes.append(contentsOf: repeatElement(UInt8.lineFeed, count: max(0, line - self.line)))
    self.line = max(line, self.line)
    let start = bytes.count
    bytes += text
    append(start..<bytes.count)
  }
}
