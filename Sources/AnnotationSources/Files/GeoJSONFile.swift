import GeoJSONCoding
import Geodesy
import MapAnnotations

/// A GeoJSON file that an option names, packed with gzip or not, read whole.
package enum GeoJSONFile {
  package static func features(of file: FileName) throws(ReportedError) -> [Feature] {
    try features(in: try Files.bytes(of: file), of: file)
  }

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
    return try ReportedError.wrapping(.badData, at: place) { () throws(ShapeError) in
      try Polygon(rings)
    }
  }
}

/// The lines and rings of a GeoJSON file.
package enum OutlineFile {
  package static func outlines(of file: FileName) throws(ReportedError) -> [[Coordinate]] {
    var shapes: [GroundShape] = []
    for feature in try GeoJSONFile.features(of: file) {
      let shape = try ReportedError.wrapping(.badData, at: file.text) {
        () throws(CoordinateError) in try feature.geometry?.groundShape().shape
      }
      if let shape { shapes.append(shape) }
    }
    return shapes.outlines
  }
}
