import AnnotationSources
import Geodesy

/// What `--region` names: a preset, a box, or the polygons of a GeoJSON file.
enum RegionOption {
  static func region(_ text: String) throws(ReportedError) -> Region {
    if let preset = Region(named: text) { return preset }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ Double(trimmed($0)) != nil }) {
      return Region(name: text, boxes: [try parseBox(text)])
    }
    guard let file = file(text) else {
      let names = Region.presets.map(\.name).joined(separator: ", ")
      throw ReportedError(
        "unknown-region",
        "\(text) is neither a region (\(names)) nor a box W,S,E,N nor a file; give one of them",
        fault: .usage)
    }
    return Region(
      name: file.text, polygons: try AreaFile.polygons(of: file, remark: Console.remark))
  }

  /// The file that an option names, if it names neither a preset nor a box and there is one.
  static func file(_ text: String) -> FileName? {
    let file = FileName(argument: text)
    return Region(named: text) == nil && Files.exists(file) ? file : nil
  }
}
