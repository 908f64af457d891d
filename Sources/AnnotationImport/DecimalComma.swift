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
          guard let number = WrittenDecimal(cell, in: bytes, mark: .comma), number.digits > 0
          else { continue }
          example = example ?? reader.text(cell)
          if number.digits != 3 { isCertain = true }
        }
      }
    }
    self.example = isCertain && !hasPoint ? example : nil
  }
}
