#if Store
  import GeoJSONCoding
  import MapAnnotations

  /// The columns of a layer's table, and the property that each holds.
  ///
  /// Every table has the columns of `own`. A property with the name of one of these shares it;
  /// every other property has its own column, so that QGIS and SQL see the source's columns.
  /// `feature` holds as JSON the whole of what the columns cannot express.
  struct LayerColumns {
    /// A column of every layer, in the order of its table, after `fid` and `geom`.
    enum Own: Int, CaseIterable {
      case id, name, kind, openingHours, placeID, validFrom, validUntil, feature

      var column: String {
        switch self {
        case .id: "id"
        case .name: "name"
        case .kind: "kind"
        case .openingHours: "opening_hours"
        case .placeID: "place_id"
        case .validFrom: "valid_from"
        case .validUntil: "valid_until"
        case .feature: "feature"
        }
      }
    }

    /// What an annotation is beyond its properties, in the order in which importers name it: id, name, place, kind,
    /// hours, and the days from and until which it is valid.
    static let roles: [Own] = [.id, .name, .placeID, .kind, .openingHours, .validFrom, .validUntil]

    /// A property, and the index of its column among all but `fid` and `geom`.
    struct Property {
      let name: String
      let column: String
      let place: Int
    }

    /// The maximum number of properties with a column; rows with others are stored as JSON.
    static let limit = 500

    private(set) var properties: [Property] = []
    private var placeOfName: [ExactText: Int] = [:]
    /// The columns after `own`, in order.
    private(set) var further: [String] = []
    /// The indices of own columns that properties share.
    private(set) var sharedPlaces: [Int] = []
    /// In lower case, as SQLite compares names.
    private var taken: Set<String>

    /// The columns of every layer.
    static let own = ["fid", "geom"] + Own.allCases.map(\.column)

    init() { taken = Set(LayerColumns.own) }

    /// The number of columns except `fid` and `geom`.
    var count: Int { Own.allCases.count + further.count }

    /// All columns except `fid` and `geom`.
    var names: [String] { Own.allCases.map(\.column) + further }

    /// The index of a property in `properties`; nil if it is new.
    func place(of name: String) -> Int? { placeOfName[ExactText(name)] }

    /// Leaves the columns that other programs have added to the table to them.
    mutating func leave(_ columns: [String]) { taken.formUnion(columns.map { $0.lowercased() }) }

    /// Assigns a column to a new property.
    ///
    /// - Parameter held: The column that it has in the table already.
    /// - Returns: The new column, if one is needed; nil if there are too many, or the property cannot have that one.
    mutating func add(
      _ name: String, in held: String? = nil
    ) -> (place: Int, newColumn: String?)? {
      let shared = Own.allCases.first { $0 != .feature && $0.column == name }
      guard shared != nil || further.count < LayerColumns.limit else { return nil }
      let place = properties.count
      placeOfName[ExactText(name)] = place
      if let shared {
        sharedPlaces.append(shared.rawValue)
        properties.append(Property(name: name, column: shared.column, place: shared.rawValue))
        return (place, nil)
      }
      if let held, !taken.insert(held.lowercased()).inserted { return nil }
      let column = held ?? freeColumn(for: name)
      properties.append(Property(name: name, column: column, place: count))
      further.append(column)
      return (place, column)
    }

    private mutating func freeColumn(for name: String) -> String {
      let plain = String(
        String.UnicodeScalarView(
          name.unicodeScalars.prefix(120).map { $0.value < 0x20 || $0 == "\"" ? "_" : $0 }))
      return (plain.isEmpty ? "column" : plain).firstFree { taken.insert($0.lowercased()).inserted }
    }

    // MARK: Stored form

    /// Pairs of property and column.
    var json: String {
      PropertyValue.array(properties.map { .array([.string($0.name), .string($0.column)]) })
        .jsonText
    }

    /// nil where the text is not what `json` gives.
    init?(json text: String) {
      self.init()
      guard let value = try? PropertyValue(json: Array(text.utf8)), case .array(let pairs) = value
      else { return nil }
      for pair in pairs {
        guard case .array(let pair) = pair, pair.count == 2, let name = pair[0].text,
          let column = pair[1].text, add(name, in: column) != nil,
          properties.last?.column == column
        else { return nil }
      }
    }
  }
#endif
