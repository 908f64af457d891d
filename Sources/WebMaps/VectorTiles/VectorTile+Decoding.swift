import GzipReading
import MapAnnotations

extension VectorTile {
  /// Decodes the bytes of a tile, packed with gzip or not.
  ///
  /// Anything that makes the tile ambiguous is an error: bytes that are cut off, unknown versions
  /// and kinds of value, tags that point nowhere, geometries that break the rules of their kind. A
  /// feature that is faulty by itself (no geometry or two, a geometry type beyond 3, an odd number
  /// of tags, a key twice) is dropped and listed in `omissions`. Fields outside the specification are
  /// skipped, except in values.
  ///
  /// - Parameters:
  ///   - bytes: The tile.
  ///   - limit: The maximum unpacked size in bytes; 32 MiB, though tiles of more than 1 MiB are
  ///     considered too large for phones.
  /// - Throws: What is wrong, and at which byte of the unpacked tile.
  /// - Complexity: O(*n*) in the unpacked bytes, in time and memory: counts and lengths are checked
  ///   against the available bytes before memory is allocated. A feature of one point takes at
  ///   least 9 bytes, and about 200 when decoded.
  public init(decoding bytes: [UInt8], limit: Int = 1 << 25) throws(VectorTileError) {
    self.init()
    // As a message this would be field 3 with a wire type that does not exist.
    let isPacked = GzipInflater.isGzip(bytes)
    var reader = ProtobufReader(isPacked ? try VectorTile.unpacked(bytes, limit: limit) : bytes)
    var names: Set<ExactText> = []
    while let field = try reader.field() {
      guard field.number == 3 else {
        try reader.skip(field)
        continue
      }
      let content = try reader.content(of: field, named: "a layer")
      let layer = try Layer(content, at: field.offset, omissions: &omissions)
      // The specification compares bytes.
      guard names.insert(ExactText(layer.name)).inserted else {
        throw VectorTileError(.repeatedLayer(layer.name), at: field.offset)
      }
      layers.append(layer)
    }
  }

  private static func unpacked(
    _ bytes: [UInt8], limit: Int
  ) throws(VectorTileError) -> [UInt8] {
    do throws(GzipFailure) {
      return try GzipInflater.inflate(bytes, limit: limit, isOneMember: true)
    } catch {
      switch error {
      case .damaged(let detail, _): throw VectorTileError(.gzip(detail), at: 0)
      case .tooLarge: throw VectorTileError(.tooLarge(limit), at: 0)
      }
    }
  }
}

extension VectorTile.Layer {
  fileprivate init(
    _ message: ProtobufReader, at offset: Int, omissions: inout [VectorTileError]
  ) throws(VectorTileError) {
    var reader = message
    var name: String?
    var version: UInt64?
    var extent: UInt64 = 4096
    self.init(name: "")
    while let field = try reader.field() {
      switch field.number {
      case 1: name = try reader.text(of: field, named: "a layer's name")
      case 3: keys.append(try reader.text(of: field, named: "a key"))
      case 4:
        let content = try reader.content(of: field, named: "a value")
        values.append(try VectorTileValue(content, at: field.offset))
      case 5: extent = try reader.varint(of: field, named: "a layer's extent")
      case 15: version = try reader.varint(of: field, named: "a layer's version")
      default: try reader.skip(field)
      }
    }
    guard let version, version == 1 || version == 2 else {
      throw VectorTileError(.version(version), at: offset)
    }
    guard let name else { throw VectorTileError(.unnamedLayer, at: offset) }
    guard (1...UInt64(UInt32.max)).contains(extent) else {
      throw VectorTileError(.extent(extent), at: offset)
    }
    self.name = name
    self.version = Int(version)
    self.extent = Int(extent)
    // Only now, because keys and values may come after the features that use them.
    reader = message
    while let field = try reader.field() {
      guard field.number == 2 else {
        try reader.skip(field)
        continue
      }
      let content = try reader.content(of: field, named: "a feature")
      let (feature, omission) = try decodedFeature(content)
      if let feature { features.append(feature) }
      if let omission, omissions.count < VectorTile.omissionLimit {
        omissions.append(VectorTileError(omission, at: field.offset))
      }
    }
  }

  /// A feature, or why it is dropped.
  private func decodedFeature(
    _ message: ProtobufReader
  ) throws(VectorTileError) -> (VectorTile.Feature?, VectorTileError.Reason?) {
    var reader = message
    var id: UInt64?
    var tags: [UInt32] = []
    var type: UInt64 = 0
    var commands: [UInt32] = []
    var geometries = 0
    var isPacked = false
    while let field = try reader.field() {
      switch field.number {
      case 1: id = try reader.varint(of: field, named: "a feature's id")
      case 2: try reader.append(to: &tags, field, named: "a feature's tags")
      case 3: type = try reader.varint(of: field, named: "a feature's type")
      case 4:
        try reader.append(to: &commands, field, named: "a feature's geometry")
        // Unpacked numbers form one geometry.
        if field.wireType == .lengthDelimited || !isPacked && geometries == 0 { geometries += 1 }
        isPacked = field.wireType == .lengthDelimited
      default: try reader.skip(field)
      }
    }
    guard tags.count.isMultiple(of: 2) else { return (nil, .oddTags(tags.count)) }
    var pairs: [VectorTile.Tag] = []
    pairs.reserveCapacity(tags.count / 2)
    var named: Set<UInt32> = []
    for place in stride(from: 0, to: tags.count, by: 2) {
      let (key, value) = (tags[place], tags[place + 1])
      guard key < keys.count else { throw VectorTileError(.tag(key), at: message.position) }
      guard value < values.count else { throw VectorTileError(.tag(value), at: message.position) }
      guard named.insert(key).inserted else { return (nil, .repeatedKey(key)) }
      pairs.append(VectorTile.Tag(key: Int(key), value: Int(value)))
    }
    guard type <= 3 else { return (nil, .geometryType(type)) }
    guard geometries < 2 else { return (nil, .repeatedGeometry) }
    guard !commands.isEmpty else { return (nil, .noGeometry) }
    guard let kind = TileGeometry.Kind(rawValue: UInt8(type)) else {
      var feature = VectorTile.Feature(id: id, tags: pairs, geometry: nil)
      feature.unknownCommands = commands
      return (feature, nil)
    }
    do throws(VectorTileError.GeometryFault) {
      let geometry = try TileGeometry(kind: kind, commands: commands)
      return (VectorTile.Feature(id: id, tags: pairs, geometry: geometry), nil)
    } catch {
      throw VectorTileError(.geometry(error), at: message.position)
    }
  }
}

extension VectorTileValue {
  /// Decodes a value's message, which must have exactly one field of a known kind.
  fileprivate init(_ message: ProtobufReader, at offset: Int) throws(VectorTileError) {
    var reader = message
    var value: VectorTileValue?
    while let field = try reader.field() {
      guard value == nil else { throw VectorTileError(.value, at: offset) }
      switch field.number {
      case 1: value = .string(try reader.text(of: field, named: "a text value"))
      case 2:
        value = .float(Float(bitPattern: try reader.fourBytes(of: field, named: "a float value")))
      case 3:
        let bits = try reader.eightBytes(of: field, named: "a double value")
        value = .double(Double(bitPattern: bits))
      case 4:
        let bits = try reader.varint(of: field, named: "an integer value")
        value = .integer(Int64(bitPattern: bits))
      case 5: value = .unsigned(try reader.varint(of: field, named: "an unsigned value"))
      case 6:
        let code = try reader.varint(of: field, named: "a signed value")
        value = .integer(Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1))
      case 7: value = .bool(try reader.varint(of: field, named: "a truth value") != 0)
      default: throw VectorTileError(.value, at: offset)
      }
    }
    guard let value else { throw VectorTileError(.value, at: offset) }
    self = value
  }
}
