/// An object as the writer of a live tree represents it.
struct LiveRow: BitwiseCopyable {
  var latitude: Double
  var longitude: Double
  var id: UInt64
  var categories: UInt64
  var expiry: Double

  var isPlain: Bool { categories == 0 && expiry == .infinity }

  /// The value on an axis of the row at an address, as an order-preserving integer.
  ///
  /// A tree may be split by latitude, 0, by longitude, 1, and among coincident objects by id, 2.
  @inline(__always)
  static func key(at row: UnsafeRawPointer, axis: Int) -> UInt64 {
    axis == 2
      ? row.load(fromByteOffset: 16, as: UInt64.self)
      : key(of: row.load(fromByteOffset: axis << 3, as: Double.self))
  }

  /// Degrees as an order-preserving integer.
  @inline(__always)
  static func key(of degrees: Double) -> UInt64 {
    // Doubles store the sign separately, unlike two's complement; −0 does not occur.
    let bits = degrees.bitPattern
    return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | 1 << 63)
  }

  /// The degrees of a key.
  @inline(__always)
  static func degrees(of key: UInt64) -> Double {
    Double(bitPattern: key ^ (~UInt64(bitPattern: Int64(bitPattern: key) >> 63) | 1 << 63))
  }
}

/// One change of a tree: an object that leaves a location, arrives at one, or both.
///
/// One cache line, because each height of the tree reads the operations of a batch in another order.
/// Locations are kept as keys.
struct LiveOperation: BitwiseCopyable {
  /// What is still to be done, as bits.
  ///
  /// A move goes and comes as one operation while both locations lie in one part of the tree.
  enum Role {
    static let goes: UInt32 = 1
    static let comes: UInt32 = 2
    static let moves = goes | comes
  }

  /// On the axes of `LiveRow.key(at:axis:)`.
  private typealias Keys = (latitude: UInt64, longitude: UInt64, id: UInt64)

  /// The keys of the object that goes and of the one that comes; each valid only if the operation has
  /// that role.
  private let from: Keys
  private var to: Keys
  /// The data of the object that comes; meaningless if none does.
  private var categories: UInt64, expiry: Double

  /// Makes an operation for an object that goes.
  @inline(__always)
  init(going id: UInt64, from latitude: Double, _ longitude: Double) {
    from = (LiveRow.key(of: latitude), LiveRow.key(of: longitude), id)
    to = from
    categories = 0
    expiry = .infinity
  }

  /// Makes an operation for an object that comes.
  @inline(__always)
  init(coming object: LiveObject) {
    self.init(
      going: object.id, from: object.coordinate.latitude, object.coordinate.longitude)
    come(object)
  }

  /// Makes the object come in its present state, replacing an earlier arrival or added to a
  /// removal.
  @inline(__always)
  mutating func come(_ object: LiveObject) {
    to.id = object.id
    to.latitude = LiveRow.key(of: object.coordinate.latitude)
    to.longitude = LiveRow.key(of: object.coordinate.longitude)
    categories = object.categories.rawValue
    expiry = object.expiry
  }

  /// The id of the object that comes, or of the one that goes if none comes.
  @inline(__always)
  var id: UInt64 { to.id }

  /// The id of the object that goes; the one that comes may have another.
  @inline(__always)
  var goingID: UInt64 { from.id }

  /// The row of the object that comes.
  @inline(__always)
  var row: LiveRow {
    LiveRow(
      latitude: LiveRow.degrees(of: to.latitude),
      longitude: LiveRow.degrees(of: to.longitude), id: to.id, categories: categories,
      expiry: expiry)
  }

  /// Whether the object that comes has no categories and never expires.
  @inline(__always)
  var isPlain: Bool { categories == 0 && expiry == .infinity }

  /// The address of the keys of the object that goes or comes.
  @inline(__always)
  static func keys(at operation: UnsafeRawPointer, _ role: UInt32) -> UnsafeRawPointer {
    operation + (role == Role.goes ? 0 : MemoryLayout<Keys>.stride)
  }
}
