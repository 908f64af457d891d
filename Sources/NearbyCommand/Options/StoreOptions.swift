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

    /// Where the layers are stored.
    func place() throws(ReportedError) -> StorePlace {
      if let file = store.map({ FileName(argument: $0) }) ?? Console.file(variable: "NEARBY_STORE")
      {
        return PostgresSource.answers(for: file)
          ? .server(file.address) : .file(file, makesFolder: store == nil)
      }
      guard let file = Source.dataFile("/nearby/store.gpkg") else {
        throw ReportedError(
          "missing-store", "neither NEARBY_STORE nor HOME is set; say --store FILE",
          fault: .usage)
      }
      return .file(file, makesFolder: true)
    }

    /// The store's file, which need not exist yet.
    func file() throws(ReportedError) -> FileName { try place().file() }

    /// Opens the store for the duration of a call.
    func withStore<Result>(
      _ access: AnnotationStore.Access, _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result { try place().withStore(access, body) }
  }
#endif
