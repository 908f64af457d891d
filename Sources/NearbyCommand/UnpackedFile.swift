import AnnotationImport

extension Files {
  /// The bytes of a file that is read beside the sources, as an area: unpacked where it is packed with
  /// gzip.
  static func unpackedBytes(of file: FileName) throws(CommandError) -> [UInt8] {
    let bytes = try bytes(of: file)
    do throws(GzipFailure) { return try GzipInflater.unpacked(bytes) } catch {
      throw CommandError(
        error.code, "\(file.text): \(error.withoutOption)", status: .badData)
    }
  }
}
