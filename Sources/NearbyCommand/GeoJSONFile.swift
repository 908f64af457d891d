import AnnotationImport
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
    let bytes = try unpacked(bytes, of: file)
    do throws(GeoJSONError) { return try GeoJSONReader().features(in: bytes) } catch {
      throw CommandError(error.code, "\(file.text): \(error)", status: .badData)
    }
  }

  private static func unpacked(
    _ bytes: [UInt8], of file: FileName
  ) throws(CommandError) -> [UInt8] {
    guard GzipInflater.isGzip(bytes) else { return bytes }
    do throws(GzipInflater.Damage) { return try GzipInflater.inflate(bytes) } catch {
      throw CommandError(
        "gzip-damaged",
        "\(file.text): the gzip packing is damaged (\(error.detail)); fetch or pack it again",
        status: .badData)
    }
  }
}
