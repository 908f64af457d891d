import AnnotationImport
import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations

#if CommandLine
  /// The fences of a source: its polygons, and its points with a radius.
  struct FenceFile {
    let file: FileName
    let reading: FenceReadingOptions
    /// How much may come out of them where they are packed.
    let unpackingLimit: UnpackingLimit
    /// The radius of points that do not say theirs.
    let radius: Distance?
    /// The column of radii; nil to find it by its name.
    let radiusField: String?

    private static let radiusNames = ["radius", "radius_m", "반경", "半径"]

    func fences() throws(CommandError) -> [Fence] {
      guard !file.isStandardInput else {
        throw CommandError(
          "fence-standard-input", "fences cannot come from standard input; name a file",
          status: .usage)
      }
      var reading = try reading.reading()
      reading.options.unpackingLimit = unpackingLimit
      let annotations: ImportedAnnotations
      do throws(CommandError) {
        annotations = try Source.annotations(of: [file], reading)
      } catch {
        throw FenceReadingOptions.named(error)
      }
      var fences: [Fence] = []
      fences.reserveCapacity(annotations.count)
      for annotation in annotations {
        if let fence = try fence(annotation) { fences.append(fence) }
      }
      guard !fences.isEmpty else {
        throw CommandError(
          "fence-empty", "\(file.text) holds no fence; give polygons, or points with a radius",
          status: .badData)
      }
      return fences
    }

    /// The fence of a record; nil for one without a place.
    private func fence(_ annotation: ImportedAnnotation) throws(CommandError) -> Fence? {
      if let parts = annotation.feature?.geometry?.wrapped.polygons, !parts.isEmpty {
        var polygons: [Polygon] = []
        for rings in parts { polygons.append(try AreaFile.polygon(rings, file)) }
        return try checked(annotation) { () throws(FenceError) in
          try Fence(id: annotation.id, name: annotation.name, area: MultiPolygon(polygons))
        }
      }
      guard let center = annotation.coordinate else { return nil }
      try expectPoint(annotation)
      let radius = try radius(of: annotation)
      return try checked(annotation) { () throws(FenceError) in
        try Fence(id: annotation.id, name: annotation.name, center: center, radius: radius)
      }
    }

    /// Refuses what elsewhere stands for one place: a circle around the middle of a line, or around the
    /// first of several points, is not what somebody drew.
    private func expectPoint(_ annotation: ImportedAnnotation) throws(CommandError) {
      guard let geometry = annotation.feature?.geometry else { return }
      if case .point = geometry { return }
      throw CommandError(
        "fence-shape",
        "\(file.text): fence \(annotation.id.text) is a \(geometry.type); give polygons, or single "
          + "points with a radius", status: .badData)
    }

    private func checked(
      _ annotation: ImportedAnnotation, _ make: () throws(FenceError) -> Fence
    ) throws(CommandError) -> Fence {
      do throws(FenceError) { return try make() } catch {
        throw CommandError(
          error.code, "\(file.text): fence \(annotation.id.text): \(error)", status: .badData)
      }
    }

    private func radius(of annotation: ImportedAnnotation) throws(CommandError) -> Distance {
      let names = radiusField.map { [$0] } ?? FenceFile.radiusNames
      for name in names {
        guard let text = annotation.property(name)?.text, !trimmed(text).isEmpty else { continue }
        do throws(CommandError) { return try parseDistance(trimmed(text), option: name) } catch {
          throw CommandError(
            "fence-radius", "\(file.text): fence \(annotation.id.text): \(error)",
            status: .badData)
        }
      }
      if let radius { return radius }
      throw CommandError(
        "fence-radius",
        "\(file.text): fence \(annotation.id.text) is a point without a radius; give --radius 100m, "
          + "or name the column with --radius-field", status: .badData)
    }
  }
#endif
