#if Store
  import GeoJSONCoding

  /// Why bytes are not a valid geometry.
  struct GeometryBlobDamage: Error, Hashable {
    let sentence: String
    /// Whether it is valid, but of a type that GeoJSON does not have.
    var isUnsupported = false

    /// The types of the standard beyond those of GeoJSON.
    private static let types: [UInt32: String] = [
      8: "CIRCULARSTRING", 9: "COMPOUNDCURVE", 10: "CURVEPOLYGON", 11: "MULTICURVE",
      12: "MULTISURFACE", 13: "CURVE", 14: "SURFACE", 15: "POLYHEDRALSURFACE", 16: "TIN",
      17: "TRIANGLE",
    ]

    init(sentence: String) { self.sentence = sentence }

    /// A geometry of a type that is not read.
    init(type: UInt32) {
      sentence = GeometryBlobDamage.types[type] ?? "geometry type \(type), which is not read"
      isUnsupported = GeometryBlobDamage.types[type] != nil
    }
  }

  extension GeometryBlob {
    /// The geometry in a blob, whatever program wrote it; nil for an empty one.
    ///
    /// Measures are ignored. Malicious bytes cannot crash it or take more memory than a small
    /// multiple of their size: every count is checked against the remaining bytes.
    static func decode(
      _ bytes: UnsafeRawBufferPointer
    ) throws(GeometryBlobDamage) -> Geometry? {
      let start = try contentStart(of: bytes)
      if bytes[3] & 0b0010_0000 != 0 {
        throw GeometryBlobDamage(sentence: "an extended geometry, which is not read")
      }
      var reader = WellKnownBinaryReader(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      let geometry = try reader.geometry(depth: 0)
      guard reader.isAtEnd else {
        throw GeometryBlobDamage(sentence: "bytes behind the geometry's end")
      }
      return geometry
    }

    /// The envelope of the geometry; nil if it is empty.
    static func envelope(
      of bytes: UnsafeRawBufferPointer
    ) throws(GeometryBlobDamage) -> Envelope? {
      let start = try contentStart(of: bytes)
      guard bytes[3] & 0b0001_0000 == 0 else { return nil }
      if start >= 40 {
        let isLittle = bytes[3] & 1 == 1
        func number(_ place: Int) -> Double {
          let raw = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
        }
        return Envelope(minX: number(8), maxX: number(16), minY: number(24), maxY: number(32))
      }
      guard let geometry = try decode(bytes) else { return nil }
      var envelope = Envelope()
      geometry.forEachPath { path in
        for position in path { envelope.extend(position.longitude, position.latitude) }
      }
      return envelope.isEmpty ? nil : envelope
    }

    /// The offset where well-known binary begins.
    private static func contentStart(
      of bytes: UnsafeRawBufferPointer
    ) throws(GeometryBlobDamage) -> Int {
      guard bytes.count >= 8, bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "P") else {
        throw GeometryBlobDamage(sentence: "no GeoPackage geometry")
      }
      guard bytes[2] == 0 else {
        throw GeometryBlobDamage(sentence: "geometry version \(bytes[2]), which is not known")
      }
      let lengths = [0, 32, 48, 48, 64]
      let code = Int(bytes[3] >> 1 & 0b111)
      guard code < lengths.count, bytes.count >= 8 + lengths[code] else {
        throw GeometryBlobDamage(sentence: "a geometry without the envelope it announces")
      }
      return 8 + lengths[code]
    }
  }

  /// Reads well-known binary of either byte order.
  private struct WellKnownBinaryReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    private var isLittle = true

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// The coordinates of a position: with or without altitude and measure.
    private struct Layout {
      var hasZ: Bool
      var hasM: Bool
      var byteCount: Int { 16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0) }
    }

    mutating func geometry(depth: Int) throws(GeometryBlobDamage) -> Geometry? {
      let (type, layout) = try head()
      switch type {
      case 1: return try position(layout).map { .point($0) }
      case 2: return try nonEmpty(positions(layout)).map { .lineString($0) }
      case 3: return try nonEmpty(rings(layout)).map { .polygon($0) }
      case 4:
        var points: [Position] = []
        for _ in 0..<(try count(each: 21)) {
          let layout = try head(expecting: 1)
          if let point = try position(layout) { points.append(point) }
        }
        return nonEmpty(points).map { .multiPoint($0) }
      case 5:
        var lines: [[Position]] = []
        for _ in 0..<(try count(each: 9)) {
          let layout = try head(expecting: 2)
          lines.append(try positions(layout))
        }
        return nonEmpty(lines).map { .multiLineString($0) }
      case 6:
        var polygons: [[[Position]]] = []
        for _ in 0..<(try count(each: 9)) {
          let layout = try head(expecting: 3)
          polygons.append(try rings(layout))
        }
        return nonEmpty(polygons).map { .multiPolygon($0) }
      case 7:
        guard depth < 16 else {
          throw GeometryBlobDamage(sentence: "collections in collections, over 16 deep")
        }
        var members: [Geometry] = []
        for _ in 0..<(try count(each: 9)) {
          if let member = try geometry(depth: depth + 1) { members.append(member) }
        }
        return nonEmpty(members).map { .geometryCollection($0) }
      default:
        throw GeometryBlobDamage(type: type)
      }
    }

    private func nonEmpty<Part>(_ parts: [Part]) -> [Part]? { parts.isEmpty ? nil : parts }

    /// The byte order and the type.
    private mutating func head() throws(GeometryBlobDamage) -> (type: UInt32, layout: Layout) {
      guard place < bytes.count else { throw GeometryBlobDamage(sentence: "a geometry cut off") }
      let order = bytes[place]
      guard order < 2 else { throw GeometryBlobDamage(sentence: "byte order \(order)") }
      isLittle = order == 1
      place += 1
      let code = try number()
      // PostGIS's older form sets bits where ISO adds thousands.
      let plain = code & 0x0FFF_FFFF
      let thousands = plain / 1_000
      guard thousands < 4, code & 0x3000_0000 == 0 else {
        throw GeometryBlobDamage(sentence: "geometry type \(code), which is not read")
      }
      return (
        plain % 1_000,
        Layout(
          hasZ: thousands & 1 == 1 || code & 0x8000_0000 != 0,
          hasM: thousands & 2 == 2 || code & 0x4000_0000 != 0)
      )
    }

    private mutating func head(expecting type: UInt32) throws(GeometryBlobDamage) -> Layout {
      let (found, layout) = try head()
      guard found == type else {
        throw GeometryBlobDamage(sentence: "a part of type \(found) where \(type) belongs")
      }
      return layout
    }

    private mutating func number() throws(GeometryBlobDamage) -> UInt32 {
      guard bytes.count - place >= 4 else {
        throw GeometryBlobDamage(sentence: "a geometry cut off")
      }
      let raw = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      place += 4
      return isLittle ? UInt32(littleEndian: raw) : UInt32(bigEndian: raw)
    }

    /// Reads the number of parts that follow, each at least `size` bytes long.
    private mutating func count(each size: Int) throws(GeometryBlobDamage) -> Int {
      let count = Int(try number())
      guard count <= (bytes.count - place) / size else {
        throw GeometryBlobDamage(sentence: "\(count) parts announced, and no room for them")
      }
      return count
    }

    /// nil for an empty point, which is written as NaN.
    private mutating func position(_ layout: Layout) throws(GeometryBlobDamage) -> Position? {
      guard bytes.count - place >= layout.byteCount else {
        throw GeometryBlobDamage(sentence: "a position cut off")
      }
      func double(_ offset: Int) -> Double {
        let raw = bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self)
        return Double(bitPattern: isLittle ? UInt64(littleEndian: raw) : UInt64(bigEndian: raw))
      }
      let x = double(0)
      let y = double(8)
      let z = layout.hasZ ? double(16) : nil
      place += layout.byteCount
      if x.isNaN, y.isNaN { return nil }
      guard x.isFinite, y.isFinite else {
        throw GeometryBlobDamage(sentence: "a position that is not a number")
      }
      return Position(longitude: x, latitude: y, altitude: z.flatMap { $0.isFinite ? $0 : nil })
    }

    private mutating func positions(_ layout: Layout) throws(GeometryBlobDamage) -> [Position] {
      let count = try count(each: layout.byteCount)
      var line: [Position] = []
      line.reserveCapacity(count)
      for _ in 0..<count {
        guard let position = try position(layout) else {
          throw GeometryBlobDamage(sentence: "a position that is not a number")
        }
        line.append(position)
      }
      return line
    }

    private mutating func rings(_ layout: Layout) throws(GeometryBlobDamage) -> [[Position]] {
      let count = try count(each: 4)
      var rings: [[Position]] = []
      for _ in 0..<count { rings.append(try positions(layout)) }
      return rings
    }
  }
#endif
