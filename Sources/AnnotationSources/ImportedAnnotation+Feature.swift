import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

extension ImportedAnnotation {
  /// The annotation as a GeoJSON feature for what draws, its id as the source wrote it, unless an option chose another.
  ///
  /// Lines and areas are as their source has them, and not as the points that stand for them; these where the source
  /// was read by points. A point keeps its altitude.
  ///
  /// - Parameter isNamed: Whether `name` and `kind` are the annotation's own, as texts, because what draws reads nothing
  ///   else: they are added even if the properties say them under another name, as `title`, and another value there
  ///   becomes `name_2`. False to add only what options chose, which is not found without them.
  package func drawnFeature(
    keeping fields: [String]?, distance: Distance? = nil, bearing: Double? = nil,
    isStyled: Bool = true, isNamed: Bool = true
  ) -> Feature {
    let (common, own) = whole
    // Hours and days are among the properties, unless these are not wanted.
    var kept = BasicAnnotation(
      id: common.id, name: common.name, kind: common.kind, coordinate: common.coordinate,
      properties: common.properties)
    if !isNamed, kept.properties["name"] == nil || kept.properties["kind"] == nil {
      let known = KnownProperties(kept.properties)
      if kept.name == known.name { kept.name = nil }
      if kept.kind?.rawValue == known.kind { kept.kind = nil }
    }
    kept.properties = kept.properties.keeping(fields)
    if isNamed {
      kept.properties = kept.properties.withDistinctNames
      kept.properties.say("name", kept.name)
      kept.properties.say("kind", kept.kind?.rawValue)
    }
    var drawn = Feature(
      kept, id: kept.id.written(like: own?.id), distance: distance, bearing: bearing,
      isStyled: isStyled)
    if let distance {
      drawn.properties?["distance"] = .meters(distance)
      drawn.properties?["bearing"] = .bearing(bearing)
    }
    if let geometry = own?.geometry, geometry.isPoint || shape != nil { drawn.geometry = geometry }
    return drawn
  }

  /// The annotation as its GeoJSON source has it, shape and foreign members included, or as the
  /// feature that stands for a row; not made up for a map, so that nothing is added to the data.
  ///
  /// An id, a name, a kind and hours are written where reading it again would give others: a record
  /// number does not stay when records before it are left out, and a name that options chose is not
  /// found without them.
  ///
  /// - Parameter leavesNumbers: Whether a record number is no id to write (`areNumberedAgain`).
  package func wholeFeature(keeping fields: [String]?, leavesNumbers: Bool) -> Feature {
    let (common, read) = whole
    guard var feature = read else {
      let properties = common.properties.withDistinctNames
      var kept = BasicAnnotation(
        id: common.id, name: common.name, kind: common.kind, coordinate: common.coordinate,
        properties: properties.keeping(fields))
      kept.properties.say(common, insteadOf: KnownProperties(properties))
      return Feature(kept, isStyled: false)
    }
    let known = KnownProperties(feature.properties ?? Properties())
    feature.properties = feature.properties?.keeping(fields)
    let kept = KnownProperties(feature.properties ?? Properties())
    let readAgain = feature.id?.text ?? kept.id ?? (leavesNumbers ? common.id.text : nil)
    if readAgain != common.id.text { feature.id = .string(common.id.text) }
    var properties = feature.properties ?? Properties()
    properties.say(common, insteadOf: known)
    // Properties that are null stay null if there is nothing to say.
    if !properties.isEmpty { feature.properties = properties }
    return feature
  }
}

extension ImportedAnnotation {
  /// Whether a property called `name` or `kind` says something else than the annotation, and would be taken for it.
  fileprivate var isMisnamed: Bool {
    func says(_ field: String, otherThan own: String?) -> Bool {
      property(field)?.text.map { $0 != own && !NullText.isNull($0) } ?? false
    }
    let hasOtherName = says("name", otherThan: name)
    let hasOtherKind = says("kind", otherThan: kind?.rawValue)
    guard hasOtherName || hasOtherKind else { return false }
    let known = KnownProperties(properties)
    return hasOtherName && known.name != name || hasOtherKind && known.kind != kind?.rawValue
  }
}

extension ImportedAnnotations {
  /// The same, but if a property called `name` or `kind` says something else than its annotation, as `convert` writes
  /// them: that property becomes `name_2` or `kind_2`, and what features say is what searches find.
  ///
  /// - Complexity: O(1) for tables whose columns `name` and `kind` are the names and kinds, otherwise O(*n*); and if some
  ///   are renamed, all of them as text.
  package var withOwnNames: ImportedAnnotations {
    guard !roleColumns.isSuperset(of: ["name", "kind"]), contains(where: \.isMisnamed) else {
      return self
    }
    var features = StoredFeatures(tellAnnotations: true)
    for annotation in self {
      features.append(
        annotation.wholeFeature(keeping: nil, leavesNumbers: false), of: annotation,
        isRow: annotation.feature == nil)
    }
    var importer = AnnotationImporter()
    importer.options.takesShapesForPoints = !contains { $0.shape != nil }
    // Whatever is not read as it was written is served as it is.
    let read = try? importer.read([.features(features)], named: sources.first ?? "", areOwn: true)
    guard let read, read.annotations.count == count else { return self }
    return read.annotations
  }
}

extension ImportedAnnotation {
  /// What lists of fields call the position, where no record of the source has a column of that name.
  static let positionFields = ["latitude", "longitude"]

  /// The part of the position that a list of fields names; nil for another name.
  func degrees(ofField name: String) -> PropertyValue? {
    guard let place = ImportedAnnotation.positionFields.firstIndex(of: name) else { return nil }
    return .degrees(place == 0 ? coordinate?.latitude : coordinate?.longitude)
  }
}

extension AnnotationID {
  /// The id as the feature's own one, which may be a number, if that is the same; otherwise, as if an option chose another
  /// field, its text.
  func written(like own: PropertyValue?) -> PropertyValue {
    guard let own, let text = own.text, AnnotationID(text) == self else {
      return .string(self.text)
    }
    return own
  }
}

extension Properties {
  /// Says something, or nothing, under a name where another text would be read there; what is called so now, or would
  /// be read if nothing is said, gets a number after it.
  mutating func say(_ name: String, _ text: String?, insteadOf known: String?) {
    guard text != known else { return }
    for (place, entry) in entries.enumerated()
    where entry.name.lowercased() == name
      || text == nil && KnownProperties.isRead(entry.name, as: name) && entry.value != ""
    {
      renameEntry(at: place)
    }
    if let text { append(name, .string(text)) }
  }

  /// Says the name, the kind and the hours of an annotation where others would be read.
  fileprivate mutating func say(_ annotation: BasicAnnotation, insteadOf known: KnownProperties) {
    say("name", annotation.name, insteadOf: known.name)
    say("kind", annotation.kind?.rawValue, insteadOf: known.kind)
    say("opening_hours", annotation.openingHours, insteadOf: known.hours)
  }

  /// Only the entries of some names, with a number after each repeated one; all of them, as they are, for nil.
  package func keeping(_ names: [String]?) -> Properties {
    guard let names else { return self }
    return Properties(withDistinctNames.entries.filter { names.contains($0.name) })
  }
}

extension Sequence<ImportedAnnotation> {
  /// How many there are of each kind, the most frequent first, then by name; those without a kind under an empty one.
  package var kindCounts: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for annotation in self { counts[annotation.kind?.rawValue ?? "", default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (name: $0.key, count: $0.value) }
  }
}

extension ImportedAnnotations {
  /// Whether no feature names an id and each would be read again under the number that it has, so
  /// that ids need not be written.
  ///
  /// - Complexity: O(*n*) for what a store numbered, otherwise O(1).
  package var areNumberedAgain: Bool {
    areNumberedInOrder
      || enumerated().allSatisfy { place, annotation in
        guard annotation.id == AnnotationID(place + 1), let feature = annotation.feature else {
          return false
        }
        return feature.id == nil && KnownProperties(feature.properties ?? Properties()).id == nil
      }
  }

  /// The sources' own columns, in the order in which they first appear.
  ///
  /// - Complexity: O(1) for tables, and for GeoJSON as it was read; features of an index file, or chosen ones, are all
  ///   read.
  package var allColumns: [String] {
    if let names = featureColumns { return names }
    let names = columns
    let known = Set(names.map(ExactText.init))
    // Every row of a table has all of its columns; without a header, which numbers them, a later
    // row may have more.
    let isTable =
      !columns.isEmpty && sources.count == 1 && !columns.allSatisfy { Int($0) != nil }
    // An index file has its records in another order than their sources.
    let ranks = Dictionary(zip(sources, 0...), uniquingKeysWith: { first, _ in first })
    var first: [ExactText: (source: Int, record: Int, place: Int)] = [:]
    for (offset, annotation) in prefix(isTable ? 1 : count).enumerated() {
      let origin = annotation.origin
      let source = origin.flatMap { ranks[$0.source] } ?? 0
      for (place, entry) in annotation.properties.withDistinctNames.entries.enumerated() {
        let name = ExactText(entry.name)
        let here = (source: source, record: origin?.record ?? offset, place: place)
        guard !known.contains(name), here < first[name] ?? (.max, .max, .max) else { continue }
        first[name] = here
      }
    }
    return names
      + first.sorted { left, right in
        left.value == right.value ? left.key.text < right.key.text : left.value < right.value
      }.map(\.key.text)
  }

  /// The names in a list of fields that are parts of the position: by source, not by record, so that what is no column
  /// of one record does not stand among the values of others.
  func positionFields(among names: [String]) -> [String] {
    ImportedAnnotation.positionFields.filter { names.contains($0) && !allColumns.contains($0) }
  }

  /// Whether some record may have a property.
  func hasColumn(_ name: String) -> Bool {
    columns.contains(name) || contains { $0.property(name) != nil } || allColumns.contains(name)
  }

  /// Refuses the name of a column that no record has: it is a slip of the pen.
  ///
  /// - Parameter option: What names it.
  package func requireColumn(_ name: String, of option: String) throws(ReportedError) {
    if isEmpty || hasColumn(name) { return }
    throw ReportedError("unknown-field", "\(option): \(missing(column: name))", fault: .usage)
  }

  /// Refuses names of columns to sum up that no record has, and says which numbers of the others are not read.
  ///
  /// - Parameter option: What names them.
  package func sumRemarks(
    _ names: [String], of option: String
  ) throws(ReportedError) -> [String] {
    for name in names { try requireColumn(name, of: option) }
    return names.compactMap { NumberTexts($0, among: self)?.remark }
  }

  /// Refuses what is neither the name of a column that some record has nor of a part of the position.
  ///
  /// - Parameter option: What names it.
  package func requireField(_ name: String, of option: String) throws(ReportedError) {
    if isEmpty || ImportedAnnotation.positionFields.contains(name) || hasColumn(name) { return }
    throw ReportedError("unknown-field", "\(option): \(missing(field: name))", fault: .usage)
  }

  /// Says that a list of fields cannot have a name, and which it can.
  func missing(field name: String) -> String {
    missing(column: name) + "; the position is latitude,longitude"
  }

  /// Says that there is no column of a name, and which there are.
  func missing(column name: String) -> String {
    // In quotes where `--fields` needs them.
    let names = allColumns.prefix(40).map { $0.isEmpty || $0.contains(",") ? "\"\($0)\"" : $0 }
    return "no column is named \"\(name)\"; columns are \(names.joined(separator: ","))"
  }
}

extension Collection<ImportedAnnotation> {
  /// The smallest box around all shapes, for the `bbox` of a collection that holds them whole; nil when nothing is
  /// placed.
  ///
  /// It crosses the antimeridian where that is smaller (RFC 7946, 5.2). The edges of lines and polygons go the shorter way.
  package var extent: BoundingBox? {
    // Rows of a table have no feature, so that only GeoJSON is read for this.
    let hasShapes = contains { annotation in
      guard annotation.mayBeShape else { return false }
      return switch annotation.feature?.geometry {
      case nil, .point: false
      default: annotation.coordinate != nil
      }
    }
    guard hasShapes else { return BoundingBox(around: lazy.compactMap(\.coordinate)) }
    var boxes: [BoundingBox] = []
    for annotation in self {
      guard let coordinate = annotation.coordinate else { continue }
      let geometry = annotation.feature?.geometry ?? .point(Position(coordinate))
      geometry.forEachPath { path in
        if let box = BoundingBox(along: path) { boxes.append(box) }
      }
    }
    return BoundingBox(around: boxes)
  }
}

extension BoundingBox {
  /// The box around a line or a ring whose edges go the shorter way; nil without positions.
  fileprivate init?(along path: [Position]) {
    guard let first = path.first else { return nil }
    // Where it is once the turns around the Earth are counted, and as it is written.
    var west = (unrolled: first.longitude, written: first.longitude), east = west
    var (south, north) = (first.latitude, first.latitude)
    var turns = 0.0
    for (before, position) in zip(path, path.dropFirst()) {
      let step = position.longitude - before.longitude
      // A step of 180° is taken as written, and one of 360°, from −180 to 180, is all the way round.
      if abs(step) > 180, abs(step) != 360 {
        turns -= ((abs(step) - 180) / 360).rounded(.up) * (step < 0 ? -1 : 1)
      }
      let longitude = position.longitude + 360 * turns
      if longitude < west.unrolled { west = (longitude, position.longitude) }
      if longitude > east.unrolled { east = (longitude, position.longitude) }
      south = min(south, position.latitude)
      north = max(north, position.latitude)
    }
    let box = try? BoundingBox(
      plane: (south, west.written, north, east.written),
      isWhole: east.unrolled - west.unrolled >= 360)
    guard let box else { return nil }
    self = box
  }
}
