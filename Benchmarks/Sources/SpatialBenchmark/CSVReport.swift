import Foundation

/// The results for programs: `peer,n,op,ns_per_op,checksum`, no header.
struct CSVReport {
  let result: Suite.Result

  var text: String {
    result.rows.map { row in
      let figure = String(format: "%.1f", row.best)
      return "\(row.peer),\(result.data.name),\(row.name),\(figure),\(row.checksum.checksumText)\n"
    }.joined()
  }
}
