#if Store
  import GeoJSONCoding
  import MapAnnotations

  /// The columns of a layer's table, and which property each holds.
  ///
  /// Every table has the columns of `own`; a property whose name is one of theirs shares it, every
  /// other has a column of its own, so that QGIS and SQL see the source's columns. `feature` holds
  /// the whole of what the columns cannot tell, as JSON.
  struct LayerColumns {
    /// A column that every layer has, in the order of its table, after `fid` and `geom`.
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

    /// A property, and the place of its column among all but `fid` and `geom`.
    struct Property {
      let name: String
      let column: String
      let place: Int
    }

    /// Properties beyond this many have no column; their rows are kept as JSON.
    static let limit = 500

    private(set) var properties: [Property] = []
    private var placeOfName: [ExactText: Int] = [:]
    /// The columns behind `own`, in order.
    private(set) var further: [String] = []
    /// The places of own columns that properties share.
    private(set) var sharedPlaces: [Int] = []
    /// Lowercased, as SQLite compares them.
    private var taken: Set<String>

    init() {
      taken = Set(Own.allCases.map(\.column) + ["fid", "geom"])
    }

    /// How many columns there are but `fid` and `geom`.
    var count: Int { Own.allCases.count + further.count }

    /// All columns but `fid` and `geom`.
    var names: [String] { Own.allCases.map(\.column) + further }

    /// The place of a property among `properties`; nil when it is new.
    func place(of name: String) -> Int? { placeOfName[ExactText(name)] }

    /// Gives a new property a column.
    ///
    /// - Returns: Whether the column is one more; nil when there are too many.
    mutating func add(_ name: String) -> (place: Int, newColumn: String?)? {
      let shared = Own.allCases.first { $0 != .feature && $0.column == name }
      guard shared != nil || further.count < LayerColumns.limit else { return nil }
      let place = properties.count
      placeOfName[ExactText(name)] = place
      if let shared {
        sharedPlaces.append(shared.rawValue)
        properties.append(Property(name: name, column: shared.column, place: shared.rawValue))
        return (place, nil)
      }
      let column = freeColumn(for: name)
      properties.append(Property(name: name, column: column, place: count))
      further.append(column)
      return (place, column)
    }

    private mutating func freeColumn(for name: String) -> String {
      let plain = String(
        String.UnicodeScalarView(
          name.unicodeScalars.prefix(120).map { $0.value < 0x20 || $0 == "\"" ? "_" : $0 }))
      let base = plain.isEmpty ? "column" : plain
      var column = base
      var number = 2
      while !taken.insert(column.lowercased()).inserted {
        column = "\(base)_\(number)"
        number += 1
      }
      return column
    }

    // MARK: As the store keeps them

    /// Pairs of property and column.
    var json: String {
      var writer = JSONWriter()
      writer.value(
        .array(properties.map { .array([.string($0.name), .string($0.column)]) }))
      return writer.text
    }

    /// nil where the text is not what `json` gives.
    init?(json text: String) {
      self.init()
      guard let value = try? PropertyValue(json: Array(text.utf8)), case .array(let pairs) = value
      else { return nil }
      for pair in pairs {
        guard case .array(let pair) = pair, pair.count == 2, let name = pair[0].text,
          let column = pair[1].text, add(name) != nil, properties.last?.column == column
        else { return nil }
      }
    }
  }
#endif
