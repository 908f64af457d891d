import GeoJSONCoding
import Geodesy

/// The polygons of a GeoJSON file, as one area.
enum AreaFile {
  static func area(of file: FileName) throws(CommandError) -> MultiPolygon {
    MultiPolygon(try polygons(of: file))
  }

  static func polygons(of file: FileName) throws(CommandError) -> [Polygon] {
    try polygons(in: try Files.bytes(of: file), of: file)
  }

  /// The polygons in the bytes of a file.
  static func polygons(
    in bytes: [UInt8], of file: FileName
  ) throws(CommandError) -> [Polygon] {
    var polygons: [Polygon] = []
    var isWrapped = false
    for feature in try GeoJSONFile.features(in: bytes, of: file) {
      guard let written = feature.geometry else { continue }
      isWrapped = isWrapped || written.runsPastAntimeridian
      let geometry = written.wrapped
      guard let parts = geometry.polygons else {
        throw CommandError(
          "area-geometry",
          "\(file.text) holds a \(geometry.type), which has no inside; give polygons",
          status: .badData)
      }
      for rings in parts { polygons.append(try polygon(rings, file)) }
    }
    if isWrapped {
      Console.remark(
        "note: lon-wrapped: \(file.text) runs on past ±180°; read as crossing the antimeridian")
    }
    guard !polygons.isEmpty else {
      throw CommandError(
        "area-empty", "\(file.text) holds no polygon; give one", status: .badData)
    }
    return polygons
  }

  /// The polygon of some rings, the outer one first.
  static func polygon(
    _ rings: [[Position]], _ file: FileName
  ) throws(CommandError) -> Polygon {
    do throws(ShapeError) { return try Polygon(rings) } catch {
      throw CommandError(error.code, "\(file.text): \(error)", status: .badData)
    }
  }
}
