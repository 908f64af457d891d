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

  /// The value on an axis of the row that stands at an address, as a number ordered as values are.
  ///
  /// A tree may be split by latitude, 0, by longitude, 1, and where objects stand at one place by
  /// id, 2.
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

  /// The row's keys, in front so that they are found by an operation's address.
  private(set) var keys: (UInt64, UInt64, UInt64)
  var row: LiveRow {
    didSet { keys = LiveOperation.keys(of: row) }
  }
  var kind: Kind

  init(row: LiveRow, kind: Kind) {
    keys = LiveOperation.keys(of: row)
    self.row = row
    self.kind = kind
  }

  private static func keys(of row: LiveRow) -> (UInt64, UInt64, UInt64) {
    withUnsafeBytes(of: row) { row in
      let start = row.baseAddress.unsafelyUnwrapped
      return (
        LiveRow.key(at: start, axis: 0), LiveRow.key(at: start, axis: 1),
        LiveRow.key(at: start, axis: 2)
      )
    }
  }
}
