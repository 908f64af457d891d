#if Store
  import Foundation
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport

  @testable import SQLiteStore

  typealias Folder = NearbyTestSupport.Folder

  /// Annotations for tests.
  enum Places {
    /// Puts the file that version 1 made under a name.
    static func copyFirstVersion(to file: String) throws {
      let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/store-v1.gpkg")
      try FileManager.default.copyItem(at: fixture, to: URL(filePath: file))
    }

    static let moment = Instant(milliseconds: 1_790_000_000_000)

    static func update(
      _ layer: String = "shops", policy: MergePolicy = .replace, version: SourceVersion? = nil
    ) -> LayerUpdate {
      var update = LayerUpdate(layer: layer, refreshed: moment)
      update.policy = policy
      update.version = version
      return update
    }

    static func shop(
      _ id: AnnotationID, _ latitude: Double? = nil, _ longitude: Double? = nil,
      name: String? = nil, _ properties: Properties = Properties()
    ) throws -> BasicAnnotation {
      var shop = BasicAnnotation(id: id, name: name, kind: .mart, properties: properties)
      if let latitude, let longitude {
        shop.coordinate = try Coordinate(latitude: latitude, longitude: longitude)
      }
      return shop
    }
  }

  /// An annotation that came as a GeoJSON feature.
  struct Shape: StorableAnnotation {
    var id: AnnotationID
    var feature: Feature?
    var coordinate: Coordinate?
    var properties: Properties { feature?.properties ?? Properties() }

    init(_ id: AnnotationID, _ feature: Feature) throws {
      self.id = id
      self.feature = feature
      coordinate = try feature.geometry?.representativePoint()
    }
  }
#endif
