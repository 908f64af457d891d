#if Store
  import Geodesy
  import MapAnnotations

  /// A user's mark on an annotation.
  public struct Favorite: Hashable, Sendable {
    /// The layer of the annotation.
    public let layer: String
    /// The id of the annotation in its layer.
    public let id: AnnotationID
    /// The mark's name; `favorite` unless the app has several.
    public let mark: String
    /// The time when the mark was added.
    public let added: Instant
    /// The time when the mark was removed, while that can be undone; nil for a visible mark.
    public let hidden: Instant?
    /// The name of the annotation, now or when it was last present.
    public let name: String?
    /// The kind of the annotation, now or when it was last present.
    public let kind: AnnotationKind?
    /// The position of the annotation, now or when it was last present; nil if it never had one.
    public let coordinate: Coordinate?
    /// Whether the annotation is in the layer now; a sync may remove it and bring it back.
    public let isPresent: Bool
    /// Why its layer cannot be read, if it cannot: name, kind and position are then the last known ones.
    public let problem: StoreError?
  }

  extension AnnotationStore {
    /// The mark's name in an app with only one mark.
    public static let favoriteMark = "favorite"

    /// Marks an annotation; a mark that exists stays as it is, and a removed one becomes visible
    /// again.
    ///
    /// - Throws: `StoreError` if the layer has no annotation with that id.
    public func addFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark, at moment: Instant
    ) throws {
      try writing {
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

    /// Removes a mark: it is hidden at once and can be restored until it is purged.
    ///
    /// - Throws: `StoreError` if there is no such visible mark.
    public func removeFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark, at moment: Instant
    ) throws {
      try setHidden(SQLValue(moment), id, layer, mark, onlyIf: "hidden IS NULL")
    }

    /// Restores a mark that was removed and not yet purged; a visible one stays as it is.
    ///
    /// - Throws: `StoreError` if there is none.
    public func restoreFavorite(
      _ id: AnnotationID, in layer: String, mark: String = favoriteMark
    ) throws {
      try setHidden(.null, id, layer, mark, onlyIf: "true")
    }

    private func setHidden(
      _ moment: SQLValue, _ id: AnnotationID, _ layer: String, _ mark: String,
      onlyIf condition: String
    ) throws {
      try writing {
        let count = try connection.run(
          "UPDATE nearby_favorites SET hidden = ? WHERE layer = ? AND id = ? AND mark = ? AND \(condition)",
          moment, .text(layer), .text(id.text), .text(mark))
        guard count == 1 else { throw StoreError(file, .notAFavorite(id: id.text, layer: layer)) }
      }
    }

    /// Deletes the marks that were removed before a moment, and returns their number.
    @discardableResult
    public func purgeFavorites(removedBefore moment: Instant) throws -> Int {
      try writing {
        try connection.run("DELETE FROM nearby_favorites WHERE hidden < ?", SQLValue(moment))
      }
    }

    /// The marks by ascending id, then by layer; with an origin, nearest first and those without a position last.
    ///
    /// - Parameters:
    ///   - origin: The position from which distances are measured.
    ///   - mark: Only marks with this name; nil for all.
    ///   - includesHidden: Whether to include marks that were removed and not purged.
    public func favorites(
      from origin: Coordinate? = nil, mark: String? = nil, includesHidden: Bool = false
    ) throws -> [Favorite] {
      let all = try connection.read {
        let names = Set(try layerNames().map(ExactText.init))
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
      _ row: Statement, _ layers: Set<ExactText>
    ) throws(StoreError) -> Favorite {
      let layer = row.text(0) ?? ""
      let id = AnnotationID(row.text(1) ?? "")
      var present: StoredAnnotation?
      var isPresent = false
      var problem: StoreError?
      if layers.contains(ExactText(layer)) {
        do throws(StoreError) {
          present = try annotation(id, in: layer)
          isPresent = present != nil
        } catch {
          switch error.reason {
          case .missingColumn, .unreadableLayer: problem = error
          default: throw error
          }
          // One damaged layer does not take away the marks of all; if it still has ids, they count.
          let found = try? connection.integer(
            "SELECT 1 FROM \(quoted(layer)) WHERE id = ? LIMIT 1", .text(id.text))
          isPresent = found != nil
        }
      }
      let last =
        row.isNull(7)
        ? nil : try? Coordinate(latitude: row.double(7), longitude: row.double(8))
      return Favorite(
        layer: layer, id: id, mark: row.text(2) ?? AnnotationStore.favoriteMark,
        added: row.instant(3) ?? Instant(milliseconds: 0),
        hidden: row.instant(4),
        name: present?.name ?? row.text(5),
        kind: present?.kind ?? row.text(6).map { AnnotationKind(rawValue: $0) },
        coordinate: present?.coordinate ?? last, isPresent: isPresent, problem: problem)
    }
  }
#endif
