import AnnotationImport
import MapAnnotations
import NearbyTestSupport

/// Imports a text under a name that says what it is.
func importing(
  _ text: String, named name: String = "shops.csv",
  _ change: (inout ImportOptions) -> Void = { _ in }
) throws(ImportError) -> ImportResult {
  try importing(Array(text.utf8), named: name, change)
}

func importing(
  _ bytes: [UInt8], named name: String = "shops.csv",
  _ change: (inout ImportOptions) -> Void = { _ in }
) throws(ImportError) -> ImportResult {
  var options = ImportOptions()
  change(&options)
  return try AnnotationImporter(options: options).read(bytes, named: name)
}

/// The error that an import ends with; nil when it does not.
func importError(
  _ text: String, named name: String = "shops.csv",
  _ change: (inout ImportOptions) -> Void = { _ in }
) -> ImportError? {
  importError(Array(text.utf8), named: name, change)
}

func importError(
  _ bytes: [UInt8], named name: String = "shops.csv",
  _ change: (inout ImportOptions) -> Void = { _ in }
) -> ImportError? {
  do throws(ImportError) {
    _ = try importing(bytes, named: name, change)
    return nil
  } catch {
    return error
  }
}

/// The report on one record with an address and a position, after comparing the two.
func comparison(
  _ address: String, _ latitude: Double, _ longitude: Double
) throws(ImportError) -> ImportReport {
  let text = "name\taddress\tlat\tlon\na\t\(address)\t\(latitude)\t\(longitude)\n"
  return try importing(text, named: "shops.tsv") { $0.comparesRecords = true }.report
}

/// A gzip member in the plainest form: stored blocks, no compression (RFC 1951 §3.2.4, RFC 1952).
func gzipMember(_ content: [UInt8], statedLength: UInt32? = nil) -> [UInt8] {
  func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
  var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  var rest = content[...]
  repeat {
    let block = rest.prefix(65_535)
    rest = rest.dropFirst(block.count)
    member.append(rest.isEmpty ? 1 : 0)
    member += little(UInt32(block.count), 2) + little(~UInt32(block.count), 2) + block
  } while !rest.isEmpty
  return member + little(checksum(content), 4)
    + little(statedLength ?? UInt32(content.count), 4)
}

/// CRC-32 bit by bit (RFC 1952 §8).
private func checksum(_ bytes: [UInt8]) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 {
      let isOdd = crc & 1 == 1
      crc >>= 1
      if isOdd { crc ^= 0xEDB8_8320 }
    }
  }
  return ~crc
}
