#if Store
  import GeoJSONCoding
  import MapAnnotations

  /// The texts of one row in one buffer, so that a million rows do not need millions of strings.
  struct RowCells {
    private var bytes: [UInt8] = []
    /// The start and end of each cell; a negative start means NULL.
    private var spans: [(start: Int32, end: Int32)] = []

    mutating func clear(columns: Int) {
      bytes.removeAll(keepingCapacity: true)
      spans.removeAll(keepingCapacity: true)
      for _ in 0..<columns { spans.append((-1, -1)) }
    }

    mutating func extend(to columns: Int) {
      while spans.count < columns { spans.append((-1, -1)) }
    }

    mutating func set(_ place: Int, _ text: String) {
      let start = bytes.count
      var text = text
      text.withUTF8 { bytes.append(contentsOf: $0) }
      spans[place] = (Int32(start), Int32(bytes.count))
    }

    mutating func set(_ place: Int, _ text: String?) {
      if let text { set(place, text) }
    }

    func isNull(_ place: Int) -> Bool { spans[place].start < 0 }

    func equals(_ place: Int, _ text: String) -> Bool {
      let (start, end) = spans[place]
      return start >= 0 && bytes[Int(start)..<Int(end)].elementsEqual(text.utf8)
    }

    /// Binds the cells to the parameters from `first` on, and calls `body` while they are bound.
    func bind(
      to statement: Statement, from first: Int, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
      try bytes.withUnsafeBufferPointer { (texts) throws(StoreError) in
        let buffer = UnsafeRawBufferPointer(texts)
        for (place, span) in spans.enumerated() {
          if span.start < 0 {
            statement.bindNull(at: first + place)
          } else {
            statement.bind(
              textInPlace: UnsafeRawBufferPointer(
                rebasing: buffer[Int(span.start)..<Int(span.end)]), at: first + place)
          }
        }
        try body()
      }
    }
  }

  extension StoredAnnotation {
    /// The JSON of the `feature` column: what the other columns cannot express.
    var featureText: String {
      let feature = feature
      var members = Properties()
      if let id = feature?.id { members.append("id", id) }
      if let feature {
        members.append("properties", feature.properties.map(\.whole) ?? .null)
        if let bbox = feature.bbox { members.append("bbox", .array(bbox.map { .double($0) })) }
      } else {
        members.append("row", properties.whole)
      }
      let places = geometry?.placesWithoutAltitude ?? []
      if !places.isEmpty { members.append("withoutAltitude", .array(places.map { .integer($0) })) }
      if let feature, !feature.foreignMembers.isEmpty {
        members.append("members", .object(feature.foreignMembers))
      }
      if validDates.count > 1 {
        members.append("dates", .array(validDates.map { .array([$0.first.date, $0.last.date]) }))
      }
      if hasOwnPin, let pin = coordinate {
        members.append("pin", .array([.double(pin.longitude), .double(pin.latitude)]))
      }
      return PropertyValue.object(members).jsonText
    }
  }

  extension CalendarDate? {
    fileprivate var date: PropertyValue { map { .string($0.description) } ?? .null }
  }

  extension Properties {
    /// As lossless JSON: pairs if a name repeats, because no object can hold that.
    fileprivate var whole: PropertyValue {
      hasRepeatedName
        ? .array(entries.map { .array([.string($0.name), $0.value]) }) : .object(self)
    }

    /// Reads the result of `whole`; nil for null.
    init?(whole value: PropertyValue?) {
      switch value {
      case .object(let properties)?: self = properties
      case .array(let pairs)?:
        self.init()
        for case .array(let pair) in pairs where pair.count == 2 {
          append(pair[0].text ?? "", pair[1])
        }
      default: return nil
      }
    }
  }
#endif
