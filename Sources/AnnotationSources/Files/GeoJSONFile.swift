import GeoJSONCoding

/// A GeoJSON file that an option names, packed with gzip or not, read whole.
package enum GeoJSONFile {
  package static func features(of file: FileName) throws(ReportedError) -> [Feature] {
    try features(in: try Files.bytes(of: file), of: file)
  }

  /// The features in the bytes of a file.
  package static func features(
    in bytes: [UInt8], of file: FileName, onRecord: (GeoJSONRecord) -> Void = { _ in },
    onDocument: (GeoJSONDocument) -> Void = { _ in }
  ) throws(ReportedError) -> [Feature] {
    let bytes = try Files.unpacked(bytes, of: file)
    do throws(GeoJSONError) {
      return try GeoJSONReader().features(
        in: bytes, onRecord: onRecord, onDocument: onDocument)
    } catch {
      let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
      guard error.reason != .syntax || first == UInt8(ascii: "{") else {
        throw ReportedError(
          "format-unknown",
          "\(file.text) is not GeoJSON; give areas and outlines as a GeoJSON file",
          fault: .badData)
      }
      throw ReportedError(error.code, "\(file.text): \(error)", fault: .badData)
    }
  }
}
