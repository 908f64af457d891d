#if Store
  /// Decides who uses a layer name, in a GeoPackage that other programs also write to.
  ///
  /// SQLite ignores the case of ASCII letters, and has one namespace for tables, views, indexes and
  /// everything else except triggers.
  enum LayerName {
    /// The holder of a name.
    enum Holder: Equatable {
      /// Nobody: the name is free.
      case nothing
      /// A layer of the store with its table.
      case layer
      /// A layer of the store whose table another program has removed.
      case missing
      /// A layer of the store whose table another program has renamed or replaced by its own.
      case replaced
      /// Something else that must not be touched; holds a description.
      case other(String)
    }

    static let replaced =
      "what another program has replaced or renamed (dropping the layer only forgets it)"

    static func holder(of name: String, _ connection: Connection) throws(StoreError) -> Holder {
      // The tables of the store and of the standard are not layers, even if they are listed as such.
      guard GeoPackageSchema.isLayerName(name) else { return .nothing }
      guard try isListed(name, connection) else {
        return try other(name, connection).map { .other($0) } ?? .nothing
      }
      guard let kind = try connection.tableKind(of: name) else {
        // A renamed table still has its R-tree.
        let trigger = GeoPackageSchema.rTreeName(of: name) + "_insert"
        return try connection.has("trigger", trigger) ? .replaced : .missing
      }
      guard !kind.isView, !kind.isVirtual,
        try LayerTable.missingColumn(of: name, LayerColumns(), connection) == nil
      else { return .replaced }
      return .layer
    }

    /// Whether a layer is listed, with a table or without: another program may have dropped it.
    static func isListed(_ name: String, _ connection: Connection) throws(StoreError) -> Bool {
      try connection.integer(
        "SELECT count(*) FROM nearby_layers WHERE table_name = ?", .text(name)) == 1
    }

    /// What has a name or a related one and is not a layer; nil if nothing has.
    private static func other(
      _ name: String, _ connection: Connection
    ) throws(StoreError) -> String? {
      if let layer = try connection.text(
        "SELECT table_name FROM nearby_layers WHERE table_name = ? COLLATE NOCASE", .text(name))
      {
        return "layer \"\(layer)\" but for the case of letters"
      }
      let tree = GeoPackageSchema.rTreeName(of: name)
      for wanted in [name, tree] + ["_node", "_parent", "_rowid"].map({ tree + $0 }) {
        if let type = try connection.text(
          "SELECT type FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type <> 'trigger'",
          .text(wanted))
        {
          return wanted == name
            ? "a \(type) of another program" : "beside \"\(wanted)\" of another program"
        }
      }
      for list in ["gpkg_contents", "gpkg_geometry_columns", "gpkg_extensions"] {
        let condition =
          "table_name = ?1 COLLATE NOCASE"
          + (list == "gpkg_contents" ? " OR identifier = ?1" : "")
        if try connection.integer("SELECT count(*) FROM \(list) WHERE \(condition)", .text(name))
          != 0
        {
          return "listed in \(list) by another program"
        }
      }
      return nil
    }
  }
#endif
