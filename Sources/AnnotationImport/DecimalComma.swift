/// Whether a table writes its coordinates with decimal commas, as Excel does in German or French.
///
/// Then something other than a comma parts its cells, and the first rows have a comma in some
/// coordinates and a point in none. Numbers of thousands are not taken for decimals: of metres, one
/// must have other than three digits behind its comma.
struct DecimalComma {
  /// How many records are looked at.
  private static let recordsToLookAt = 200

  /// The first number that has one, as it is written; nil where points are the decimal marks.
  let example: String?

  init(
    in bytes: UnsafeBufferPointer<UInt8>, dialect: DelimitedDialect, header: Header,
    areMetres: Bool
  ) {
    var example: String?
    var isCertain = !areMetres
    var hasPoint = false
    let roles = header.roles
    if dialect.delimiter != [.comma], !roles.isPaired {
      var reader = DelimitedReader(bytes, dialect: dialect, from: header.dataStart)
      var records = 0
      while records < DecimalComma.recordsToLookAt, reader.next() != nil {
        records += 1
        for column in [roles.latitude, roles.longitude] where column < reader.cells.count {
          let cell = reader[column]
          if bytes[cell.start..<cell.end].contains(UInt8(ascii: ".")) { hasPoint = true }
          guard let decimals = DecimalComma.decimals(bytes[cell.start..<cell.end]) else { continue }
          example = example ?? reader.text(cell)
          if decimals != 3 { isCertain = true }
        }
      }
    }
    self.example = isCertain && !hasPoint ? example : nil
  }

  /// How many digits follow the one comma of a number; nil where a cell is not such a number.
  private static func decimals(_ cell: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var digits = cell.drop { DecimalParser.isBlank($0) }
    while let last = digits.last, DecimalParser.isBlank(last) { digits.removeLast() }
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") {
      digits.removeFirst()
    }
    let parts = digits.split(separator: .comma, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    return parts.count == 2 && isNumber ? parts[1].count : nil
  }
}
