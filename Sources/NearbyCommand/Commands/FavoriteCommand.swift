#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// `nearby favorite`: marks on annotations of a store.
  struct FavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "favorite",
      abstract: "Mark annotations of a store: add, remove, undo, list, purge.",
      discussion: """
        Removing a mark hides it at once, and purge deletes it; until then undo brings it back. If \
        a sync removes an annotation and a later one brings it back, its mark is still there.
        """,
      subcommands: [Add.self, Remove.self, Undo.self, List.self, Purge.self])

    /// Which annotation is meant.
    struct Target: ParsableArguments {
      @Argument(help: .usual("The annotation's id.", valueName: "id"))
      var id: String

      @Option(help: .usual("Its layer; needed if several layers have the id.", valueName: "name"))
      var layer: String?

      @Option(help: .usual("The mark's name.", valueName: "name"))
      var mark = AnnotationStore.favoriteMark

      @OptionGroup var store: StoreOptions

      var markName: String { mark.asTyped }

      var annotationID: AnnotationID { AnnotationID(id.asTyped) }

      /// The layer that was named, or the only one of which `holds` is true.
      func layer(
        among layers: [String], where holds: (String) throws -> Bool
      ) throws -> String {
        if let layer = layer?.asTyped { return layers.first(sameAs: layer) ?? layer }
        let found = try layers.count < 2 ? layers : layers.filter(holds)
        guard found.count < 2 else {
          throw ReportedError(
            "ambiguous-layer",
            "layers \(found.joined(separator: ", ")) have \(annotationID); say which with --layer",
            fault: .usage)
        }
        guard let layer = found.first else {
          throw layers.isEmpty
            ? ReportedError("unknown-layer", "there is no layer yet; import one", fault: .usage)
            : ReportedError(
              "unknown-id", "no layer has an annotation \(annotationID); check the id",
              fault: .usage)
        }
        return layer
      }

      /// The layer of a mark that was put.
      func markedLayer(in store: AnnotationStore) throws -> String {
        let marks = try store.favorites(mark: markName, includesHidden: true)
          .filter { $0.id == annotationID }
        guard layer != nil || !marks.isEmpty else {
          throw ReportedError(
            "not-a-favorite",
            "\(annotationID) has no mark \"\(markName)\"; nearby favorite list --hidden lists the marks",
            fault: .usage)
        }
        return try layer(among: marks.map(\.layer)) { _ in true }
      }
    }

    struct Add: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Mark an annotation; a removed mark comes back.")
      @OptionGroup var target: Target

      func run() throws {
        try target.store.withStore(.readWrite) { store in
          let layer = try target.layer(among: store.layerNames()) {
            try store.annotation(target.annotationID, in: $0) != nil
          }
          try store.addFavorite(
            target.annotationID, in: layer, mark: target.markName, at: Console.now)
        }
      }
    }

    struct Remove: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Hide a mark at once; undo brings it back until purge.")
      @OptionGroup var target: Target

      func run() throws {
        try target.store.withStore(.readWrite) { store in
          try store.removeFavorite(
            target.annotationID, in: try target.markedLayer(in: store), mark: target.markName,
            at: Console.now)
        }
      }
    }

    struct Undo: ParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Bring back a removed mark.")
      @OptionGroup var target: Target

      func run() throws {
        try target.store.withStore(.readWrite) { store in
          try store.restoreFavorite(
            target.annotationID, in: try target.markedLayer(in: store), mark: target.markName)
        }
      }
    }

    struct Purge: ParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Delete the removed marks.")
      @OptionGroup var store: StoreOptions

      func run() throws {
        let moment = Console.now.advanced(by: .milliseconds(1))
        let count = try store.withStore(.readWrite) { try $0.purgeFavorites(removedBefore: moment) }
        Console.remark("\(grouped(count)) forgotten")
      }
    }

    struct List: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "List the marks by id, or nearest first if you give a position, as csv or json.",
        usage: "nearby favorite list [<options>]")

      @Option(help: .usual("Where distances are measured from.", valueName: "deg"))
      var lat: String?

      @Option(help: .usual("Where distances are measured from.", valueName: "deg"))
      var lon: String?

      @Option(help: .usual("Only marks of this name.", valueName: "name"))
      var mark: String?

      @Flag(help: "Also list removed marks that can be brought back.")
      var hidden = false

      @Option(
        help: .usual("csv or json. (default: csv)", valueName: "format"),
        completion: .words(of: ListFormat.self))
      var format: String?

      @Flag(help: "The same as --format json.")
      var json = false

      @OptionGroup var store: StoreOptions

      func run() throws {
        let format = try ListFormat.asked(try formatWord(format, json: json), for: nil)
        let origin = try parsePosition(lat, lon)
        let favorites = try store.withStore(.readOnly) { store in
          try store.favorites(from: origin, mark: mark?.asTyped, includesHidden: hidden)
        }
        Set(favorites.compactMap(\.problem)).map { "warning: \($0.code): \($0)" }.sorted()
          .forEach(Console.remark)
        let rows = favorites.map { $0.members(from: origin) }
        if format == .json {
          let members: Properties = ["favorites": .array(rows.map { .object($0) })]
          return try Console.write(report: PropertyValue.object(members).jsonLine)
        }
        var bytes = CSVText.line([
          "id", "name", "kind", "latitude", "longitude", "distance", "layer", "mark", "present",
          "removed",
        ])
        for row in rows { CSVText.append(row.entries.map { $0.value.text ?? "" }, to: &bytes) }
        try Console.write(bytes)
      }

      private enum ListFormat: String, WrittenFormat { case csv, json }
    }
  }

  extension Favorite {
    /// What is written of a mark.
    fileprivate func members(from origin: Coordinate?) -> Properties {
      let distance = origin.flatMap { coordinate?.distance(to: $0) }
      let mark: Properties = [
        "distance": .meters(distance), "layer": .string(layer), "mark": .string(mark),
        "present": .bool(isPresent), "removed": .bool(hidden != nil),
      ]
      let what = Properties(id: id.text, name: name, kind: kind, at: coordinate)
      return Properties(what.entries + mark.entries)
    }
  }
#endif
