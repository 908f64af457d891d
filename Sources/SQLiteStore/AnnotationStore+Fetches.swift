#if Store
  import GeoJSONCoding
  import MapAnnotations

  /// The data stored about the last fetch of a layer, for the next conditional request.
  public struct LayerFetch: Hashable, Sendable {
    /// A digest that identifies the address without revealing its secrets.
    public var addressDigest: String
    /// The `ETag` of the content.
    public var entityTag: String?
    /// The `Last-Modified` of the content.
    public var lastModified: String?
    /// The digest of the content; after a space, the options by which it was read.
    public var contentDigest: String
    /// The names of the content's fields.
    public var fields: [String]

    /// Makes the data about a fetch.
    public init(
      addressDigest: String, entityTag: String? = nil, lastModified: String? = nil,
      contentDigest: String, fields: [String] = []
    ) {
      self.addressDigest = addressDigest
      self.entityTag = entityTag
      self.lastModified = lastModified
      self.contentDigest = contentDigest
      self.fields = fields
    }

    /// Whether both have the same content from the same address, read by the same options.
    package func hasContent(of other: LayerFetch) -> Bool {
      (addressDigest, contentDigest) == (other.addressDigest, other.contentDigest)
    }
  }

  extension AnnotationStore {
    /// The fetch from which the layer's content came; nil if another delivery has come since.
    ///
    /// Edits of the layer leave it; see ``isEdited(_:)``.
    public func lastFetch(of layer: String) throws -> LayerFetch? {
      guard try connection.has("table", "nearby_fetches") else { return nil }
      return try connection.rows(
        """
        SELECT address, etag, last_modified, digest, fields \(AnnotationStore.ofLastFetch)
        """, .text(layer)
      ) { (row) throws(StoreError) in
        LayerFetch(
          addressDigest: row.text(0) ?? "", entityTag: row.text(1), lastModified: row.text(2),
          contentDigest: row.text(3) ?? "",
          fields: AnnotationStore.fields(in: row.text(4) ?? ""))
      }.first
    }

    /// Whether annotations of a layer were edited since the fetch from which they came: with `put`, or
    /// by a program that dates its changes, as GeoPackage asks for.
    ///
    /// Positions from a geocoder are no edits. False if the layer came by no fetch.
    public func isEdited(_ layer: String) throws(StoreError) -> Bool {
      guard try hasDatedFetches() else { return false }
      return try connection.integer(
        """
        SELECT changed IS NOT (SELECT last_change FROM gpkg_contents WHERE table_name = layer)
        \(AnnotationStore.ofLastFetch) AND changed NOTNULL
        """, .text(layer)) == 1
    }

    /// Of a layer: its fetch, unless another delivery has come since.
    private static let ofLastFetch = """
      FROM nearby_fetches JOIN nearby_layers ON table_name = layer
      WHERE layer = ? AND nearby_fetches.version IS CAST(coalesce(version_tag, version_number) AS TEXT)
        AND nearby_fetches.source IS nearby_layers.source
      """

    /// Takes the last change of a layer for one that is no edit.
    func acceptChange(of layer: String) throws(StoreError) {
      guard try hasDatedFetches() else { return }
      try connection.run(
        """
        UPDATE nearby_fetches SET changed =
          (SELECT last_change FROM gpkg_contents WHERE table_name = layer)
        WHERE layer = ?
        """, .text(layer))
    }

    /// Whether fetches have the time of their layer's last change; those of earlier versions do not.
    private func hasDatedFetches() throws(StoreError) -> Bool {
      try LayerTable.columnNames(of: "nearby_fetches", connection).contains("changed")
    }

    /// The names of fields; earlier versions wrote one on each line.
    private static func fields(in text: String) -> [String] {
      if case .array(let names)? = try? PropertyValue(json: Array(text.utf8)) {
        return names.compactMap(\.text)
      }
      return text.isEmpty
        ? []
        : text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
          .map { String($0) }
    }

    /// Stores a fetch with its content, in the transaction that brings or confirms that.
    func record(_ fetch: LayerFetch, of layer: String) throws(StoreError) {
      let fields = PropertyValue.array(fetch.fields.map { .string($0) }).jsonText
      try createOwnTable(
        "nearby_fetches",
        """
        layer TEXT NOT NULL PRIMARY KEY, source TEXT, version TEXT, address TEXT NOT NULL, etag TEXT,
        last_modified TEXT, digest TEXT NOT NULL, fields TEXT NOT NULL, changed TEXT
        """)
      if try !hasDatedFetches() {
        try connection.execute("ALTER TABLE nearby_fetches ADD COLUMN changed TEXT")
      }
      try connection.run(
        """
        INSERT OR REPLACE INTO nearby_fetches
          (layer, source, version, address, etag, last_modified, digest, fields, changed)
        SELECT table_name, source, CAST(coalesce(version_tag, version_number) AS TEXT), ?, ?, ?, ?, ?,
          last_change
        FROM nearby_layers JOIN gpkg_contents USING (table_name) WHERE table_name = ?
        """, .text(fetch.addressDigest), SQLValue(fetch.entityTag), SQLValue(fetch.lastModified),
        .text(fetch.contentDigest), .text(fields), .text(layer))
    }
  }
#endif
