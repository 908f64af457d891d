import GeoJSONCoding
import Geodesy
import MapAnnotations

/// An error in the bytes of a vector tile, and where.
public struct VectorTileError: CodedError, Hashable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the byte where it was detected, from 0 in the unpacked tile.
  public let offset: Int

  /// The possible errors in a tile.
  public enum Reason: Hashable, Sendable {
    /// The gzip around the tile is damaged; holds how.
    case gzip(String)
    /// The unpacked tile is larger than the limit; holds the limit in bytes.
    case tooLarge(Int)
    /// A length or a number extends beyond the end of its container.
    case cutOff
    /// A number of more than 64 bits, or a field with number 0.
    case number
    /// A field with a wire type other than specified; holds the field.
    case wireType(String)
    /// A text that is not UTF-8; holds the field.
    case text(String)
    /// A layer whose version is neither 1 nor 2; nil if it has none.
    case version(UInt64?)
    /// A layer without a name.
    case unnamedLayer
    /// A second layer with the same name.
    case repeatedLayer(String)
    /// A layer with an extent of 0, or of 2³² or more.
    case extent(UInt64)
    /// A value with no kind, with several, or with an unknown one.
    case value
    /// A tag that points to a key or value that its layer does not have; holds the number.
    case tag(UInt32)
    /// A feature with an odd number of tags; it is dropped.
    case oddTags(Int)
    /// A feature with two values for one key of its layer; it is dropped. Holds the number of the key.
    case repeatedKey(UInt32)
    /// A feature without a geometry; it is dropped.
    case noGeometry
    /// A feature with more than one geometry field; it is dropped.
    case repeatedGeometry
    /// A feature with a geometry type beyond 0 to 3; it is dropped.
    case geometryType(UInt64)
    /// A geometry whose commands break the rules of its kind; holds how.
    case geometry(GeometryFault)
  }

  /// The possible errors in the commands of a geometry.
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

  /// The code: `tile-damaged`, or `tile-size` for a tile beyond the reader's limit.
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
    case .repeatedLayer(let name): "a second layer \(PropertyValue.string(name).jsonText)"
    case .extent(let extent): "a layer with an extent of \(extent)"
    case .value: "a value that is not of exactly one known kind"
    case .tag(let number):
      "an attribute names key or value \(number), which its layer does not have"
    case .oddTags(let count): "a feature has \(count) tags, which is odd"
    case .repeatedKey(let key): "a feature has key \(key) of its layer twice"
    case .noGeometry: "a feature has no geometry"
    case .repeatedGeometry: "a feature has a second geometry"
    case .geometryType(let type): "a feature is of geometry type \(type), which there is not"
    case .geometry(let fault): "a geometry has \(fault.rawValue)"
    }
  }
}
