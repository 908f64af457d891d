#if Store
  /// The tables of every GeoPackage, and the additions for each feature layer.
  ///
  /// Source: OGC 12-128r18, GeoPackage 1.3.1, annex C, and annex F.3 for the R-tree; the triggers
  /// of the R-tree are those that GDAL writes for 1.3, because its validator checks their names.
  enum GeoPackageSchema {
    /// `GPKG` in ASCII.
    static let applicationID = 0x4750_4B47
    /// Version 1.3.0.
    static let userVersion = 10_300
    /// Positions are in WGS 84, longitude first, as in all programs, though not in the standard's own table.
    static let wgs84 = 4_326

    static func create(_ connection: Connection) throws(StoreError) {
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(userVersion);
        CREATE TABLE gpkg_spatial_ref_sys (
          srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
          organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
        CREATE TABLE gpkg_contents (
          table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
          description TEXT DEFAULT '',
          last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
          min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
          CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
        CREATE TABLE gpkg_geometry_columns (
          table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
          srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
          CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
          CONSTRAINT uk_gc_table_name UNIQUE (table_name),
          CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
          CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
        CREATE TABLE gpkg_extensions (
          table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL,
          definition TEXT NOT NULL, scope TEXT NOT NULL,
          CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
        INSERT INTO gpkg_spatial_ref_sys VALUES
          ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined',
           'undefined Cartesian coordinate reference system'),
          ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined',
           'undefined geographic coordinate reference system'),
          ('WGS 84 geodetic', \(wgs84), 'EPSG', \(wgs84), \(literal(definition)),
           'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
        """)
    }

    /// WGS 84 as well-known text of 2001, with numbers of the EPSG data set.
    private static let definition = """
      GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,\
      AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,\
      AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],\
      AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]
      """

    // MARK: The R-tree of a layer

    static func rTreeName(of table: String) -> String { "rtree_\(table)_geom" }

    static let rTreeDefinition = "http://www.geopackage.org/spec121/#extension_rtree"

    static func createRTree(of table: String, _ connection: Connection) throws(StoreError) {
      try connection.execute(
        "CREATE VIRTUAL TABLE \(quoted(rTreeName(of: table))) "
          + "USING rtree(id, minx, maxx, miny, maxy)")
    }

    /// Creates triggers that keep the R-tree up to date, whichever program changes the rows.
    static func createRTreeTriggers(
      of table: String, _ connection: Connection
    ) throws(StoreError) {
      let name = rTreeName(of: table)
      let tree = quoted(name)
      let rows = quoted(table)
      let box =
        "VALUES (NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), "
        + "ST_MaxY(NEW.geom))"
      let isPlaced = "(NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom))"
      let isUnplaced = "(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))"
      func trigger(_ suffix: String, _ event: String, _ condition: String, _ action: String)
        -> String
      {
        "CREATE TRIGGER \(quoted("\(name)_\(suffix)")) AFTER \(event) ON \(rows) "
          + "WHEN \(condition) BEGIN \(action); END;\n"
      }
      let insert = "INSERT OR REPLACE INTO \(tree) \(box)"
      try connection.execute(
        trigger("insert", "INSERT", isPlaced, insert)
          + trigger("update1", "UPDATE OF geom", "OLD.fid = NEW.fid AND \(isPlaced)", insert)
          + trigger(
            "update2", "UPDATE OF geom", "OLD.fid = NEW.fid AND \(isUnplaced)",
            "DELETE FROM \(tree) WHERE id = OLD.fid")
          + trigger(
            "update3", "UPDATE", "OLD.fid != NEW.fid AND \(isPlaced)",
            "DELETE FROM \(tree) WHERE id = OLD.fid; \(insert)")
          + trigger(
            "update4", "UPDATE", "OLD.fid != NEW.fid AND \(isUnplaced)",
            "DELETE FROM \(tree) WHERE id IN (OLD.fid, NEW.fid)")
          + trigger(
            "delete", "DELETE", "OLD.geom NOTNULL", "DELETE FROM \(tree) WHERE id = OLD.fid"))
    }

    // MARK: Names

    /// Whether a user's table may have the name.
    static func isLayerName(_ name: String) -> Bool {
      let lowercased = name.lowercased().utf8
      return !name.isEmpty && name.utf8.count <= 200
        && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        && !["gpkg_", "rtree_", "sqlite_", "nearby_"].contains {
          lowercased.starts(with: $0.utf8)
        }
    }
  }
#endif
