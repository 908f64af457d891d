#if Store
  import GeoJSONCoding
  import MapAnnotations

  /// Distributes an annotation over the columns of its layer, one annotation after another.
  ///
  /// A separate value, not part of the writer, so that Swift checks access to it once for each row.
  struct RowBuilder {
    private(set) var columns: LayerColumns
    private(set) var cells = RowCells()
    /// The index of the property that earlier rows had at each position.
    private var guesses: [Int] = []
    private var newColumns: [String] = []

    init(_ columns: LayerColumns) { self.columns = columns }

    /// Fills the cells of an annotation.
    ///
    /// - Returns: The columns it needs that the table does not have yet.
    mutating func fill(_ annotation: StoredAnnotation) -> [String] {
      newColumns = []
      cells.clear(columns: columns.count)
      let id = annotation.id.text
      cells.set(LayerColumns.Own.id.rawValue, id)
      cells.set(LayerColumns.Own.name.rawValue, annotation.name)
      cells.set(LayerColumns.Own.kind.rawValue, annotation.kind?.rawValue)
      cells.set(LayerColumns.Own.openingHours.rawValue, annotation.openingHours)
      cells.set(LayerColumns.Own.placeID.rawValue, annotation.placeID)
      let dates = annotation.validDates
      cells.set(LayerColumns.Own.validFrom.rawValue, dates.first?.first?.description)
      cells.set(LayerColumns.Own.validUntil.rawValue, dates.last?.last?.description)

      // An annotation that came as a feature is also read back as one.
      var columnsTellAll =
        annotation.feature == nil && dates.count < 2 && !annotation.hasOwnPin
        && annotation.geometry?.placesWithoutAltitude.isEmpty != false
      if !setProperties(annotation.properties) { columnsTellAll = false }
      if !columnsTellAll {
        cells.set(LayerColumns.Own.feature.rawValue, annotation.featureText)
      }
      return newColumns
    }

    /// A plan for a source's text rows; nil if each row has to be examined.
    mutating func plan(_ source: TextColumns) -> (plan: TextRowPlan?, newColumns: [String]) {
      newColumns = []
      for (position, name) in source.names.compactMap(\.self).enumerated() {
        guard propertyPlace(name, at: position) != nil else { return (nil, newColumns) }
      }
      return (TextRowPlan(source, columns), newColumns)
    }

    /// Puts each property into its column; returns whether all can be read back from there.
    private mutating func setProperties(_ properties: Properties) -> Bool {
      var isPlain = true
      var last = -1
      var sharedSeen = 0
      for (position, entry) in properties.entries.enumerated() {
        guard let place = propertyPlace(entry.name, at: position) else {
          isPlain = false
          continue
        }
        let column = columns.properties[place].place
        let isShared = column < LayerColumns.Own.allCases.count
        if isShared { sharedSeen += 1 }
        guard place > last, case .string(let text) = entry.value else {
          // Columns still show what they can; the feature column has everything.
          if !isShared, place > last { cells.set(column, entry.value.cellText) }
          last = max(last, place)
          isPlain = false
          continue
        }
        last = place
        if !isShared {
          cells.set(column, text)
        } else if cells.isNull(column), text.isEmpty {
          cells.set(column, text)
        } else if !cells.equals(column, text) {
          isPlain = false
        }
      }
      // Otherwise a shared column would look like a property that this row does not have.
      return isPlain && sharedSeen == sharedColumnsInUse
    }

    /// The number of nonempty columns among those that properties share.
    private var sharedColumnsInUse: Int { columns.sharedPlaces.count { !cells.isNull($0) } }

    private mutating func propertyPlace(_ name: String, at position: Int) -> Int? {
      if position < guesses.count, columns.properties[guesses[position]].name.isSameBytes(as: name)
      {
        return guesses[position]
      }
      var place = columns.place(of: name)
      if place == nil, let added = columns.add(name) {
        place = added.place
        if let column = added.newColumn {
          newColumns.append(column)
          cells.extend(to: columns.count)
        }
      }
      if let place, position == guesses.count { guesses.append(place) }
      return place
    }
  }
#endif
