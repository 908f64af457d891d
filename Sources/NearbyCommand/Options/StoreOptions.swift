#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import SQLiteStore

  /// Which store a command works on.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The store (default: $NEARBY_STORE, or the one in the XDG data folder).",
        valueName: "file"), completion: .file())
    var store: String?

    /// The address of a layer's server, where the store is one.
    var address: String? {
      store.map(ArgumentPreparation.restored).flatMap {
        PostgresSource.answers(for: FileName(bytes: Array($0.utf8))) ? $0 : nil
      }
    }

    /// The store's file, which need not be there yet.
    func file() throws(ReportedError) -> FileName {
      if let store {
        let file = FileName(argument: store)
        guard !PostgresSource.answers(for: file) else {
          throw ReportedError(
            "postgres-store",
            "only `import` and `sync` write to PostgreSQL, replacing a layer, and sources are read from it; name a file",
            fault: .usage)
        }
        return file
      }
      if let file = Console.file(variable: "NEARBY_STORE") { return file }
      guard let file = Source.dataFile("/nearby/store.gpkg") else {
        throw ReportedError(
          "missing-store", "neither NEARBY_STORE nor HOME is set; say --store FILE",
          fault: .usage)
      }
      return file
    }

    /// Makes and fills a store that is not there yet; nil, and nothing done, where it is.
    func withNewStore<Result>(
      _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result? {
      let file = try file()
      do {
        if store == nil { try Files.makeFolder(of: file) }
        var result: Result?
        let isMade = try AnnotationStore.writeNew(to: file.text) { store in
          PartialFiles.note(FileName(bytes: Array(store.file.utf8)))
          result = try body(store)
        }
        return isMade ? result : nil
      } catch {
        throw ReportedError(storeError: error)
      }
    }

    /// Does something with a store, and gives it back before anything else happens.
    func withStore<Result>(
      _ access: AnnotationStore.Access, _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result {
      let file = try file()
      do {
        if access == .create, store == nil { try Files.makeFolder(of: file) }
        let store = try AnnotationStore(file.text, access)
        ReadFiles.note(file)
        return try body(store)
      } catch {
        throw ReportedError(storeError: error)
      }
    }
  }
#endif
