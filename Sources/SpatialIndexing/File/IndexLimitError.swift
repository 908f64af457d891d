import Geodesy

/// There are more positions than one index can hold.
public struct IndexLimitError: CodedError, Hashable {
  /// The number of positions.
  public let count: Int
  /// The maximum number: ``IndexFileFormat/mostPositions``.
  public let limit: Int

  /// The error's name, for programs.
  public var code: String { "index-limit" }

  /// One sentence that names the value and says what to do.
  public var description: String {
    """
    there are \(count) positions; the limit of an index is \
    \(limit)\(limit == IndexFileFormat.mostPositions ? " = 2³² − 2" : ""), so divide them among \
    several
    """
  }
}
