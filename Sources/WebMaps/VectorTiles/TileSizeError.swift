import Geodesy
import MapProjections

/// A tile that is larger than any reader accepts.
public struct TileSizeError: CodedError, Hashable {
  /// The address of the tile.
  public let address: TileAddress
  /// The size of the unpacked tile in bytes.
  public let byteCount: Int
  /// The maximum size in bytes.
  public let limit: Int

  /// The code: `tile-size`.
  public var code: String { "tile-size" }

  /// One sentence that names the tile and says what to do.
  public var description: String {
    "tile \(address) has \(grouped(byteCount)) bytes, and no tile may have more than "
      + "\(grouped(limit)); leave columns out (`fields`), limit the tiles (`byteLimit`, "
      + "`featureLimit`), or begin at a deeper zoom"
  }
}
