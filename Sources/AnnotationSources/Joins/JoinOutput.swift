import AnnotationImport
import Geodesy

/// Where the rows of a join go: some left rows at a time, so that memory does not grow with them.
package struct JoinOutput {
  package var writer: JoinWriter
  package let file: FileName?
  package let isQuiet: Bool
  package let progress: ProgressReport

  package init(writer: JoinWriter, file: FileName?, isQuiet: Bool, progress: ProgressReport) {
    self.writer = writer
    self.file = file
    self.isQuiet = isQuiet
    self.progress = progress
  }

  /// The most left rows that are in memory with what was found for them.
  private static let mostRows = 1 << 16
  /// About as many matches are in memory at a time.
  private static let matchesAtOnce = 1 << 20

  /// Writes the rows of all left annotations.
  ///
  /// - Parameter density: How many matches a left row may have at most.
  /// - Returns: How many matches there are.
  package func write(
    _ lefts: ImportedAnnotations, _ search: some JoinAnswering, density: Int
  ) throws -> Int {
    let sink = isQuiet ? nil : try OutputSink(file)
    let writer = isQuiet ? nil : writer
    defer { progress.finish() }
    var bytes = self.writer.format.head(self.writer.table)
    var isFirst = true
    var matches = 0
    var rows = lefts[...]
    // Where rows may have many matches, how many they have is first found out with a few.
    var atOnce = density <= 16 ? Self.mostRows : 16
    while !rows.isEmpty {
      let part = rows.prefix(atOnce)
      rows = rows.dropFirst(part.count)
      let (texts, found) = try AwaitedWork.result { await search.texts(of: part, writer) }
      matches += found
      if density > 16 {
        let room = Self.matchesAtOnce * part.count / max(found, 1)
        atOnce = min(Self.mostRows, max(1, min(room, atOnce * 8)))
      }
      progress.update(rows: (lefts.count - rows.count) & ~1023, of: lefts.count)
      guard let sink else { continue }
      for text in texts where !text.isEmpty {
        if !isFirst { bytes += self.writer.format.separator.utf8 }
        isFirst = false
        bytes += text
        try sink.writeChunk(&bytes)
      }
    }
    if let sink {
      try sink.write(bytes + Array(self.writer.format.tail.utf8))
      try sink.finish()
    }
    return matches
  }

  /// Writes a row for each area, with how many left annotations lie in it.
  ///
  /// - Returns: The sum of these.
  package func writeCounts(_ lefts: ImportedAnnotations, _ search: AreaJoin) throws -> Int {
    defer { progress.finish() }
    var counts = [Int](repeating: 0, count: search.offsets.count)
    var rows = lefts[...]
    while !rows.isEmpty {
      let part = rows.prefix(Self.mostRows)
      rows = rows.dropFirst(part.count)
      for (area, count) in search.counts(of: part).enumerated() { counts[area] += count }
      progress.update(rows: (lefts.count - rows.count) & ~1023, of: lefts.count)
    }
    if !isQuiet {
      var writer = writer
      for (offset, count) in zip(search.offsets, counts) {
        writer.append(JoinRow(right: offset, count: count))
      }
      let format = writer.format
      try Files.write(
        format.head(writer.table) + writer.bytes + Array(format.tail.utf8), to: file)
    }
    return counts.reduce(0, +)
  }
}
