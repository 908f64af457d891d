import GeoJSONCoding
import Geodesy
import MapAnnotations

/// The polygons of a GeoJSON file.
package enum AreaFile {
  package static func polygons(
    of file: FileName, remark: (String) -> Void
  ) throws(ReportedError) -> [Polygon] {
    try polygons(in: try Files.bytes(of: file), of: file, remark: remark)
  }

  /// The polygons in the bytes of a file.
  ///
  /// - Parameter remark: Takes what a person should know of them.
  package static func polygons(
    in bytes: [UInt8], of file: FileName, remark: (String) -> Void
  ) throws(ReportedError) -> [Polygon] {
    var polygons: [Polygon] = []
    var isWrapped = false
    var openRings = 0
    var declared: PropertyValue?
    let features = try GeoJSONFile.features(
      in: bytes, of: file, onRecord: { openRings += $0.closedRings },
      onDocument: { declared = $0.firstCRS })
    if let declared {
      remark(
        "warning: crs-declared: \(file.text): it declares the CRS \(declared.crsText); it is read "
          + "as degrees on WGS 84, as RFC 7946 says; if it means another, convert it first")
    }
    for (offset, feature) in features.enumerated() {
      guard let written = feature.geometry else { continue }
      isWrapped = isWrapped || written.runsPastAntimeridian
      let geometry = written.wrapped
      guard let parts = geometry.polygons else {
        throw ReportedError(
          "area-geometry",
          "\(file.text) holds a \(geometry.type), which has no inside; give polygons",
          fault: .badData)
      }
      let place = "\(file.text): feature \(offset + 1) of \(features.count)"
      for rings in parts {
        if let polygon = try polygon(rings, of: place) { polygons.append(polygon) }
      }
    }
    if isWrapped {
      remark(
        "note: lon-wrapped: \(file.text) runs on past ±180°; read as crossing the antimeridian")
    }
    if openRings > 0 {
      remark(
        "warning: polygon-open: \(file.text): "
          + (openRings == 1 ? "a ring does" : "\(grouped(openRings)) rings do")
          + " not end at the start; closed by an edge to it")
    }
    guard !polygons.isEmpty else {
      throw ReportedError(
        "area-empty", "\(file.text) holds no polygon; give one", fault: .badData)
    }
    return polygons
  }

  /// The polygon of some rings, the outer one first; nil without positions, which is like a null geometry (RFC 7946 §3.1).
  ///
  /// - Parameter place: Where the rings are, for messages.
  package static func polygon(
    _ rings: [[Position]], of place: String
  ) throws(ReportedError) -> Polygon? {
    if rings.allSatisfy(\.isEmpty) { return nil }
    return try ReportedError.reporting(.badData, at: place) { () throws(ShapeError) in
      try Polygon(rings)
    }
  }
}
