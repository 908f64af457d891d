#if Store
  import Geodesy
  import MapAnnotations

  /// A mark that somebody put on an annotation.
  public struct Favorite: Hashable, Sendable {
    /// The layer of the annotation.
    public let layer: String
    /// The annotation's id there.
    public let id: AnnotationID
    /// The mark's name; `favorite` unless the app has several.
    public let mark: String
    /// When it was put there.
    public let added: Instant
    /// When it was removed, while that can be undone; nil for one that is shown.
    public let hidden: Instant?
    /// What the annotation is called now, or was when it was last seen.
    public let name: String?
    /// What sort of thing it is, or was.
    public let kind: AnnotationKind?
    /// Where it is, or was; nil when it never had a position.
    public let coordinate: Coordinate?
    /// Whether the layer has the annotation now; a sync may take it away and bring it back.
    public let isPresent: Bool
  }

  extension AnnotationStore {
    /// The mark of an app that has only one.
    public static let favoriteMark = "favorite"

    /// Marks an annotation; one that is marked already stays as it is, and one that was removed is
    /// shown again.
    ///
    /// - Throws: `StoreError` where the layer has no annotation of that id.
    public func addFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark, at moment: Instant
    ) throws {
      try connection.write {
        _ = try columns(of: layer)
        try LayerTable.createIDIndex(of: layer, connection)
        guard let annotation = try annotation(id, in: layer) else {
          throw StoreError(file, .unknownAnnotation(id: id.text, layer: layer))
        }
        try connection.run(
          """
          INSERT INTO nearby_favorites(
            layer, id, mark, added, name, kind, latitude, longitude)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (layer, id, mark) DO UPDATE SET hidden = NULL
          """, .text(layer), .text(id.text), .text(mark), SQLValue(moment),
          SQLValue(annotation.name), SQLValue(annotation.kind?.rawValue),
          SQLValue(annotation.coordinate?.latitude), SQLValue(annotation.coordinate?.longitude))
      }
    }

    /// Removes a mark: it is hidden at once, and can be brought back until it is purged.
    ///
    /// - Throws: `StoreError` where there is no such mark that is shown.
    public func removeFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark, at moment: Instant
    ) throws {
      try changeFavorite(
        id, layer,
        "UPDATE nearby_favorites SET hidden = ?4 "
          + "WHERE layer = ?1 AND id = ?2 AND mark = ?3 AND hidden IS NULL", mark,
        SQLValue(moment))
    }

    /// Brings back a mark that was removed and not yet purged.
    ///
    /// - Throws: `StoreError` where there is none.
    public func restoreFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark
    ) throws {
      try changeFavorite(
        id, layer,
        "UPDATE nearby_favorites SET hidden = NULL "
          + "WHERE layer = ?1 AND id = ?2 AND mark = ?3 AND hidden NOTNULL AND ?4 IS NULL", mark,
        nil)
    }

    private func changeFavorite(
      _ id: AnnotationID, _ layer: String, _ sql: String, _ mark: String, _ value: SQLValue
    ) throws {
      try connection.write {
        guard
          try connection.run(sql, .text(layer), .text(id.text), .text(mark), value) == 1
        else { throw StoreError(file, .notAFavorite(id: id.text, layer: layer)) }
      }
    }

    /// Forgets the marks that were removed before a moment; how many.
    @discardableResult
    public func purgeFavorites(removedBefore moment: Instant) throws -> Int {
      try connection.write {
        try connection.run(
          "DELETE FROM nearby_favorites WHERE hidden < ?", SQLValue(moment))
      }
    }

    /// The marks by ascending id, then by layer; from a position the nearest first, and those without one last.
    ///
    /// - Parameters:
    ///   - origin: Where distances are measured from.
    ///   - mark: Only marks of this name; nil for all.
    ///   - includesHidden: Whether those that were removed and not purged are among them.
    public func favorites(
      from origin: Coordinate? = nil, mark: String? = nil, includesHidden: Bool = false
    ) throws -> [Favorite] {
      let all = try connection.read {
        let names = Set(try layerNames())
        return try connection.rows(
          "SELECT layer, id, mark, added, hidden, name, kind, latitude, longitude "
            + "FROM nearby_favorites ORDER BY layer, mark"
        ) { (row) throws(StoreError) in try favorite(row, names) }
      }
      let wanted = all.filter {
        (includesHidden || $0.hidden == nil) && (mark == nil || $0.mark == mark)
      }
      func meters(_ favorite: Favorite) -> Double {
        guard let origin else { return 0 }
        return favorite.coordinate?.distance(to: origin).meters ?? .infinity
      }
      return wanted.map { ($0, meters($0)) }
        .sorted {
          ($0.1, $0.0.id, $0.0.layer, $0.0.mark) < ($1.1, $1.0.id, $1.0.layer, $1.0.mark)
        }
        .map(\.0)
    }

    private func favorite(
      _ row: Statement, _ layers: Set<String>
    ) throws(StoreError) -> Favorite {
      let layer = row.text(0) ?? ""
      let id = AnnotationID(row.text(1) ?? "")
      let present = layers.contains(layer) ? try annotation(id, in: layer) : nil
      let last =
        row.isNull(7)
        ? nil : try? Coordinate(latitude: row.double(7), longitude: row.double(8))
      return Favorite(
        layer: layer, id: id, mark: row.text(2) ?? AnnotationStore.favoriteMark,
        added: row.instant(3) ?? Instant(milliseconds: 0),
        hidden: row.instant(4),
        name: present?.name ?? row.text(5),
        kind: present?.kind ?? row.text(6).map { AnnotationKind(rawValue: $0) },
        coordinate: present?.coordinate ?? last, isPresent: present != nil)
    }
  }
#endif
