#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// Reads annotations from a layer's table.
  struct LayerReader {
    let connection: Connection
    let table: String
    let columns: LayerColumns

    /// The annotations that match a condition, which also orders them; all of them in source order for nil.
    func all(where condition: String?) throws(StoreError) -> [StoredAnnotation] {
      let statement = try prepare(condition)
      var annotations: [StoredAnnotation] = []
      while try statement.step() { annotations.append(try annotation(statement)) }
      return annotations
    }

    /// The first row that matches a condition.
    func first(
      where condition: String, _ values: SQLValue...
    ) throws(StoreError) -> (row: Int, annotation: StoredAnnotation)? {
      let statement = try prepare(condition, values)
      guard try statement.step() else { return nil }
      return (statement.integer(0), try annotation(statement))
    }

    func prepare(
      _ condition: String? = nil, _ values: [SQLValue] = []
    ) throws(StoreError) -> Statement {
      let names = (["fid", "geom"] + columns.names).map(quoted).joined(separator: ", ")
      return try connection.prepare(
        "SELECT \(names) FROM \(quoted(table))"
          + (condition.map { " WHERE \($0)" } ?? " ORDER BY fid"), values)
    }

    /// The geometry of a row; nil if it has none.
    func geometry(_ row: Statement) throws(StoreError) -> Geometry? {
      do throws(GeometryBlobDamage) {
        return row.isNull(1) ? nil : try GeometryBlob.decode(row.bytes(1))
      } catch {
        throw StoreError(
          connection.file,
          .notADatabase("row \(row.integer(0)) of layer \(table) holds \(error.sentence)"))
      }
    }

    /// The text of one of the columns that every layer has; nil for none.
    func own(_ column: LayerColumns.Own, of row: Statement) -> String? {
      let text = row.text(2 + column.rawValue)
      return text?.isEmpty == true ? nil : text
    }

    func annotation(_ row: Statement) throws(StoreError) -> StoredAnnotation {
      let geometry = try geometry(row)
      func own(_ column: LayerColumns.Own) -> String? { self.own(column, of: row) }
      let id = row.text(2 + LayerColumns.Own.id.rawValue) ?? ""
      var common = BasicAnnotation(
        id: AnnotationID(id), placeID: own(.placeID), name: own(.name),
        kind: own(.kind).map { AnnotationKind(rawValue: $0) },
        // A shape from another program that is not on the Earth has no position here.
        coordinate: geometry.flatMap { try? $0.representativePoint() },
        openingHours: own(.openingHours),
        validDates: ValidDates(from: own(.validFrom), until: own(.validUntil)).spans,
        origin: RecordOrigin(source: table, record: row.integer(0)))
      if let text = own(.feature), let value = try? PropertyValue(json: Array(text.utf8)),
        case .object(let members) = value
      {
        return StoredAnnotation(common, geometry, completedBy: members)
      }
      for property in columns.properties {
        if let text = row.text(2 + property.place) {
          common.properties.append(property.name, .string(text))
        }
      }
      return StoredAnnotation(common, feature: nil, geometry: geometry)
    }
  }

  extension StoredAnnotation {
    /// An annotation with what `featureText` says, as far as that still fits its geometry.
    fileprivate init(
      _ common: BasicAnnotation, _ geometry: Geometry?, completedBy members: Properties
    ) {
      var common = common
      if case .array(let dates)? = members["dates"] {
        common.validDates = dates.flatMap { date -> [DateSpan] in
          guard case .array(let ends) = date, ends.count == 2 else { return [] }
          return ValidDates(from: ends[0].text, until: ends[1].text).spans
        }
      }
      // Another program may have made it a point.
      let isShape = geometry?.isPoint == false
      let pin = isShape ? members["pin"].flatMap(Coordinate.init(pin:)) : nil
      common.coordinate = pin ?? common.coordinate
      var shape = geometry
      if case .array(let places)? = members["withoutAltitude"] {
        shape = geometry?.withoutAltitudes(at: places.compactMap { $0.text.flatMap { Int($0) } })
      }
      var feature: Feature?
      if let row = Properties(whole: members["row"]) {
        common.properties = row
      } else {
        let properties = Properties(whole: members["properties"])
        common.properties = properties ?? common.properties
        var whole = Feature(id: members["id"], geometry: shape, properties: properties)
        if case .array(let bbox)? = members["bbox"] { whole.bbox = bbox.compactMap(\.number) }
        if case .object(let foreign)? = members["members"] { whole.foreignMembers = foreign }
        feature = whole
      }
      self.init(common, feature: feature, geometry: shape, hasOwnPin: pin != nil)
    }
  }

  extension Coordinate {
    /// The position of a pin that is not the one that represents its shape, as `featureText` writes it.
    fileprivate init?(pin: PropertyValue) {
      guard case .array(let degrees) = pin, degrees.count == 2,
        let longitude = degrees[0].number, let latitude = degrees[1].number,
        let place = try? Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      self = place
    }
  }
#endif
