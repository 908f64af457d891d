import Geodesy
import MapAnnotations
import MapProjections

/// How a source is to be read, where it does not say so itself.
///
///     var options = ImportOptions()
///     options.idField = "Postcode"
///     options.rejectLimit = .percent(2)
public struct ImportOptions: Sendable {
  /// How the bytes stand for characters; nil takes UTF-8 where that fits, and otherwise what the
  /// bytes look like, which is remarked upon.
  public var encoding: TextEncoding?
  /// Whether a line or an area counts as the one place that stands for it, and its shape as nothing.
  public var takesShapesForPoints = false
  /// The column (or the property of a GeoJSON feature) that holds ids; `#` numbers the records.
  ///
  /// nil takes the first column whose name is known, and a feature's own id. Where no record has one
  /// the record number is the id; where only some have, `ImportedAnnotation.id` says what the others get.
  public var idField: String?
  /// The column of latitudes in degrees; nil takes the one whose name is known.
  public var latitudeField: String?
  /// The column of longitudes in degrees; nil takes the one whose name is known.
  public var longitudeField: String?
  /// The column, or property, of names; nil takes the first whose name is known.
  ///
  /// Several in braces, as `{brand} {branch} ({region})`, are put together: one that says nothing
  /// leaves no gap, and takes brackets around it with it.
  public var nameField: String?
  /// The column, or property, of kinds; nil takes the first whose name is known.
  public var kindField: String?
  /// The column, or property, of opening hours; nil takes the first whose name is known.
  public var hoursField: String?
  /// The members of a JSON object that hold the rows; empty takes the only array of objects.
  ///
  /// Of several, each gives its name as kind to rows that name none.
  public var rowsFields: [String] = []
  /// Whether a record names the columns; otherwise they are named `1`, `2`, ….
  public var hasHeader = true
  /// What surrounds a cell that holds delimiters or line ends.
  public var quoting = Quoting.automatic
  /// The bytes between cells, usually one; nil takes a tab for TSV and guesses for CSV.
  public var delimiter: [UInt8]?
  /// What a line begins with that is a remark and no record; empty for none.
  public var comment: [UInt8] = []
  /// Which points of a GPX file are read; nil for its waypoints.
  public var gpxPoints: GPXPointChoice?
  /// The kind of every annotation that names none.
  public var defaultKind: AnnotationKind?
  /// Whether CSV and TSV must have columns for coordinates; otherwise every row of a table without them is kept,
  /// unplaced, as for a list without a map, or where positions come from elsewhere, as by ``PlaceJoin``.
  ///
  /// The header is then the first record as wide as the fullest one and at least half filled.
  public var requiresPositions = true
  /// Whether positions nearer than 0.0005° to 0,0 are placed, with a warning, not rejected.
  public var allowsNullIsland = false
  /// Whether a single rejected record fails the import, and a record without a position is
  /// rejected.
  public var isStrict = false
  /// Whether a record without a position is rejected: not where nobody requires one.
  var rejectsUnplaced: Bool { isStrict && requiresPositions }
  /// How many records may be rejected; nil for any number as long as one is kept.
  public var rejectLimit: RejectLimit?
  /// How many bytes may come out of content packed with gzip.
  public var unpackingLimit = UnpackingLimit.standard
  /// Where positions must lie; nil for anywhere.
  public var region: RegionCheck?
  /// What the coordinates are numbers of.
  public var crs = SourceCRS.declared
  /// Finds the transform to WGS 84 for the CRS that a source declares; the built-in ones, unless
  /// told otherwise.
  public var transformNamed: @Sendable (String) throws(CRSError) -> any CoordinateTransform = {
    (name) throws(CRSError) in try CRS(named: name).toWGS84
  }

  /// Whether placed records are compared with each other, for warnings: the same record twice
  /// (`duplicate-record`), one position for several addresses (`placeholder-position`), positions
  /// that differ by whole degrees (`fill-down`), positions far from others with the same address or
  /// district (`far-from-address`, `far-from-district`), positions outside Korea or Japan where the address
  /// is inside (`outside-country`), over 20 km from the province that it names (`far-from-province`), and over 10 km
  /// off the country's land (`off-land`).
  ///
  /// It takes as long as reading again, and holds every address in memory.
  public var comparesRecords = false

  /// What suits most sources: everything is detected from the names of the columns.
  public init() {}
}

/// What the coordinates of a source are numbers of.
public enum SourceCRS: Sendable {
  /// Degrees of WGS 84, unless the source itself names another CRS, as GeoJSON of 2008 may.
  case declared
  /// Degrees of WGS 84, whatever the source says.
  case wgs84
  /// A CRS by its name in messages, and the transform from it to WGS 84.
  indirect case transformed(String, any CoordinateTransform)
}

/// What surrounds a cell that holds delimiters or line ends.
public enum Quoting: Hashable, Sendable {
  /// `"` in CSV and nothing in TSV.
  case automatic
  /// Nothing: every quote is an ordinary character.
  case none
  /// This byte.
  case character(UInt8)
}

/// How many records may be rejected before an import fails.
public enum RejectLimit: Hashable, Sendable {
  /// At most so many.
  case count(Int)
  /// At most this share of all records, 0…100.
  case percent(Double)

  func isExceeded(by rejected: Int, of records: Int) -> Bool {
    switch self {
    case .count(let limit): rejected > limit
    case .percent(let limit): Double(rejected) * 100 > limit * Double(records)
    }
  }
}

/// Where positions must lie, and how far outside a position is.
public struct RegionCheck: Sendable {
  /// The region's name, as `--region` was given.
  public let name: String
  /// Whether a position lies in it or on its border; asked for every record.
  public let contains: @Sendable (Coordinate) -> Bool
  /// How far a position lies outside; asked for rejected ones only, and may take its time.
  public let distance: @Sendable (Coordinate) -> Distance

  /// A check by two questions.
  public init(
    name: String, contains: @escaping @Sendable (Coordinate) -> Bool,
    distance: @escaping @Sendable (Coordinate) -> Distance
  ) {
    self.name = name
    self.contains = contains
    self.distance = distance
  }

  /// Positions must lie in a region.
  public init(_ region: Region) {
    self.init(name: region.name, contains: region.contains, distance: region.distance)
  }
}
