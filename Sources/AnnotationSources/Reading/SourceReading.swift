import AnnotationImport

/// What the program provides while sources are read: where remarks and progress go, and how it words its options.
package struct SourceSurroundings {
  /// What a person may do about a source that cannot be read as asked.
  package enum Remedy {
    case leaveOutLayer(String)
    case leaveOutPlaces, allowStale
  }

  /// Takes what a person should know.
  package var remark: (String) -> Void = { _ in }
  /// Shows how far the work of some name is.
  package var progress: (_ name: String) -> ProgressReport = {
    ProgressReport(
      mode: .never, name: $0, isOnTerminal: false, clock: { 0 }, write: { _ in })
  }
  /// How an index file had its sources read, by the words and the area that it keeps; nil where these are not
  /// understood.
  package var options:
    ([String], _ regionArea: [UInt8]?) throws(ReportedError) -> (
      options: ImportOptions, format: InputFormat?
    )? = { _, _ in nil }
  /// How to say a remedy.
  package var remedy: (Remedy) -> String = { remedy in
    switch remedy {
    case .leaveOutLayer: "ask for no layer"
    case .leaveOutPlaces: "give no places"
    case .allowStale: "rebuild it"
    }
  }

  package init() {}
}

/// How a source is to be read, and what is to be said about it.
package struct SourceReading {
  package var options = ImportOptions()
  /// nil to tell by name and content.
  package var format: SourceFormat?
  /// The one layer of a store or a GeoPackage that is wanted; nil for all.
  package var layer: String?
  /// Where what is rejected is kept; nil where nobody asked for it.
  package var rejects: RejectFile?
  package var allowsStale = false
  /// Whether the options ask for anything but what a source gives by itself.
  package var differs = false
  /// Whether they do so beyond the one layer.
  package var differsBeyondLayer = false
  package var surroundings = SourceSurroundings()
  /// Where the places of records are found; nil where records have their own.
  package var places: PlaceJoin?

  package init() {}

  /// Who does not ask for positions is not told that some are missing.
  var tellsUnplaced: Bool { options.requiresPositions || places != nil }
}
