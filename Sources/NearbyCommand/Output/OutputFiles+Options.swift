import AnnotationSources

extension OutputFiles {
  /// The file that an option names for what is written; nil where it names none.
  static func claim(
    _ name: String?, option: String = "-o"
  ) throws(ReportedError) -> FileName? {
    guard let name else { return nil }
    let file = FileName(argument: name)
    try claim(file, option: option)
    return file
  }
}
