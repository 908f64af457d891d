#if Store
  import SQLiteStore

  /// Where layers are stored: in a store's file or on a server.
  package enum StorePlace {
    /// A file; a new one is put in its folder, which is made first if nobody chose it.
    case file(FileName, makesFolder: Bool)
    /// The address of a PostgreSQL server.
    case server(String)

    /// The store's file, which need not exist yet.
    package func file() throws(ReportedError) -> FileName {
      switch self {
      case .file(let file, _):
        // Told before anything is made.
        _ = try file.storeName()
        if Files.isFolder(file) { throw Files.isFolder(file.text) }
        // What cannot be read is said when it is opened.
        if Files.isRegular(file), Files.stamp(of: file)?.byteCount != 0,
          !Files.begins(file, with: OutputFiles.databaseMark), Files.begins(file, with: [UInt8]())
        {
          throw ReportedError(
            "not-a-store",
            "\(file.text) is neither a store nor another SQLite database; name another file, such as "
              + "store.gpkg", fault: .badData)
        }
        return file
      case .server:
        throw ReportedError(
          "postgres-store",
          "this works on a store's file; layers in PostgreSQL are written by `import` and `sync`, listed by `store info`, "
            + "removed by `store drop`, and read as sources; name a file",
          fault: .usage)
      }
    }

    private func makeFolder() throws {
      if case .file(let file, true) = self { try Files.makeFolder(of: file) }
    }

    /// Writes to the store; a new one appears only once it is filled.
    package func withWrittenStore<Result>(
      _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result {
      if let result = try withNewStore(body) { return result }
      return try withStore(.create, body)
    }

    /// Makes and fills a store that does not exist yet; nil, with nothing done, if it does.
    private func withNewStore<Result>(
      _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result? {
      let file = try file()
      return try ReportedError.ofStore {
        try makeFolder()
        var result: Result?
        let isMade = try AnnotationStore.writeNew(
          to: file.storeName(), willMake: { PartialFiles.note(FileName($0)) }
        ) { store in
          result = try body(store)
        }
        return isMade ? result : nil
      }
    }

    /// Opens a store for the duration of a call.
    package func withStore<Result>(
      _ access: AnnotationStore.Access, _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result {
      let file = try file()
      return try ReportedError.ofStore {
        if access == .create { try makeFolder() }
        let store = try AnnotationStore(file.storeName(), access)
        ReadFiles.note(file)
        return try body(store)
      }
    }
  }
#endif
