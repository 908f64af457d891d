import Geodesy
import MapAnnotations
import MapProjections

/// Options for reading a source: they say what the source itself does not show.
///
///     var options = ImportOptions()
///     options.idField = "Postcode"
///     options.rejectLimit = .percent(2)
public struct ImportOptions: Sendable {
  /// The character encoding; nil to use UTF-8 if the bytes are valid, and otherwise to detect it,
  /// with a remark.
  public var encoding: TextEncoding?
  /// Whether a line or an area is reduced to its representative position.
  public var takesShapesForPoints = false
  /// The column (or property of a GeoJSON feature) with ids; `#` numbers the records.
  ///
  /// nil for the first column with a known name, and a feature's own id. If no record has an id, the record number is
  /// the id; if only some have one, see `ImportedAnnotation.id` for the others.
  public var idField: String?
  /// The column of latitudes in degrees; nil for the one with a known name.
  public var latitudeField: String?
  /// The column of longitudes in degrees; nil for the one with a known name.
  public var longitudeField: String?
  /// The column, or property, of names; nil for the first with a known name.
  ///
  /// Several in braces, such as `{brand} {branch} ({region})`, are combined: an empty one leaves no
  /// gap and removes brackets around it.
  public var nameField: String?
  /// The column, or property, of kinds; nil for the first with a known name.
  public var kindField: String?
  /// The column, or property, of opening hours; nil for the first with a known name.
  public var hoursField: String?
  /// The members of a JSON object that hold the rows; if empty, the only array of objects.
  ///
  /// If there are several, each member's name is the kind of its rows without one.
  public var rowsFields: [String] = []
  /// Whether a record names the columns; otherwise they are named `1`, `2`, ….
  public var hasHeader = true
  /// The quotes around cells with delimiters or line breaks.
  public var quoting = Quoting.automatic
  /// The bytes between cells, usually one; nil for a tab in TSV and to guess in CSV.
  public var delimiter: [UInt8]?
  /// The beginning of comment lines; empty for none.
  public var comment: [UInt8] = []
  /// The points of a GPX file to read; nil for its waypoints.
  public var gpxPoints: GPXPointChoice?
  /// The kind of annotations without one.
  public var defaultKind: AnnotationKind?
  /// Whether CSV and TSV must have coordinate columns.
  ///
  /// Otherwise every row of a table without them is kept, unplaced, for a list without a map or if positions come from
  /// elsewhere, as in ``PlaceJoin``. The header is then the first record as wide as the fullest one and at least half
  /// filled.
  public var requiresPositions = true
  /// Whether positions nearer than 0.0005° to 0,0 are placed with a warning instead of rejected.
  public var allowsNullIsland = false
  /// Whether a single rejected record fails the import, and records without a position are
  /// rejected.
  public var isStrict = false
  /// Whether a record without a position is rejected: only if positions are required.
  var rejectsUnplaced: Bool { isStrict && requiresPositions }
  /// How many records may be rejected; nil for any number, as long as one is kept.
  public var rejectLimit: RejectLimit?
  /// The maximum unpacked size of gzip content.
  public var unpackingLimit = UnpackingLimit.standard
  /// The region where positions must lie; nil for anywhere.
  public var region: Region?
  /// The CRS of the coordinates.
  public var crs = SourceCRS.declared
  /// Returns the transform to WGS 84 for a CRS that a source declares; by default only built-in
  /// ones.
  public var transformNamed: @Sendable (String) throws(CRSError) -> any CoordinateTransform = {
    (name) throws(CRSError) in try CRS(named: name).toWGS84
  }

  /// Whether placed records are compared with each other, for warnings.
  ///
  /// The warnings are: the same record twice (`duplicate-record`), one position for several addresses
  /// (`placeholder-position`), positions that differ by whole degrees (`fill-down`), positions far from others with the
  /// same address or district (`far-from-address`, `far-from-district`), positions outside Korea or Japan with an
  /// address inside (`outside-country`), over 20 km from the stated province (`far-from-province`), and over 10 km off
  /// the country's land (`off-land`).
  ///
  /// Comparing takes as long as reading, and keeps every address in memory.
  public var comparesRecords = false

  /// Makes options that suit most sources: everything is detected from the column names.
  public init() {}
}

/// The CRS of a source's coordinates.
public enum SourceCRS: Sendable {
  /// Degrees of WGS 84, unless the source names another CRS, as GeoJSON of 2008 may.
  case declared
  /// Degrees of WGS 84, whatever the source says.
  case wgs84
  /// A CRS by its name in messages, and the transform from it to WGS 84.
  indirect case transformed(String, any CoordinateTransform)
}

/// The quotes around cells with delimiters or line breaks.
public enum Quoting: Hashable, Sendable {
  /// `"` in CSV and none in TSV.
  case automatic
  /// None: every quote is an ordinary character.
  case none
  /// This byte.
  case character(UInt8)
}

/// How many records may be rejected before an import fails.
public enum RejectLimit: Hashable, Sendable {
  /// At most this many.
  case count(Int)
  /// At most this percentage of all records, 0…100.
  case percent(Double)

  func isExceeded(by rejected: Int, of records: Int) -> Bool {
    switch self {
    case .count(let limit): rejected > limit
    case .percent(let limit): Double(rejected) * 100 > limit * Double(records)
    }
  }
}
