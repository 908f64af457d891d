/// Whether a table writes its coordinates with decimal commas, as Excel does in German or French.
///
/// Then the cell separator is not a comma, and in the first rows some coordinates have a comma and
/// none a point. Thousands separators do not count: for meters, at least one number must not have
/// three digits after its comma.
struct DecimalComma {
  /// The number of records examined.
  private static let recordsToLookAt = 200

  /// The first number with a decimal comma, as written; nil if decimal points are used.
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

  /// The number of digits after the only comma of a number; nil if a cell is not such a number.
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
