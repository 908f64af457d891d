import GeoJSONCoding

/// A GeoJSON file that an option names, packed with gzip or not, read whole.
enum GeoJSONFile {
  static func features(of file: FileName) throws(CommandError) -> [Feature] {
    try features(in: try Files.bytes(of: file), of: file)
  }

  /// The features in the bytes of a file.
  static func features(
    in bytes: [UInt8], of file: FileName
  ) throws(CommandError) -> [Feature] {
    let bytes = try Files.unpacked(bytes, of: file)
    do throws(GeoJSONError) { return try GeoJSONReader().features(in: bytes) } catch {
      throw CommandError(error.code, "\(file.text): \(error)", status: .badData)
    }
  }
}
