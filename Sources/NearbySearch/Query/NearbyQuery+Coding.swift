import Geodesy
import MapAnnotations

extension NearbyQuery: Codable {
  private enum Key: String, CodingKey {
    case area, origin, distances, kinds, condition, open, dates, order, limit, after, isPerKind
    case facets, clip
  }

  /// Encodes an object of its parts; those that are not set are left out.
  ///
  ///     {"origin": {"latitude": 37.5666, "longitude": 126.9784}, "kinds": ["mart"],
  ///      "condition": "rating >= 4.5", "limit": 3}
  ///
  /// - Throws: `EncodingError` for a condition made in code that has no text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if area != .everywhere { try container.encode(area, forKey: .area) }
    try container.encodeIfPresent(clip, forKey: .clip)
    try container.encodeIfPresent(origin, forKey: .origin)
    if !distances.isEverything { try container.encode(distances, forKey: .distances) }
    // Sorted, so that equal queries have one form.
    let names = kinds.map {
      $0.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
    }
    try container.encodeIfPresent(names, forKey: .kinds)
    try container.encodeIfPresent(condition, forKey: .condition)
    try container.encodeIfPresent(open, forKey: .open)
    try container.encodeIfPresent(dates, forKey: .dates)
    try container.encodeIfPresent(order, forKey: .order)
    if limit != .max { try container.encode(limit, forKey: .limit) }
    try container.encodeIfPresent(after, forKey: .after)
    if isPerKind { try container.encode(true, forKey: .isPerKind) }
    try container.encodeUnlessEmpty(facets, forKey: .facets)
  }

  /// - Throws: `DecodingError`, as its parts do.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init()
    area = try container.decodeIfPresent(QueryArea.self, forKey: .area) ?? .everywhere
    clip = try container.decodeIfPresent(BoundingBox.self, forKey: .clip)
    origin = try container.decodeIfPresent(Coordinate.self, forKey: .origin)
    distances =
      try container.decodeIfPresent(DistanceRange.self, forKey: .distances) ?? DistanceRange()
    kinds = try container.decodeIfPresent([AnnotationKind].self, forKey: .kinds).map { Set($0) }
    condition = try container.decodeIfPresent(Condition.self, forKey: .condition)
    open = try container.decodeIfPresent(OpenCondition.self, forKey: .open)
    dates = try container.decodeIfPresent(QueryDates.self, forKey: .dates)
    order = try container.decodeIfPresent(ResultOrder.self, forKey: .order)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? .max
    after = try container.decodeIfPresent(String.self, forKey: .after)
    isPerKind = try container.decodeIfPresent(Bool.self, forKey: .isPerKind) ?? false
    facets = try container.decodeIfPresent([Condition.Field].self, forKey: .facets) ?? []
  }
}

extension QueryArea: Codable {
  private enum Key: String, CodingKey { case box, polygons }

  /// Encodes `{"box": …}`, `{"polygons": […]}`, or `{}` for everywhere.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .everywhere: break
    case .box(let box): try container.encode(box, forKey: .box)
    case .polygons(let polygons): try container.encode(polygons, forKey: .polygons)
    }
  }

  /// - Throws: `DecodingError` for a box and polygons together, and as each of them does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let box = try container.decodeIfPresent(BoundingBox.self, forKey: .box)
    let polygons = try container.decodeIfPresent(MultiPolygon.self, forKey: .polygons)
    switch (box, polygons) {
    case (nil, nil): self = .everywhere
    case (let box?, nil): self = .box(box)
    case (nil, let polygons?): self = .polygons(polygons)
    default: throw decoder.refusal("an area has a box and polygons; give one of them")
    }
  }
}

extension DistanceRange: Codable {
  private enum Key: String, CodingKey { case beyond, within }

  /// Encodes `{"beyond": 100, "within": 800}`, in meters; an end that does not limit is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(beyond, forKey: .beyond)
    if within != .infinity { try container.encode(within, forKey: .within) }
  }

  /// - Throws: `DecodingError`, as a `Distance` does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      beyond: try container.decodeIfPresent(Distance.self, forKey: .beyond),
      within: try container.decodeIfPresent(Distance.self, forKey: .within) ?? .infinity)
  }
}

extension QueryDates: Codable {
  private enum Key: String, CodingKey { case on, today }

  /// Encodes `{"on": "this-month", "today": "2026-11-23"}`; `on` is `next` or the text of a `DateSegment`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(word, forKey: .on)
    try container.encode(today, forKey: .today)
  }

  /// - Throws: `DecodingError` for words that name no days.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let word = try container.decode(String.self, forKey: .on)
    let today = try container.decode(CalendarDate.self, forKey: .today)
    guard let dates = QueryDates(word: word, today: today) else {
      throw decoder.refusal("\"\(word)\" names no days; \(QueryDates.words)")
    }
    self = dates
  }
}

extension OpenCondition: Codable {
  private enum Key: String, CodingKey { case at, arriving, stay, showsUnknown }

  /// Encodes `{"at": 1795435200, "stay": 600, "showsUnknown": true}` in seconds, or with `"arriving": {"departure":
  /// 1795435200, "speed": 1.4, "detour": 1.4}` in place of `at`; a stay of 0 is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch moment {
    case .instant(let instant): try container.encode(instant, forKey: .at)
    case .arrival(let journey): try container.encode(journey, forKey: .arriving)
    }
    if stay > 0 { try container.encode(stay, forKey: .stay) }
    try container.encode(showsUnknown, forKey: .showsUnknown)
  }

  /// - Throws: `DecodingError` for a stay below 0, for both an instant and a journey, or neither.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let stay = try container.decodeIfPresent(Int64.self, forKey: .stay) ?? 0
    guard stay >= 0 else {
      throw decoder.refusal("nobody stays for \(stay) seconds; give 0 or more")
    }
    let showsUnknown = try container.decodeIfPresent(Bool.self, forKey: .showsUnknown) ?? true
    let instant = try container.decodeIfPresent(Instant.self, forKey: .at)
    let journey = try container.decodeIfPresent(Journey.self, forKey: .arriving)
    switch (instant, journey) {
    case (let instant?, nil): self.init(at: instant, stay: stay, showsUnknown: showsUnknown)
    case (nil, let journey?): self.init(arriving: journey, stay: stay, showsUnknown: showsUnknown)
    default: throw decoder.refusal("a moment is an instant or an arrival; give at or arriving")
    }
  }
}

extension Journey: Codable {
  private enum Key: String, CodingKey { case departure, speed, detour }

  /// Encodes `{"departure": 1795435200, "speed": 1.4, "detour": 1.4}`, in seconds and meters per second.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(departure, forKey: .departure)
    try container.encode(speed, forKey: .speed)
    try container.encode(detour, forKey: .detour)
  }

  /// - Throws: `DecodingError` for a speed that is not above 0, or a detour below 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var journey = Journey(departure: try container.decode(Instant.self, forKey: .departure))
    journey.speed = try container.decodeIfPresent(Double.self, forKey: .speed) ?? journey.speed
    journey.detour = try container.decodeIfPresent(Double.self, forKey: .detour) ?? journey.detour
    if let problem = journey.problem { throw decoder.refusal(problem) }
    self = journey
  }

  /// Why it is not a valid journey, and what to do; nil where it is.
  var problem: String? {
    guard speed > 0 && speed.isFinite else {
      return "nobody gets anywhere at \(speed) m/s; give a speed above 0"
    }
    guard detour >= 1 && detour.isFinite else {
      return "no way is \(detour) times the geodesic; give 1 or more"
    }
    return nil
  }
}

extension ResultOrder: Codable {
  private enum Member: String, CodingKey { case by, band }

  /// Encodes `{"by": "rating:desc,name", "band": 200}`: the fields as `--sort` takes them, the width in meters.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(words, forKey: .by)
    try container.encodeIfPresent(band, forKey: .band)
  }

  /// - Throws: `DecodingError` for fields without a name, or bands below `leastBand`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    let words = try container.decode(String.self, forKey: .by)
    let band = try container.decodeIfPresent(Distance.self, forKey: .band)
    if let band, band < ResultOrder.leastBand {
      throw decoder.refusal("bands of \(plainDecimal(band.meters)) m; give at least 0.001 m")
    }
    guard let order = ResultOrder(words: words, band: band) else {
      throw decoder.refusal("\"\(words)\" names no field; write fields as rating:desc,name")
    }
    self = order
  }
}

extension Condition: Codable {
  /// Encodes its text: `"kind = 'mart' and rating >= 4.5"`.
  ///
  /// - Throws: `EncodingError` for a condition made in code that has no text form.
  public func encode(to encoder: any Encoder) throws {
    guard Condition(description) == self else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "\(self) does not read back as this condition; make it from a text"))
    }
    try encoder.encodeAlone(description)
  }

  /// - Throws: `DecodingError`, with the message of `ConditionError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do throws(ConditionError) {
      try self.init(parsing: text)
    } catch {
      throw decoder.refusal(error)
    }
  }
}

extension Condition.Field: Codable {
  /// Encodes its name, `"rating"`; in double quotes where it would be read as something else.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(description) }

  /// Decodes its name, as read by `init(named:)`.
  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }
}
