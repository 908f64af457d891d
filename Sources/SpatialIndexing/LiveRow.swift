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
    axis == 2
      ? row.load(fromByteOffset: 16, as: UInt64.self)
      : key(of: row.load(fromByteOffset: axis << 3, as: Double.self))
  }

  /// Degrees as a number ordered as they are.
  @inline(__always)
  static func key(of degrees: Double) -> UInt64 {
    // Of two's complement and of doubles, the latter have their sign apart; −0 does not occur.
    let bits = degrees.bitPattern
    return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | 1 << 63)
  }
}

/// The values of a place and an id on the axes that a tree may be split by, as numbers ordered as the
/// values are.
struct LiveKeys: BitwiseCopyable {
  private let keys: (UInt64, UInt64, UInt64)

  @inline(__always)
  init(latitude: Double, longitude: Double, id: UInt64) {
    keys = (LiveRow.key(of: latitude), LiveRow.key(of: longitude), id)
  }
}

/// One change of a tree: an object that goes from a place, comes to one, or does both.
struct LiveOperation: BitwiseCopyable {
  /// What is still to be done, as bits.
  ///
  /// An object that moves goes and comes as one as long as both
  /// places lie in one part of the tree.
  enum Role {
    static let goes: UInt32 = 1
    static let comes: UInt32 = 2
    static let moves = goes | comes
  }

  /// Of the place it goes from, and after them those of the place it comes to; in front, so that they
  /// are found by an operation's address.
  private var from, to: LiveKeys
  /// What comes; of what only goes, nothing but the id is worth anything.
  private(set) var row: LiveRow
  /// Bits of `Role`; none for what came and went in one batch.
  var roles: UInt32

  /// Something that comes.
  init(coming row: LiveRow) {
    to = LiveKeys(latitude: row.latitude, longitude: row.longitude, id: row.id)
    from = to
    self.row = row
    roles = Role.comes
  }

  /// Something that goes from a place.
  init(going id: UInt64, from latitude: Double, _ longitude: Double) {
    self.init(
      coming: LiveRow(
        latitude: latitude, longitude: longitude, id: id, categories: 0, expiry: .infinity))
    roles = Role.goes
  }

  /// Lets the object come as a row, instead of another or as well as go.
  mutating func come(_ row: LiveRow) {
    to = LiveKeys(latitude: row.latitude, longitude: row.longitude, id: row.id)
    self.row = row
    roles |= Role.comes
  }
}
