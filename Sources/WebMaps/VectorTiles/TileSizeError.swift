import Geodesy
import MapProjections

/// A tile with more in it than any reader takes.
public struct TileSizeError: CodedError, Hashable {
  /// Where it is.
  public let address: TileAddress
  /// How many bytes it has, unpacked.
  public let byteCount: Int
  /// How many it may have.
  public let limit: Int

  /// `tile-size`.
  public var code: String { "tile-size" }

  /// One sentence that names the tile and says what to do.
  public var description: String {
    "tile \(address) has \(grouped(byteCount)) bytes, and no tile may have more than "
      + "\(grouped(limit)); leave columns out (--fields), limit the tiles (--max-bytes, "
      + "--max-features), or begin at a deeper zoom"
  }
}
