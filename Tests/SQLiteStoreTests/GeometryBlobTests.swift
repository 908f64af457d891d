#if Store
  import GeoJSONCoding
  import Geodesy
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  @Suite struct GeometryBlobTests {
    private static let shapes: [Geometry] = [
      .point(Position(longitude: 127, latitude: 37.5)),
      .point(Position(longitude: 180, latitude: -90, altitude: 12.5)),
      .lineString([Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4)]),
      .polygon([
        [
          Position(longitude: 0, latitude: 0), Position(longitude: 9, latitude: 0),
          Position(longitude: 9, latitude: 9), Position(longitude: 0, latitude: 0),
        ]
      ]),
      .multiPoint([Position(longitude: 1, latitude: 2)]),
      .multiLineString([[Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4)]]
      ),
      .multiPolygon([
        [
          [
            Position(longitude: 0, latitude: 0, altitude: 1),
            Position(longitude: 9, latitude: 0, altitude: 1),
            Position(longitude: 9, latitude: 9, altitude: 1),
            Position(longitude: 0, latitude: 0, altitude: 1),
          ]
        ]
      ]),
      .geometryCollection([
        .point(Position(longitude: 5, latitude: 6)),
        .lineString([Position(longitude: 1, latitude: 2), Position(longitude: 3, latitude: 4)]),
      ]),
    ]

    private func decode(_ bytes: some Collection<UInt8>) throws -> Geometry? {
      try Array(bytes).withUnsafeBytes { try GeometryBlob.decode($0) }
    }

    private func envelope(_ bytes: [UInt8]) throws -> GeometryBlob.Envelope? {
      try bytes.withUnsafeBytes { try GeometryBlob.envelope(of: $0) }
    }

    @Test(arguments: shapes) func `a geometry comes back as it went in`(shape: Geometry) throws {
      let encoded = GeometryBlob.encode(shape)
      #expect(try decode(encoded.bytes) == shape)
      #expect(try envelope(encoded.bytes) == encoded.envelope)
    }

    /// The bytes of POINT(1 2) in the standard's own layout, written down by hand.
    @Test func `a point is the bytes that the standard says, in either order`() throws {
      let little: [UInt8] =
        [0x47, 0x50, 0, 1, 0xE6, 0x10, 0, 0, 1, 1, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x40]
      #expect(
        GeometryBlob.encode(.point(Position(longitude: 1, latitude: 2))).bytes
          == little)
      let big: [UInt8] =
        [0x47, 0x50, 0, 0, 0, 0, 0x10, 0xE6, 0, 0, 0, 0, 1]
        + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]
      #expect(try decode(big) == .point(Position(longitude: 1, latitude: 2)))
    }

    @Test func `an empty geometry is none`() throws {
      let encoded = GeometryBlob.encode(.multiPoint([]))
      #expect(encoded.envelope.isEmpty)
      #expect(try decode(encoded.bytes) == nil)
      #expect(try envelope(encoded.bytes) == nil)
    }

    @Test(arguments: shapes) func `a blob cut off anywhere is an error`(shape: Geometry) {
      let bytes = GeometryBlob.encode(shape).bytes
      #expect(!bytes.isEmpty)
      for length in 0..<bytes.count {
        #expect(throws: GeometryBlobDamage.self) { try decode(bytes[..<length]) }
      }
    }

    @Test(arguments: UInt64(0)..<20)
    func `changed bytes are an error or a geometry, never a crash`(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var readCount = 0
      for shape in Self.shapes {
        let whole = GeometryBlob.encode(shape).bytes
        for _ in 0..<200 {
          var bytes = whole
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
              in: 0...255, using: &random)
          }
          // What it decodes to can be written again.
          if let found = try? decode(bytes) {
            #expect(!GeometryBlob.encode(found).bytes.isEmpty)
            readCount += 1
          }
          _ = try? envelope(bytes)
        }
      }
      #expect(readCount > 0)
    }

    @Test(arguments: [(8, true), (10, true), (1_009, true), (17, true), (18, false), (999, false)])
    func `a type that GeoJSON does not have is no damage`(type: Int, isUnsupported: Bool) {
      let bytes: [UInt8] =
        [0x47, 0x50, 0, 1, 0, 0, 0, 0, 1, UInt8(type & 0xFF), UInt8(type >> 8), 0, 0]
        + [0, 0, 0, 0]
      let error = #expect(throws: GeometryBlobDamage.self) { try decode(bytes) }
      #expect(error?.isUnsupported == isUnsupported)
    }

    @Test func `a count that the bytes cannot hold is refused before memory is asked for`() {
      let bytes: [UInt8] = [0x47, 0x50, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 255, 255, 255, 255]
      #expect(throws: GeometryBlobDamage.self) { try decode(bytes) }
    }
  }
#endif
