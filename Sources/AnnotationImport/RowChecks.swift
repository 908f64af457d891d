import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// Judges the coordinate cells of a row; the first problem decides.
///
/// In this order: both empty, one empty, not a number, meters, out of range or swapped, null
/// island, outside the region. Nothing is corrected.
struct RowChecks {
  /// If both numbers of a pair are in this range they count as meters in a plane; it ends at half
  /// the equator's length in Web Mercator.
  private static let planeMetres = 1_000.0...20_037_508.35

  /// The SRIDs whose degrees agree with WGS 84 to a meter or two: WGS 84 itself, KGD2002, JGD2000,
  /// JGD2011, ETRS89, NAD83.
  static let sridsInDegrees: Set<Int> = [
    0, 4326, 4979, 4737, 4927, 4612, 4947, 6668, 6667, 4258, 4937, 4269,
  ]

  private let bytes: UnsafeBufferPointer<UInt8>
  private let allowsNullIsland: Bool
  private let region: Region?
  /// How the numbers become degrees; nil if they are degrees.
  var plane: PlaneReading?
  /// The decimal mark of numbers.
  var decimalMark = UInt8(ascii: ".")

  init(_ bytes: UnsafeBufferPointer<UInt8>, options: ImportOptions) {
    self.bytes = bytes
    allowsNullIsland = options.allowsNullIsland
    region = options.region
  }

  /// The number in a cell; nil if it is not a number.
  @inline(__always)
  func number(_ cell: DelimitedCell) -> Double? {
    DecimalParser.number(bytes[cell.range], mark: decimalMark)
  }

  /// The number in a text, read like a cell of the source.
  func number(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { DecimalParser.number($0[...], mark: decimalMark) }
  }

  /// The position in two cells; nil if there is none, or `problem` reports one.
  @inline(__always)
  func placed(
    latitude: DelimitedCell, longitude: DelimitedCell
  ) -> (latitude: Double, longitude: Double)? {
    guard let north = number(latitude), let east = number(longitude) else { return nil }
    return placed(north, east)
  }

  /// The position of two numbers; nil if `problem` reports one.
  @inline(__always)
  func placed(_ north: Double, _ east: Double) -> (latitude: Double, longitude: Double)? {
    var (north, east) = (north, east)
    if let plane {
      guard allowsNullIsland || !plane.isOrigin(x: east, y: north),
        let place = try? plane.coordinate(x: east, y: north)
      else { return nil }
      (north, east) = (place.latitude, place.longitude)
    }
    guard abs(north) <= 90, abs(east) <= 180,
      allowsNullIsland || !Coordinate.isNullIsland(north, east)
    else { return nil }
    if let region, !region.contains(Coordinate(unchecked: north, east)) { return nil }
    return (north, east)
  }

  /// The problem with two cells that cannot be placed; nil if both are empty or null.
  func problem(latitude: DelimitedCell, longitude: DelimitedCell) -> RowProblem? {
    let (north, east) = (number(latitude), number(longitude))
    guard let north, let east else {
      func written(_ cell: DelimitedCell) -> String? {
        RowChecks.isNull(bytes[cell.range]) ? nil : text(cell)
      }
      return .unread(
        latitude: written(latitude), longitude: written(longitude), isNumber: north != nil)
    }
    return problem(north, east, writtenIn: latitude, longitude)
  }

  /// The problem with two numbers from two cells.
  func problem(
    _ north: Double, _ east: Double, writtenIn latitude: DelimitedCell, _ longitude: DelimitedCell
  ) -> RowProblem? {
    var (north, east) = (north, east)
    if let plane {
      if !allowsNullIsland, plane.isOrigin(x: east, y: north) {
        return .nullIsland(latitude: text(latitude), longitude: text(longitude))
      }
      do throws(CRSError) {
        let place = try plane.coordinate(x: east, y: north)
        (north, east) = (place.latitude, place.longitude)
      } catch {
        return .crs(error)
      }
    }
    guard abs(north) <= 90, abs(east) <= 180 else {
      return outOfRange(north, east, text(latitude), text(longitude))
    }
    if Coordinate.isNullIsland(north, east), !allowsNullIsland {
      return .nullIsland(latitude: text(latitude), longitude: text(longitude))
    }
    return region.flatMap { RowChecks.outside($0, north, east) }
  }

  /// Two cells of which at least one is an angle with marked degrees, or a number whose signs are not plain; nil otherwise.
  ///
  /// - Returns: The numbers, or the problem if a cell names the other coordinate.
  func angles(
    latitude: DelimitedCell, longitude: DelimitedCell
  ) -> Result<(north: Double, east: Double), RowProblem>? {
    func angle(_ cell: DelimitedCell) -> (degrees: Double, axis: CoordinateAxis?, isPlain: Bool)? {
      if let number = number(cell) { return (number, nil, true) }
      let text = bytes[cell.range]
      // `37.5` with a wide blank or an invisible mark behind it, `−33.9`, `３７．５`.
      if text.count <= 64, let number = number(String(decoding: text, as: UTF8.self).plainSigns) {
        return (number, nil, false)
      }
      return AngleText(text).map { ($0.degrees, $0.axis, false) }
    }
    // One angle in a column of whole positions is none.
    guard latitude.start != longitude.start, let north = angle(latitude),
      let east = angle(longitude), !(north.isPlain && east.isPlain)
    else { return nil }
    guard north.axis != .longitude, east.axis != .latitude else {
      return .failure(
        .feature(
          code: "lat-lon-swapped",
          message:
            "latitude \(text(latitude)), longitude \(text(longitude)): by their letters these "
            + "are swapped; say which is which with `latitudeField` and `longitudeField`"))
    }
    return .success((north.degrees, east.degrees))
  }

  /// The problem with a geometry that has a position off the Earth.
  static func problem(with error: CoordinateError, of geometry: Geometry?) -> RowProblem {
    if let position = geometry?.firstPosition, planeMetres.contains(abs(position.latitude)),
      planeMetres.contains(abs(position.longitude))
    {
      return .notDegrees(latitude: "\(position.latitude)", longitude: "\(position.longitude)")
    }
    return .position(error)
  }

  /// The problem with a valid position outside a region; nil if it is inside.
  static func outside(_ region: Region, _ north: Double, _ east: Double) -> RowProblem? {
    let coordinate = Coordinate(unchecked: north, east)
    guard !region.contains(coordinate) else { return nil }
    return .outsideRegion(coordinate, region)
  }

  private func outOfRange(
    _ north: Double, _ east: Double, _ northText: String, _ eastText: String
  ) -> RowProblem {
    if RowChecks.planeMetres.contains(abs(north)), RowChecks.planeMetres.contains(abs(east)) {
      return .notDegrees(latitude: trimmed(northText), longitude: trimmed(eastText))
    }
    do throws(CoordinateError) {
      _ = try Coordinate(latitude: north, longitude: east)
    } catch .notANumber {
      // Too large for a double, so it is shown as written.
      return .position(.notANumber(north.isFinite ? eastText : northText))
    } catch {
      return .position(error)
    }
    preconditionFailure("\(north),\(east) is a legal position")
  }

  /// Whether the text of a coordinate cell is no value: empty, blank or a word for null.
  static func isNull(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let text = DecimalParser.trimmed(text)
    guard let first = text.first else { return true }
    guard text.count <= (first < 0x80 ? 12 : 64) else { return false }
    // Blanks of other widths, and marks that cannot be seen.
    return nullBytes.contains(Array(text))
      || first >= 0x80
        && nullBytes.contains(Array(trimmed(String(decoding: text, as: UTF8.self).plainSigns).utf8))
  }

  /// Whether a text has no coordinate, by the rules for cells.
  static func isNull(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isNull($0[...]) }
  }

  /// The words for null in columns of numbers, in addition to those of any column.
  private static let numberNulls = [
    "NA", "None", "none", "nil", "(null)", "--", "―", "ー", "없음", "미상", "なし", "不明", "無",
  ]
  private static let nullBytes = Set(([""] + NullText.words + numberNulls).map { Array($0.utf8) })

  /// A cell for messages, cut short if it is long.
  func text(_ cell: DelimitedCell) -> String {
    let shown = String(decoding: bytes[cell.range].prefix(64), as: UTF8.self)
    return cell.range.count > 64 ? shown + "…" : shown
  }
}
