import AnnotationImport

extension Files {
  /// Unpacks the bytes of a file that is read beside the sources, as an area, where they are packed with
  /// gzip.
  static func unpacked(_ bytes: [UInt8], of file: FileName) throws(CommandError) -> [UInt8] {
    do throws(GzipFailure) { return try GzipInflater.unpacked(bytes) } catch {
      throw CommandError(
        error.code, "\(file.text): \(error.withoutOption)", status: .badData)
    }
  }
}
