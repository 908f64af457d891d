#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import MapAnnotations
  import SQLiteStore

  /// `nearby store`: what is in a store, and the space it takes.
  struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "store",
      abstract: "Work with a store's layers: info, unplaced, drop, compact, schema.",
      subcommands: [Info.self, Unplaced.self, Drop.self, Compact.self, Schema.self])

    struct Info: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "List the layers: how many annotations, from where, which version, as JSON.")
      @OptionGroup var store: StoreOptions

      @Flag(help: "The same as without it: the answer is always JSON.")
      var json = false

      func run() throws {
        try Console.write(report: PropertyValue.object(try store.place().info()).jsonLine)
      }
    }

    struct Unplaced: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "List the annotations without a position, as csv.")
      @OptionGroup var store: StoreOptions

      @Option(help: .usual("Only this layer.", valueName: "name"))
      var layer: String?

      func run() throws {
        var bytes = CSVText.line(["id", "name", "kind", "layer"])
        try store.withStore(.readOnly) { store in
          for layer in try store.layerNames(only: layer?.asTyped) {
            for annotation in try store.unplacedAnnotations(in: layer) {
              CSVText.append(
                [
                  annotation.id.text, annotation.name ?? "", annotation.kind?.rawValue ?? "", layer,
                ], to: &bytes)
            }
          }
        }
        try Console.write(bytes)
      }
    }

    struct Drop: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Delete a layer from a store; marks on its annotations stay.")
      @OptionGroup var store: StoreOptions

      @Argument(help: "The layer.")
      var layer: String

      func run() throws { try store.place().drop(layer.asTyped) }
    }

    struct Compact: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Free the space of removed annotations.")
      @OptionGroup var store: StoreOptions

      func run() throws { try store.withStore(.readWrite) { try $0.compact() } }
    }

    struct Schema: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print the SQL that creates the tables of layers in PostgreSQL.")

      func run() throws { try Console.write(Array(try PostgresSource.schema().utf8)) }
    }
  }
#endif
