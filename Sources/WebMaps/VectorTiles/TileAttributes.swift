import GeoJSONCoding
import MapAnnotations

/// The attributes of a pyramid's features, with every name and every value stored once.
///
/// A feature is in a tile of each zoom, so its texts are looked up only once, when it is added, and
/// are numbers from then on; the bytes of a value are those stored in tiles. Features with the same
/// attribute names share one list of names.
///
/// - Complexity: 24 bytes for each feature, 4 for each of its values, and about 20 plus its bytes
///   for each new value.
struct TileAttributes: Sendable {
  /// The names, in the order of their first use.
  private(set) var names: [String] = []
  /// The type of the values seen under each name, text for those of several types; nil for none.
  private(set) var types: [PMTilesMetadata.FieldType?] = []
  private var placeOfName: [ExactText: UInt32] = [:]

  /// The forms of features: their names as indices of `names`.
  private var forms = FormTable<UInt32>()
  private var newForm: [UInt32] = []

  /// The form of each feature.
  private var formOfFeature: [UInt32] = []
  /// The index of the first value of each feature.
  private(set) var startOfFeature: [Int] = []
  /// The id of each feature; `noID` for none.
  private(set) var ids: [UInt64] = []
  /// Numbers that decide which features stay under a limit, lowest first.
  private(set) var lots: [UInt32] = []
  /// The values of all features in order, as indices of `texts`.
  private(set) var values: [UInt32] = []
  private(set) var texts = TileValueTexts()
  private var newValue: [UInt8] = []

  /// How rows with the most recent columns are read.
  private var rowPlan: TileRowPlan?

  /// The id that means "no id": the only one of 2⁶⁴ that cannot be written.
  static let noID = UInt64.max

  /// The number of features.
  var count: Int { ids.count }

  /// The names of a feature's attributes, as indices of `names`.
  @inline(__always)
  func form(of feature: Int) -> [UInt32] { forms.all[Int(formOfFeature[feature])] }

  /// The id of a feature; nil for none.
  @inline(__always)
  func id(of feature: Int) -> UInt64? { ids[feature] == Self.noID ? nil : ids[feature] }

  init() {}

  /// An empty list for features in the same layer as others, whose names keep their indices.
  init(sharingNamesOf other: TileAttributes) {
    names = other.names
    types = other.types
    placeOfName = other.placeOfName
  }

  mutating func reserve(_ count: Int) {
    formOfFeature.reserveCapacity(count)
    startOfFeature.reserveCapacity(count)
    ids.reserveCapacity(count)
    lots.reserveCapacity(count)
  }

  // MARK: Features

  /// Adds a feature that no tile uses, so that features keep the indices of their annotations.
  mutating func appendAbsent() {
    beginFeature(id: TileAttributes.noID, lot: 0)
    endFeature()
  }

  /// Adds the attributes of an annotation.
  ///
  /// These are its properties, its `name` and `kind`, and its `id` unless it is a number, which has
  /// its own field in a tile. A property of such a name that says something else gets a number after
  /// it. Null and empty texts are skipped.
  ///
  /// - Parameter fields: The properties to keep; nil for all.
  mutating func append(
    _ annotation: some Annotation, keeping fields: Set<String>?,
    adding more: (name: String, value: Int)? = nil
  ) {
    var properties = annotation.properties.withDistinctNames
    if let fields { properties.entries.removeAll { !fields.contains($0.name) } }
    let id = annotation.id
    let text = Array(id.text.utf8)
    let number = TileAttributes.number(text)
    beginFeature(
      id: number ?? TileAttributes.noID,
      lot: text.withUnsafeBytes { TileAttributes.lot(number, $0) })
    properties.say("name", annotation.name)
    properties.say("kind", annotation.kind?.rawValue)
    if number == nil { properties.say("id", id.text) }
    for entry in properties.entries { append(entry.name, entry.value) }
    if let more { append(more.name, PropertyValue.integer(more.value)) }
    endFeature()
  }

  /// Adds the attributes of a row, the same as those of its annotation, without a `String` for each cell.
  mutating func append(
    _ row: TextRow, keeping fields: Set<String>?, adding more: (name: String, value: Int)? = nil
  ) {
    var plan: TileRowPlan
    if let rowPlan, rowPlan.columns === row.columns {
      plan = rowPlan
    } else {
      plan = TileRowPlan(row.columns, keeping: fields) { place(ofName: $0) }
    }
    // Keep only one reference, or the plan would be copied for every row.
    rowPlan = nil
    let number = plan.number(of: row)
    beginFeature(
      id: number ?? TileAttributes.noID,
      lot: TileAttributes.lot(number, plan.idText(of: row)))
    plan.forEachText(in: row, hasNumber: number != nil) { name, text, last in
      newForm.append(name)
      types[Int(name)] = .string
      if !texts.holds(text, at: last) { last = texts.place(ofText: text, &newValue) }
      values.append(last)
    }
    if let more { append(more.name, PropertyValue.integer(more.value)) }
    endFeature()
    rowPlan = plan
  }

  /// Adds a cluster, whose number is known to be below 2⁵³.
  mutating func append(clusterNumber number: Int, _ attributes: [(String, VectorTileValue)]) {
    beginFeature(id: UInt64(number), lot: TileAttributes.lot(UInt64(number), nil))
    for (name, value) in attributes { append(name, value) }
    endFeature()
  }

  private mutating func beginFeature(id: UInt64, lot: UInt32) {
    ids.append(id)
    lots.append(lot)
    startOfFeature.append(values.count)
    newForm.removeAll(keepingCapacity: true)
  }

  private mutating func endFeature() {
    formOfFeature.append(forms.number(of: newForm))
  }

  private mutating func append(_ name: String, _ property: PropertyValue) {
    guard let value = VectorTileValue(property), value != .string("") else { return }
    append(name, value)
  }

  private mutating func append(_ name: String, _ value: VectorTileValue) {
    let name = place(ofName: name)
    newForm.append(name)
    let type = value.fieldType
    types[Int(name)] = types[Int(name)] ?? type == type ? type : .string
    newValue.removeAll(keepingCapacity: true)
    value.append(to: &newValue)
    values.append(texts.place(of: newValue))
  }

  private mutating func place(ofName name: String) -> UInt32 {
    if let place = placeOfName[ExactText(name)] { return place }
    let place = UInt32(names.count)
    names.append(name)
    types.append(nil)
    placeOfName[ExactText(name)] = place
    return place
  }

  /// A pseudorandom number from an id, the same in every tile: an annotation that a limit keeps in
  /// a tile is also kept in every deeper tile.
  private static func lot(_ number: UInt64?, _ text: UnsafeRawBufferPointer?) -> UInt32 {
    let hash = number.map { TileHash.mixed($0) } ?? text.map { TileHash.hash($0) } ?? 0
    return UInt32(hash >> 32)
  }

  /// The number that an id in canonical decimal form represents; nil for other texts, and beyond 2⁶⁴ − 2.
  static func number(_ text: some Collection<UInt8>) -> UInt64? {
    guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var number: UInt64 = 0
    for byte in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !overflows, !exceeds else { return nil }
      number = sum
    }
    return number == TileAttributes.noID ? nil : number
  }
}

extension VectorTileValue {
  /// The type in TileJSON, which allows one type for a field.
  fileprivate var fieldType: PMTilesMetadata.FieldType {
    switch self {
    case .string: .string
    case .bool: .boolean
    case .float, .double, .integer, .unsigned: .number
    }
  }
}
