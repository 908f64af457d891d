import Geodesy

/// What is wrong with the bytes of a vector tile, and where.
public struct VectorTileError: CodedError, Hashable {
  /// What is wrong.
  public let reason: Reason
  /// The byte at which it was seen, counted from 0 in the unpacked tile.
  public let offset: Int

  /// What can be wrong with a tile.
  public enum Reason: Hashable, Sendable {
    /// The gzip around the tile is damaged; holds how.
    case gzip(String)
    /// The tile unpacks to more bytes than the reader allows; holds how many it allows.
    case tooLarge(Int)
    /// A length or a number goes on behind the end of what holds it.
    case cutOff
    /// A number of more than 64 bits, or a field of number 0.
    case number
    /// A field that is written in another way than the specification says; holds the field.
    case wireType(String)
    /// A text that is not UTF-8; holds the field.
    case text(String)
    /// A layer whose version is neither 1 nor 2; nil where it has none.
    case version(UInt64?)
    /// A layer without a name.
    case unnamedLayer
    /// A second layer of one name.
    case repeatedLayer(String)
    /// A layer with an extent of 0, or of 2³² or more.
    case extent(UInt64)
    /// A value with no kind, with more than one, or with one that the specification does not have.
    case value
    /// An attribute that names a key or a value that its layer does not have; holds the number.
    case tag(UInt32)
    /// A feature with an odd number of tags. It is left out.
    case oddTags(Int)
    /// A feature without a geometry. It is left out.
    case noGeometry
    /// A feature with more than one geometry field. It is left out.
    case repeatedGeometry
    /// A feature of a geometry type beyond 0 to 3. It is left out.
    case geometryType(UInt64)
    /// A geometry whose commands do not follow the rules of its kind; holds how.
    case geometry(GeometryFault)
  }

  /// What can be wrong with the commands of a geometry.
  public enum GeometryFault: String, Error, Hashable, Sendable {
    case unknownCommand = "an unknown command"
    case unexpectedCommand = "a command where another belongs"
    case count = "a command with a count that it may not have"
    case missingParameters = "fewer numbers than its commands announce"
    case tooShort = "a line of one position, or a ring of fewer than three"
  }

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The mistake's name: `tile-damaged`, or `tile-size` for a tile beyond the reader's limit.
  public var code: String {
    if case .tooLarge = reason { "tile-size" } else { "tile-damaged" }
  }

  /// One sentence that names the place and says what to do.
  public var description: String {
    switch reason {
    case .tooLarge(let limit):
      "the vector tile unpacks to more than \(limit) bytes; allow more, or do not trust it"
    default: "byte \(offset) of the vector tile: \(sentence); make the tile again"
    }
  }

  private var sentence: String {
    switch reason {
    case .gzip(let detail): "its gzip is damaged, \(detail)"
    case .tooLarge: "too large"
    case .cutOff: "it is cut off"
    case .number: "a number that is not one"
    case .wireType(let field): "\(field) is written in a way that the specification does not have"
    case .text(let field): "\(field) is not UTF-8"
    case .version(let version?): "a layer of version \(version), neither 1 nor 2"
    case .version(nil): "a layer without a version"
    case .unnamedLayer: "a layer without a name"
    case .repeatedLayer(let name): "a second layer \(compactJSON(.string(name)))"
    case .extent(let extent): "a layer with an extent of \(extent)"
    case .value: "a value that is not of exactly one known kind"
    case .tag(let number):
      "an attribute names key or value \(number), which its layer does not have"
    case .oddTags(let count): "a feature has \(count) tags, which is odd"
    case .noGeometry: "a feature has no geometry"
    case .repeatedGeometry: "a feature has a second geometry"
    case .geometryType(let type): "a feature is of geometry type \(type), which there is not"
    case .geometry(let fault): "a geometry has \(fault.rawValue)"
    }
  }
}
