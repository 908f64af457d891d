#if Store
  import CNearbySQLite

  /// The functions called by the triggers of a GeoPackage's R-tree.
  ///
  /// A connection without them cannot write to such a file: "no such function: ST_MinX".
  enum SpatialFunctions {
    static func add(to handle: OpaquePointer) {
      // Innocuous: triggers may call them even if the schema is not trusted.
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      add("ST_MinX", flags, handle) { context, _, values in
        SpatialFunctions.answer(context, values) { $0.minX }
      }
      add("ST_MaxX", flags, handle) { context, _, values in
        SpatialFunctions.answer(context, values) { $0.maxX }
      }
      add("ST_MinY", flags, handle) { context, _, values in
        SpatialFunctions.answer(context, values) { $0.minY }
      }
      add("ST_MaxY", flags, handle) { context, _, values in
        SpatialFunctions.answer(context, values) { $0.maxY }
      }
      add("ST_IsEmpty", flags, handle) { context, _, values in
        switch SpatialFunctions.envelope(values) {
        case .none: sqlite3_result_null(context)
        case .some(let envelope): sqlite3_result_int(context, envelope == nil ? 1 : 0)
        }
      }
    }

    private static func add(
      _ name: String, _ flags: Int32, _ handle: OpaquePointer,
      _ function:
        @escaping @convention(c) (
          OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void
    ) {
      sqlite3_create_function_v2(handle, name, 1, flags, nil, function, nil, nil, nil)
    }

    /// nil if the value is not a geometry; a nil envelope for an empty one.
    private static func envelope(
      _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) -> GeometryBlob.Envelope?? {
      guard let value = values?[0], sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      do throws(GeometryBlobDamage) {
        return .some(try GeometryBlob.envelope(of: bytes))
      } catch {
        return nil
      }
    }

    private static func answer(
      _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
      _ part: (GeometryBlob.Envelope) -> Double
    ) {
      if let envelope = envelope(values) ?? nil {
        sqlite3_result_double(context, part(envelope))
      } else {
        sqlite3_result_null(context)
      }
    }
  }
#endif
