#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  extension AnnotationStore {
    /// The annotations of a layer in source order, including those without a position.
    ///
    /// All belong to one state of the store, whatever is written meanwhile.
    public func annotations(in layer: String) throws -> [StoredAnnotation] {
      try annotations(in: layer, where: nil)
    }

    /// The annotations of a layer without a position, in source order.
    public func unplacedAnnotations(in layer: String) throws -> [StoredAnnotation] {
      try annotations(in: layer, where: "geom IS NULL ORDER BY fid")
    }

    private func annotations(
      in layer: String, where condition: String?
    ) throws -> [StoredAnnotation] {
      try connection.read { try reader(of: layer).all(where: condition) }
    }

    /// The annotations of a layer whose position lies in a box or on its edge, in source order.
    ///
    /// The R-tree's boxes have 32-bit numbers and only preselect; each position is compared
    /// exactly. One with a shape must also have the box around its shape there, wherever an app has set its pin.
    ///
    /// - Complexity: O(log *n* + *k*) for *k* boxes that touch it.
    public func annotations(
      in box: BoundingBox, layer: String
    ) throws -> [StoredAnnotation] {
      let tree = quoted(GeoPackageSchema.rTreeName(of: layer))
      // A box across ±180° becomes two for the R-tree; positions on the meridian may be on either side.
      let spans: [(Double, Double)] =
        box.west <= box.east ? [(box.west, box.east)] : [(box.west, 180), (-180, box.east)]
      let meridian: [(Double, Double)] =
        spans.contains { $0.0 <= -180 || $0.1 >= 180 } ? [(-180, -180), (180, 180)] : []
      let condition = (spans + meridian).map { west, east in
        "(maxx >= \(west) AND minx <= \(east))"
      }.joined(separator: " OR ")
      return try annotations(
        in: layer,
        where: "fid IN (SELECT id FROM \(tree) WHERE maxy >= \(box.south) "
          + "AND miny <= \(box.north) AND (\(condition))) ORDER BY fid"
      ).filter { $0.coordinate.map(box.contains) ?? false }
    }

    /// The first annotation with an id in a layer; nil if there is none.
    ///
    /// - Complexity: O(log *n*) if the layer is merged by id or has favorites, otherwise O(*n*).
    public func annotation(
      _ id: AnnotationID, in layer: String
    ) throws(StoreError) -> StoredAnnotation? {
      try reader(of: layer).first(where: "id = ? ORDER BY fid LIMIT 1", .text(id.text))?.annotation
    }

    func reader(of layer: String) throws(StoreError) -> LayerReader {
      LayerReader(connection: connection, table: layer, columns: try columns(of: layer))
    }

    /// The members of a layer's GeoJSON collection beyond RFC 7946.
    public func collectionMembers(of layer: String) throws(StoreError) -> Properties {
      guard
        let text = try connection.text(
          "SELECT members FROM nearby_layers WHERE table_name = ?", .text(layer)),
        let value = try? PropertyValue(json: Array(text.utf8)), case .object(let members) = value
      else { return Properties() }
      return members
    }
  }
#endif
