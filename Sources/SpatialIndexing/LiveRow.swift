/// An object as the writer of a live tree handles it.
struct LiveRow: BitwiseCopyable {
  var latitude: Double
  var longitude: Double
  var id: UInt64
  var categories: UInt64
  var expiry: Double

  init(latitude: Double, longitude: Double, id: UInt64, categories: UInt64, expiry: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.id = id
    self.categories = categories
    self.expiry = expiry
  }

  init(_ object: LiveObject) {
    self.init(
      latitude: object.coordinate.latitude, longitude: object.coordinate.longitude,
      id: object.id, categories: object.categories.rawValue, expiry: object.expiry)
  }

  var isPlain: Bool { categories == 0 && expiry == .infinity }

  /// What a tree may be split by: the latitude, the longitude, and the id where objects stand at one
  /// place.
  static let axisCount = 3

  /// The value on an axis of the row that stands at an address, as a number ordered as the values
  /// are.
  @inline(__always)
  static func key(at row: UnsafeRawPointer, axis: Int) -> UInt64 {
    let bits = row.load(fromByteOffset: axis << 3, as: UInt64.self)
    // Of two's complement and of doubles, the latter have their sign apart; −0 does not occur.
    let sign = axis == 2 ? 0 : UInt64(bitPattern: Int64(bitPattern: bits) >> 63)
    return bits ^ (axis == 2 ? 0 : sign | 1 << 63)
  }
}

/// One change of a tree: a row that goes or comes.
struct LiveOperation: BitwiseCopyable {
  enum Kind: UInt8 {
    case remove, insert
    /// Came and went in one batch.
    case nothing
  }

  /// Stands first, so that an address of an operation is one of its row.
  var row: LiveRow
  var kind: Kind
}
