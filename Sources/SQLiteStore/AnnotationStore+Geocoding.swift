#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  extension AnnotationStore {
    /// Gives a position to the annotations with an id that have none.
    ///
    /// - Returns: The number of annotations placed; 0 if a sync has placed or removed them meanwhile.
    @discardableResult
    public func place(
      _ id: AnnotationID, in layer: String, at coordinate: Coordinate, _ moment: Instant
    ) throws -> Int {
      try writing {
        _ = try columns(of: layer)
        try LayerTable.createIDIndex(of: layer, connection)
        let blob = GeometryBlob.encode(.point(Position(coordinate)))
        let count = try connection.run(
          "UPDATE \(quoted(layer)) SET geom = ? WHERE id = ? AND geom IS NULL",
          .blob(blob.bytes), .text(id.text))
        guard count > 0 else { return 0 }
        let isEdited = try isEdited(layer)
        try widenExtent(of: layer, by: blob.envelope, at: moment)
        if !isEdited { try acceptChange(of: layer) }
        return count
      }
    }

    /// Whether an annotation of a layer has a position that is no answer of a geocoder.
    ///
    /// - Complexity: O(*n* log *m*) for *n* positions and *m* answers, until the first such position.
    package func hasOwnPlaces(in layer: String) throws -> Bool {
      let isAnswer =
        try connection.has("table", StoreGeocodingJournal.table)
        ? """
        (ST_MinX(geom), ST_MinY(geom)) IN (
          SELECT longitude, latitude FROM nearby_geocoding WHERE latitude + longitude NOTNULL)
        """ : "false"
      return try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM \(quoted(layer)) WHERE geom NOTNULL AND NOT \(isAnswer))
        """) == 1
    }

    /// The journal of geocoding results; see `GeocodingRecord` for its table.
    public var geocodingJournal: StoreGeocodingJournal { StoreGeocodingJournal(store: self) }

    /// Creates a table of the store's own, unless it exists.
    func createOwnTable(_ name: String, _ columns: String) throws(StoreError) {
      try connection.execute("CREATE TABLE IF NOT EXISTS \(name) (\(columns))")
      try connection.run(
        """
        INSERT INTO gpkg_extensions
        SELECT ?1, NULL, 'nearby_store', definition, 'read-write' FROM gpkg_extensions
        WHERE table_name = 'nearby_store'
          AND NOT EXISTS (SELECT 1 FROM gpkg_extensions WHERE table_name = ?1)
        """, .text(name))
    }
  }

  /// Keeps geocoding results in a store, for all of its layers.
  public struct StoreGeocodingJournal: GeocodingJournal {
    fileprivate static let table = "nearby_geocoding"
    let store: AnnotationStore

    /// All rows of one geocoder, by question.
    public func records(of geocoder: String) throws -> [GeocodingRecord] {
      guard try store.connection.has("table", Self.table) else { return [] }
      return try store.connection.rows(
        """
        SELECT question, outcome, latitude, longitude, label, reason, attempts, last_asked, next_try
        FROM nearby_geocoding WHERE geocoder = ? ORDER BY question
        """, .text(geocoder)
      ) { (row) throws(StoreError) in record(row) }
    }

    /// The questions that found a position, by this.
    static func questions(_ connection: Connection) throws(StoreError) -> [Coordinate: [String]] {
      guard try connection.has("table", table) else { return [:] }
      var questions: [Coordinate: [String]] = [:]
      _ = try connection.rows(
        "SELECT question, latitude, longitude FROM nearby_geocoding WHERE outcome = 'found'"
      ) { (row) throws(StoreError) in
        if let place = try? Coordinate(latitude: row.double(1), longitude: row.double(2)) {
          questions[place, default: []].append(row.text(0) ?? "")
        }
      }
      return questions
    }

    private func record(_ row: Statement) -> GeocodingRecord {
      var outcome = GeocodingRecord.Outcome.asked
      switch row.text(1) {
      case "found":
        // An invalid position in the table is geocoded again.
        if let place = try? Coordinate(latitude: row.double(2), longitude: row.double(3)) {
          outcome = .found(place, label: row.text(4))
        }
      case "not-found": outcome = .notFound
      case "failed": outcome = .failed(row.text(5) ?? "no reason was kept")
      default: break
      }
      return GeocodingRecord(
        question: row.text(0) ?? "", outcome: outcome, attempts: row.integer(6),
        lastAsked: row.instant(7) ?? Instant(milliseconds: 0), nextTry: row.instant(8),
        lastFailure: row.text(5))
    }

    /// Writes a row; it is on the disk when this returns.
    public func save(_ record: GeocodingRecord, of geocoder: String) throws {
      let (outcome, place, label, reason): (String, Coordinate?, String?, String?) =
        switch record.outcome {
        case .asked: ("asked", nil, nil, record.lastFailure)
        case .found(let place, let label): ("found", place, label, nil)
        case .notFound: ("not-found", nil, nil, nil)
        case .failed(let reason): ("failed", nil, nil, reason)
        }
      try store.writing {
        try store.createOwnTable(
          Self.table,
          """
          geocoder TEXT NOT NULL, question TEXT NOT NULL, outcome TEXT NOT NULL, latitude DOUBLE,
          longitude DOUBLE, label TEXT, reason TEXT, attempts INTEGER NOT NULL,
          last_asked INTEGER NOT NULL, next_try INTEGER, PRIMARY KEY (geocoder, question)
          """)
        try store.connection.run(
          "INSERT OR REPLACE INTO nearby_geocoding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          .text(geocoder), .text(record.question), .text(outcome), SQLValue(place?.latitude),
          SQLValue(place?.longitude), SQLValue(label), SQLValue(reason),
          .integer(record.attempts), SQLValue(record.lastAsked),
          SQLValue(record.nextTry))
      }
    }
  }
#endif
