#if Store
  import CNearbySQLite
  import Geodesy
  import SystemCalls

  /// An error in reading or writing a store or a GeoPackage, with the file name.
  public struct StoreError: CodedError, Hashable {
    /// The file name as given.
    public let file: String
    /// The reason for the error.
    public let reason: Reason

    /// The possible errors of a store.
    public enum Reason: Hashable, Sendable {
      /// The file does not exist.
      case missing
      /// The bytes are not an SQLite database, or are damaged; holds SQLite's message.
      case notADatabase(String)
      /// The file is a database, but not a GeoPackage with features.
      case notAGeoPackage
      /// The file is a GeoPackage, but not a store; it can be read but not written.
      case notAStore
      /// A later version made the file; holds its schema, and the latest supported one.
      case newer(schema: Int, known: Int)
      /// Another process is writing; holds how long we waited, in milliseconds.
      case busy(waited: Int)
      /// The disk is full, the folder is read-only, or the system refused; holds the message.
      case cannotWrite(String)
      /// The system refused to open or read the file; holds the message.
      case cannotRead(String)
      /// The file's log cannot be read, which needs room on the disk and a writable folder; holds the message.
      case cannotReadLog(String)
      /// No layer has that name; holds the name and the existing layers.
      case unknownLayer(String, layers: [String])
      /// An invalid layer name.
      case badLayerName(String)
      /// A layer whose CRS no available transform supports; holds its name and the CRS.
      case unknownCRS(layer: String, crs: String)
      /// A layer for whose CRS the file has no code; holds its name and the number of the CRS.
      case undefinedCRS(layer: String, srsID: Int)
      /// The layer has no annotation with that id.
      case unknownAnnotation(id: String, layer: String)
      /// There is no favorite to hide, restore or purge.
      case notAFavorite(id: String, layer: String)
      /// The name is taken by something else in the file; holds the name and what has it.
      case nameTaken(String, by: String)
      /// Another program has removed or renamed a column of a layer; holds the column and the layer.
      case missingColumn(String, layer: String)
      /// A layer of another program that cannot be read; holds its name and the reason.
      case unreadableLayer(String, String)
      /// The file needs more work than its size justifies; holds the layer and the limit.
      case workLimit(layer: String?, String)
      /// The log of another database is in the way of a new file; holds the log's name.
      case strayLog(String)
      /// Another program began a change and has not finished it; holds the name of its journal.
      case unfinishedChange(String)
      /// The open file is no longer the one of its name, or not whole; holds what has become of it.
      case lost(String)
      /// A time of a change that a GeoPackage cannot state: not in the years 0 to 9999.
      case badMoment(Instant)
      /// Asked for inside an update or a reading of the store; holds the layer, or nil for `compact()`.
      case insideUpdate(layer: String?)
      /// SQLite refused a statement; holds the message and the SQL.
      case statement(String, sql: String)
    }

    init(_ file: String, _ reason: Reason) {
      self.file = file
      self.reason = reason
    }

    /// The code of the error, for programs.
    public var code: String {
      switch reason {
      case .missing: "no-such-file"
      case .notADatabase: "store-damaged"
      case .notAGeoPackage: "not-a-geopackage"
      case .notAStore: "not-a-store"
      case .newer: "store-newer"
      case .busy: "store-busy"
      case .cannotWrite: "cannot-write"
      case .cannotRead, .cannotReadLog: "cannot-open"
      case .unknownLayer: "unknown-layer"
      case .badLayerName: "bad-layer-name"
      case .unknownCRS: "crs-unsupported"
      case .undefinedCRS: "crs-unknown"
      case .unknownAnnotation: "unknown-id"
      case .notAFavorite: "not-a-favorite"
      case .nameTaken: "name-taken"
      case .missingColumn: "column-missing"
      case .unreadableLayer: "layer-unreadable"
      case .workLimit: "work-limit"
      case .strayLog: "stray-log"
      case .unfinishedChange: "unfinished-change"
      case .lost: "store-replaced"
      case .badMoment: "bad-moment"
      case .insideUpdate: "inside-update"
      case .statement: "store-statement"
      }
    }

    /// One sentence that names the file and says what to do.
    public var description: String {
      let file = FilePath.shown(file)
      return switch reason {
      case .missing: "there is no file \(file); check the name and the folder"
      case .notADatabase(let message):
        "\(file) is not an intact SQLite database (\(message)); restore it, or import its sources again"
      case .notAGeoPackage:
        "\(file) is an SQLite database without layers of features; give a GeoPackage, "
          + "or convert a SpatiaLite database to one, for example with ogr2ogr places.gpkg places.sqlite"
      case .notAStore:
        "\(file) is a GeoPackage that another program made; import it into a separate store"
      case .newer(let schema, let known):
        "\(file) has schema \(schema), and this program knows up to \(known); use a later version"
      case .busy(let waited):
        "another program is writing to \(file)\(waited > 0 ? ", and has been for \(waited) ms" : ""); "
          + "try again"
      case .cannotWrite(let message): "cannot write \(file): \(message); choose another place"
      case .cannotRead(let message):
        "cannot read \(file): \(message); check its permissions and its disk"
      case .cannotReadLog(let message):
        "cannot read the log \(file)-wal: \(message); make room on the disk, or move both files to a "
          + "folder that can be written to"
      case .unknownLayer(let name, let layers):
        layers.isEmpty
          ? "\(file) has no layer \"\(StoreError.shortened(name))\", nor any other; import one"
          : "\(file) has no layer \"\(StoreError.shortened(name))\"; layers are "
            + layers.joined(separator: ", ")
      case .badLayerName(let name):
        "no layer can be named \"\(StoreError.shortened(name))\"; give it another name with `layer`: "
          + "1 to 200 bytes without control characters, not gpkg_, rtree_, sqlite_ or nearby_ in front"
      case .unknownCRS(let layer, let crs):
        "layer \"\(layer)\" of \(file) is in \(crs), which is not supported; convert it first, "
          + "for example with ogr2ogr -t_srs EPSG:4326"
      case .undefinedCRS(let layer, let srsID):
        "layer \"\(layer)\" of \(file) has srs_id \(srsID), for which the file has no CRS code; name its "
          + "CRS with `crs` EPSG:n"
      case .unknownAnnotation(let id, let layer):
        "layer \"\(layer)\" of \(file) has no annotation \(id); check the id"
      case .notAFavorite(let id, let layer):
        "\(id) of layer \"\(layer)\" is not among the favorites of \(file); see the list of them"
      case .nameTaken(let name, let holder):
        "\"\(name)\" in \(file) is \(holder), which stays as it is; use another name"
      case .missingColumn(let column, let layer):
        "layer \"\(layer)\" of \(file) has no column \"\(column)\" any more, because another program has "
          + "removed or renamed it; rename it back, or import its source "
          + (LayerColumns.own.contains(column) ? "into another layer" : "again")
      case .unreadableLayer(let name, let message):
        "layer \"\(name)\" of \(file) cannot be read (\(message)); give it an intact table of that "
          + "name, for example with ogr2ogr"
      case .workLimit(let layer, let limit):
        "\(layer.map { "layer \"\($0)\" of " } ?? "")\(file) takes more than \(limit); copy its views "
          + "into tables first, for example with ogr2ogr"
      case .strayLog(let log):
        "\(log) is the log of another database, and would be read into a new \(file); close the program "
          + "that has it open, put its database back, or remove it"
      case .unfinishedChange(let journal):
        "\(journal) holds a change to \(file) that was not finished; open the file once in the program "
          + "that made it"
      case .lost(let how):
        "\(file) \(how), and what is written to it would be lost; put the store back, or open it again"
      case .badMoment(let moment):
        "\(file) cannot state a change at \(moment.seconds) seconds since 1970, which is not in the years 0 to 9999; "
          + "give the moment of the change"
      case .insideUpdate(let layer?):
        "layer \"\(layer)\" of \(file) cannot be changed inside its own update; append to the writer, "
          + "or do it after the update"
      case .insideUpdate(nil):
        "\(file) cannot be compacted inside an update or a reading of it; do it afterwards"
      case .statement(let message, let sql):
        "\(file): SQLite refused \"\(sql)\" (\(message)); report this"
      }
    }
  }

  extension StoreError {
    /// The beginning of a long name.
    private static func shortened(_ name: String) -> String {
      name.count <= 60 ? name : String(name.prefix(59)) + "…"
    }

    /// Interprets an SQLite result code of a connection.
    init(_ file: String, result: Int32, message: String, sql: String, waited: Int) {
      let reason: Reason =
        switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(waited: waited)
        case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase(message)
        case SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PERM:
          .cannotWrite(message)
        default: .statement(message, sql: sql)
        }
      self.init(file, reason)
    }
  }
#endif
