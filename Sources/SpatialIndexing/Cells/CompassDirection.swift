/// The eight directions in which a cell has neighbors, clockwise from north.
public enum CompassDirection: String, CaseIterable, Sendable {
  case north, northeast, east, southeast, south, southwest, west, northwest

  /// The number of rows to the north, −1…1.
  var rows: Int {
    switch self {
    case .northwest, .north, .northeast: 1
    case .west, .east: 0
    case .southwest, .south, .southeast: -1
    }
  }

  /// The number of columns to the east, −1…1.
  var columns: Int {
    switch self {
    case .northeast, .east, .southeast: 1
    case .north, .south: 0
    case .northwest, .west, .southwest: -1
    }
  }
}
