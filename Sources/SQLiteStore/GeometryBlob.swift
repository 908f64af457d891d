#if Store
  import GeoJSONCoding

  /// Geometries in GeoPackage form: a GeoPackage header, then well-known binary.
  ///
  /// Source: OGC 12-128r18, clause 2.1.3.1.1; well-known binary is that of ISO 13249-3, which adds
  /// 1000 to a type for Z, 2000 for M and 3000 for both.
  enum GeometryBlob {
    typealias Envelope = Bounds<Double>

    /// The extent of a geometry, in the order of the header.
    struct Bounds<Number: FloatingPoint>: Hashable {
      var minX = Number.infinity
      var maxX = -Number.infinity
      var minY = Number.infinity
      var maxY = -Number.infinity

      var isEmpty: Bool { minX > maxX }

      mutating func extend(_ x: Number, _ y: Number) {
        minX = min(minX, x)
        maxX = max(maxX, x)
        minY = min(minY, y)
        maxY = max(maxY, y)
      }

      mutating func extend(_ other: Bounds) {
        minX = min(minX, other.minX)
        maxX = max(maxX, other.maxX)
        minY = min(minY, other.minY)
        maxY = max(maxY, other.maxY)
      }
    }

    /// The first bytes of a point blob: magic, version 0, little-endian without an envelope, the
    /// CRS, and well-known binary's byte order and type.
    static let pointPrefix = header(flags: 0b0000_0001) + [1, 1, 0, 0, 0]

    private static func header(flags: UInt8) -> [UInt8] {
      [UInt8(ascii: "G"), UInt8(ascii: "P"), 0, flags]
        + withUnsafeBytes(of: Int32(GeoPackageSchema.wgs84).littleEndian) { Array($0) }
    }

    /// The blob of any geometry, and its envelope.
    static func encode(
      _ geometry: Geometry
    ) -> (bytes: [UInt8], envelope: Envelope, hasAltitude: Bool) {
      var writer = WellKnownBinaryWriter()
      writer.append(geometry)
      let envelope = writer.envelope
      var bytes: [UInt8]
      if envelope.isEmpty {
        bytes = header(flags: 0b0001_0001)
      } else if case .point = geometry {
        bytes = header(flags: 0b0000_0001)
      } else {
        bytes = header(flags: 0b0000_0011)
        for value in [envelope.minX, envelope.maxX, envelope.minY, envelope.maxY] {
          withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
        }
      }
      return (bytes + writer.bytes, envelope, writer.hasAltitude)
    }
  }

  /// Writes well-known binary, little-endian.
  private struct WellKnownBinaryWriter {
    var bytes: [UInt8] = []
    var envelope = GeometryBlob.Envelope()
    var hasAltitude = false
    /// Whether the geometry that is being written has altitudes.
    private var hasZ = false

    /// Writes a geometry that is not a part of another, except of a collection.
    mutating func append(_ geometry: Geometry) {
      hasZ = geometry.contains { $0.altitude != nil }
      hasAltitude = hasAltitude || hasZ
      write(geometry)
    }

    private mutating func write(_ geometry: Geometry) {
      switch geometry {
      case .point(let position):
        begin(1)
        append(position)
      case .lineString(let line):
        begin(2)
        append(line)
      case .polygon(let rings):
        begin(3)
        append(UInt32(rings.count))
        for ring in rings { append(ring) }
      case .multiPoint(let points): write(4, points.map { .point($0) })
      case .multiLineString(let lines): write(5, lines.map { .lineString($0) })
      case .multiPolygon(let polygons): write(6, polygons.map { .polygon($0) })
      case .geometryCollection(let members):
        begin(7)
        append(UInt32(members.count))
        for member in members { append(member) }
      }
    }

    private mutating func write(_ type: UInt32, _ parts: [Geometry]) {
      begin(type)
      append(UInt32(parts.count))
      for part in parts { write(part) }
    }

    private mutating func begin(_ type: UInt32) {
      bytes.append(1)
      append(type + (hasZ ? 1_000 : 0))
    }

    private mutating func append(_ value: UInt32) {
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private mutating func append(_ value: Double) {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
    }

    private mutating func append(_ position: Position) {
      append(position.longitude)
      append(position.latitude)
      if hasZ { append(position.altitude ?? 0) }
      envelope.extend(position.longitude, position.latitude)
    }

    private mutating func append(_ line: [Position]) {
      append(UInt32(line.count))
      for position in line { append(position) }
    }
  }

  // A blob has an altitude for each position or for none. NaN for a missing one is allowed, but GDAL then writes GeoJSON
  // without the geometry and refuses to write a shapefile. So it is 0, and the `feature` column lists the places.
  extension Geometry {
    /// The places of the positions without an altitude, counted from 0; empty if no position has one.
    var placesWithoutAltitude: [Int] {
      guard contains(where: { $0.altitude != nil }) else { return [] }
      var places: [Int] = []
      var place = 0
      forEachPath { path in
        for position in path {
          if position.altitude == nil { places.append(place) }
          place += 1
        }
      }
      return places
    }

    /// The geometry without the altitudes at some places, in ascending order, that are still 0.
    func withoutAltitudes(at places: [Int]) -> Geometry {
      var rest = places[...]
      var place = 0
      return mapPositions { (position) -> Position in
        defer { place += 1 }
        guard rest.first == place else { return position }
        rest.removeFirst()
        guard position.altitude == 0 else { return position }
        return Position(longitude: position.longitude, latitude: position.latitude)
      }
    }
  }
#endif
