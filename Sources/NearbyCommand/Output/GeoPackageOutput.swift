#if CommandLine && Store
  import AnnotationImport
  import AnnotationSources
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// `convert -o x.gpkg`: annotations as a GeoPackage of one layer, named after the file.
  enum GeoPackageOutput {
    /// Refuses what cannot be replaced, and what would be missed.
    static func check(_ file: FileName) throws(CommandError) {
      try OutputTarget.requireFile(file, for: "a GeoPackage", as: "out.gpkg")
      try OutputFiles.refuse(file, as: .database)
    }

    static func write(
      _ annotations: ImportedAnnotations, keeping fields: [String]?, to file: FileName,
      _ progress: ProgressReport
    ) throws(CommandError) {
      // Again: the sources may have been read since.
      try check(file)
      do {
        try AnnotationStore.write(to: file.text) { store in
          PartialFiles.note(FileName(bytes: Array(store.file.utf8)))
          var update = LayerUpdate(
            layer: file.stem, refreshed: Console.now)
          update.source = annotations.sources.joined(separator: ", ")
          update.members = annotations.collectionMembers
          try store.apply(update) { writer in
            if let fields {
              for (place, annotation) in annotations.enumerated() {
                progress.update(rows: place, of: annotations.count)
                try writer.append(KeptAnnotation(annotation, keeping: fields))
              }
            } else {
              try writer.append(annotations, progress)
            }
          }
        }
      } catch {
        throw CommandError(storeError: error)
      }
    }
  }

  /// An annotation with some of its properties only.
  private struct KeptAnnotation: StorableAnnotation, SpecialAnnotation {
    let common: BasicAnnotation
    let feature: Feature?
    var kind: AnnotationKind? { common.kind }

    init(_ annotation: ImportedAnnotation, keeping fields: [String]) {
      var common = BasicAnnotation(copying: annotation)
      common.properties = common.properties.keeping(fields)
      self.common = common
      var feature = annotation.feature
      let kept = feature?.properties?.keeping(fields)
      feature?.properties = kept
      self.feature = feature
    }
  }
#endif
