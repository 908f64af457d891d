#if Store
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// `convert -o x.gpkg`: annotations as a GeoPackage of one layer, named after the file.
  package enum GeoPackageOutput {
    /// Refuses what cannot be replaced, and what would be missed.
    package static func check(_ file: FileName, remedy: String) throws(ReportedError) {
      try OutputTarget.requireFile(file, for: "a GeoPackage", as: "out.gpkg")
      try OutputFiles.refuse(
        file, as: .database,
        remedy: remedy)
    }

    package static func write(
      _ annotations: ImportedAnnotations, keeping fields: [String]?, to file: FileName,
      at now: Instant, remedy: String, _ progress: ProgressReport
    ) throws(ReportedError) {
      // Again: the sources may have been read since.
      try check(file, remedy: remedy)
      do {
        try AnnotationStore.write(to: file.text) { store in
          PartialFiles.note(FileName(bytes: Array(store.file.utf8)))
          var update = LayerUpdate(
            layer: file.stem, refreshed: now)
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
        throw ReportedError(storeError: error)
      }
    }
  }

  extension LayerWriter {
    /// Appends everything that was read.
    package func append(
      _ annotations: ImportedAnnotations, _ progress: ProgressReport? = nil
    ) throws(StoreError) {
      var done = 0
      try annotations.forEachWithRow { (annotation, row) throws(StoreError) in
        progress?.update(rows: done, of: annotations.count)
        done += 1
        try append(annotation, from: row)
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
