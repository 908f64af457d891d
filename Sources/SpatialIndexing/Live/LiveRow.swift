/// An object as the writer of a live tree handles it.
struct LiveRow: BitwiseCopyable {
  var latitude: Double
  var longitude: Double
  var id: UInt64
  var categories: UInt64
  var expiry: Double

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

  /// The degrees that have a key.
  @inline(__always)
  static func degrees(of key: UInt64) -> Double {
    Double(bitPattern: key ^ (~UInt64(bitPattern: Int64(bitPattern: key) >> 63) | 1 << 63))
  }
}

/// One change of a tree: an object that goes from a place, comes to one, or does both.
///
/// One cache line, for each height of the tree reads the operations of a batch in another order. The
/// places are kept as keys.
struct LiveOperation: BitwiseCopyable {
  /// What is still to be done, as bits.
  ///
  /// An object that moves goes and comes as one as long as both places lie in one part of the tree.
  enum Role {
    static let goes: UInt32 = 1
    static let comes: UInt32 = 2
    static let moves = goes | comes
  }

  /// On the axes of `LiveRow.key(at:axis:)`.
  private typealias Keys = (latitude: UInt64, longitude: UInt64, id: UInt64)

  /// Of what goes and then of what comes; either is worth something only where the operation does that.
  private let from: Keys
  private var to: Keys
  /// Of what comes; of what only goes, they are worth nothing.
  private var categories: UInt64, expiry: Double

  /// Something that goes from a place.
  @inline(__always)
  init(going id: UInt64, from latitude: Double, _ longitude: Double) {
    from = (LiveRow.key(of: latitude), LiveRow.key(of: longitude), id)
    to = from
    categories = 0
    expiry = .infinity
  }

  /// Something that comes.
  @inline(__always)
  init(coming object: LiveObject) {
    self.init(
      going: object.id, from: object.coordinate.latitude, object.coordinate.longitude)
    come(object)
  }

  /// Lets the object come as it is now, instead of as it was said to be or as well as go.
  @inline(__always)
  mutating func come(_ object: LiveObject) {
    to.id = object.id
    to.latitude = LiveRow.key(of: object.coordinate.latitude)
    to.longitude = LiveRow.key(of: object.coordinate.longitude)
    categories = object.categories.rawValue
    expiry = object.expiry
  }

  /// The id of what comes, or of what goes if nothing comes.
  @inline(__always)
  var id: UInt64 { to.id }

  /// The id of what goes; that of what comes may be another.
  @inline(__always)
  var goingID: UInt64 { from.id }

  /// What comes.
  @inline(__always)
  var row: LiveRow {
    LiveRow(
      latitude: LiveRow.degrees(of: to.latitude),
      longitude: LiveRow.degrees(of: to.longitude), id: to.id, categories: categories,
      expiry: expiry)
  }

  /// Whether what comes has no categories and never expires.
  @inline(__always)
  var isPlain: Bool { categories == 0 && expiry == .infinity }

  /// Where the keys of what goes or of what comes are.
  @inline(__always)
  static func keys(at operation: UnsafeRawPointer, _ role: UInt32) -> UnsafeRawPointer {
    operation + (role == Role.goes ? 0 : MemoryLayout<Keys>.stride)
  }
}
