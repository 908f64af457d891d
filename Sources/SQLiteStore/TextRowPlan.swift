#if Store
  import MapAnnotations

  /// Which cells of a source's rows go into which columns of a layer, computed once for all rows.
  ///
  /// It binds the same cells as `RowBuilder`, without a `String` for each. If the columns cannot
  /// express a row completely, the row goes to `RowBuilder` instead.
  struct TextRowPlan {
    private typealias Own = LayerColumns.Own
    private typealias Move = (cell: Int, place: Int)

    /// The source's columns for which the plan was made.
    let source: TextColumns
    /// Cells that are copied unchanged.
    private var properties: [Move] = []
    /// Cells of name, hours and place; a blank one becomes NULL.
    private var texts: [Move] = []
    /// Those of them that are also properties; an empty one stays an empty text.
    private var sharedTexts: [Move] = []
    private var idIsProperty = false
    private var kindIsProperty = false

    /// nil if the columns of the layer cannot express the source's rows completely.
    ///
    /// - Parameter layer: Has the properties of the source.
    init?(_ source: TextColumns, _ layer: LayerColumns) {
      self.source = source
      let roles: [Int: Int?] = [
        Own.id.rawValue: source.id, Own.kind.rawValue: source.kind,
        Own.name.rawValue: source.name, Own.openingHours.rawValue: source.openingHours,
        Own.placeID.rawValue: source.placeID,
      ]
      var shared: Set<Int> = []
      var last = -1
      for (cell, name) in source.names.enumerated() {
        guard let name else { continue }
        // Properties are read back in the order of the layer's columns.
        guard let property = layer.place(of: name), property > last else { return nil }
        last = property
        let place = layer.properties[property].place
        guard place < Own.allCases.count else {
          properties.append((cell, place))
          continue
        }
        guard case cell?? = roles[place] else { return nil }
        shared.insert(place)
      }
      guard shared.count == layer.sharedPlaces.count else { return nil }
      idIsProperty = shared.contains(Own.id.rawValue)
      kindIsProperty = shared.contains(Own.kind.rawValue)
      for own in [Own.name, .openingHours, .placeID] {
        guard case let cell?? = roles[own.rawValue] else { continue }
        if shared.contains(own.rawValue) {
          sharedTexts.append((cell, own.rawValue))
        } else {
          texts.append((cell, own.rawValue))
        }
      }
    }

    /// Whether the columns can express a row completely.
    func tells(_ row: TextRow) -> Bool {
      if idIsProperty, let id = source.id, row.cells[id].isEmpty { return false }
      if kindIsProperty, let kind = source.kind, row.isNull(kind),
        source.defaultKind != nil || !row.cells[kind].isEmpty
      {
        return false
      }
      return sharedTexts.allSatisfy { row.cells[$0.cell].isEmpty || !row.isNull($0.cell) }
    }

    /// Binds a row's cells to the parameters from `first` on; other parameters stay unchanged.
    ///
    /// - Precondition: `tells(row)` is true, and the cells stay in place until the statement was run.
    func bind(_ row: TextRow, to statement: Statement, from first: Int) {
      if let id = source.id, !row.cells[id].isEmpty {
        statement.bind(textInPlace: row.cells[id], at: first + Own.id.rawValue)
      } else {
        // Its column makes a text of it.
        statement.bind(row.number, at: first + Own.id.rawValue)
      }
      let kindPlace = first + Own.kind.rawValue
      if let kind = source.kind, kindIsProperty || !row.isNull(kind) {
        statement.bind(textInPlace: row.cells[kind], at: kindPlace)
      } else {
        statement.bind(SQLValue(source.defaultKind?.rawValue), at: kindPlace)
      }
      for (cell, place) in texts {
        if row.isNull(cell) {
          statement.bindNull(at: first + place)
        } else {
          statement.bind(textInPlace: row.cells[cell], at: first + place)
        }
      }
      for (cell, place) in sharedTexts {
        statement.bind(textInPlace: row.cells[cell], at: first + place)
      }
      for (cell, place) in properties {
        statement.bind(textInPlace: row.cells[cell], at: first + place)
      }
    }
  }
#endif
