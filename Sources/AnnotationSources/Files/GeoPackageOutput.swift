#if Store
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// `convert -o x.gpkg`: annotations as a GeoPackage of one layer, named after the file.
  package enum GeoPackageOutput {
    /// Refuses what cannot be replaced, and what would be missed.
    package static func check(_ file: FileName) throws(ReportedError) {
      _ = try file.storeName()
      try OutputTarget.requireFile(file, for: "a GeoPackage", as: "out.gpkg")
      try OutputFiles.refuse(
        file, as: .database,
        remedy: ", or add a layer to it with nearby import `store` \(file.text)")
    }

    package static func write(
      _ annotations: ImportedAnnotations, keeping fields: [String]?, to file: FileName,
      at now: Instant, _ progress: ProgressReport
    ) throws(ReportedError) {
      // Again: the sources may have been read since.
      try check(file)
      try ReportedError.ofStore {
        try AnnotationStore.write(
          to: file.storeName(), willMake: { PartialFiles.note(FileName($0)) }
        ) { store in
          var update = LayerUpdate(layer: file.stem, refreshed: now)
          update.source = annotations.sources.joined(separator: ", ")
          update.members = annotations.collectionMembers
          try store.apply(update) { writer in
            try writer.append(annotations, keeping: fields, progress)
          }
        }
      }
    }
  }

  extension LayerWriter {
    /// Appends everything that was read.
    ///
    /// - Parameter fields: The properties to keep; nil for all.
    package func append(
      _ annotations: ImportedAnnotations, keeping fields: [String]? = nil,
      _ progress: ProgressReport? = nil
    ) throws(StoreError) {
      var done = 0
      try annotations.forEachWithRow { (annotation, row) throws(StoreError) in
        progress?.update(rows: done, of: annotations.count)
        done += 1
        if let row, fields == nil {
          try append(annotation, from: row)
        } else {
          var (common, feature) = annotation.whole
          common.properties = common.properties.keeping(fields)
          if let all = feature?.properties { feature?.properties = all.keeping(fields) }
          try append(StoredAnnotation(common, feature: feature))
        }
      }
    }
  }
#endif
