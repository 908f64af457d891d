import MapAnnotations

/// Skips the properties of a feature, with the same checks as if they were decoded.
extension JSONScanner {
  /// Skips an object, starting at its brace, and records where its members are.
  ///
  /// Most features have the same names as the previous one, in the same order. Comparing bytes
  /// detects this, and such names need no check for repeats.
  mutating func scanProperties() throws(GeoJSONError) {
    let start = position
    swap(&properties, &lastProperties)
    properties.removeAll(keepingCapacity: true)
    // An error left names that were never checked.
    if !arePropertiesWhole { lastProperties.removeAll(keepingCapacity: true) }
    arePropertiesWhole = false
    var isSameMake = true
    if hasElement(before: UInt8(ascii: "}")) {
      repeat {
        let name = try propertyName(isSameMake: &isSameMake)
        try skipColon()
        properties.append(PropertyToken(name: name, value: try scannedValue()))
        try countValue()
      } while try hasNextElement(before: UInt8(ascii: "}"))
    }
    if !isSameMake || properties.count != lastProperties.count {
      names.make += 1
      if let name = repeatedPropertyName() { throw repeated(name, at: start) }
    }
    arePropertiesWhole = true
  }

  @inline(__always)
  private mutating func propertyName(
    isSameMake: inout Bool
  ) throws(GeoJSONError) -> JSONStringToken {
    let place = properties.count
    if isSameMake, place < lastProperties.count {
      let last = lastProperties[place].name
      // With both quotes, so that a longer name does not match.
      let count = last.range.count + 2
      if position + count <= end, isSame(last.range.lowerBound - 1, position, count) {
        let range = position + 1..<position + count - 1
        position += count
        return JSONStringToken(range: range, hasEscapes: last.hasEscapes)
      }
    }
    isSameMake = false
    return try stringToken()
  }

  /// Whether two ranges of the text are equal.
  @inline(__always)
  private func isSame(_ left: Int, _ right: Int, _ count: Int) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index &+ 8 <= count {
      guard
        raw.loadUnaligned(fromByteOffset: left &+ index, as: UInt64.self)
          == raw.loadUnaligned(fromByteOffset: right &+ index, as: UInt64.self)
      else { return false }
      index &+= 8
    }
    while index < count {
      guard bytes[left &+ index] == bytes[right &+ index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Skips one value of any kind, and records where it is.
  @inline(__always)
  mutating func scannedValue() throws(GeoJSONError) -> PropertyToken.Value {
    let start = position
    var hasEscapes = false
    switch next {
    case UInt8(ascii: "\""): hasEscapes = try stringToken().hasEscapes
    case UInt8(ascii: "t"): try skipLiteral("true")
    case UInt8(ascii: "f"): try skipLiteral("false")
    case UInt8(ascii: "n"): try skipLiteral("null")
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // Nested names may also repeat; building the tree checks them.
      outerDepth = 1
      defer { outerDepth = 0 }
      _ = try value(duplicates: .rejected)
    default: _ = try numberToken()
    }
    return PropertyToken.Value(range: start..<position, hasEscapes: hasEscapes)
  }

  /// A property name that occurs twice; nil if there is none.
  private mutating func repeatedPropertyName() -> String? {
    guard properties.count > 1 else { return nil }
    if properties.count <= 32, properties.allSatisfy({ !$0.name.hasEscapes }) {
      let mayRepeat = properties.indices.contains { index in
        let name = properties[index].name.range
        return properties[..<index].lazy.map(\.name.range).contains {
          $0.count == name.count && isSame($0.lowerBound, name.lowerBound, name.count)
        }
      }
      if !mayRepeat { return nil }
    }
    let entries = properties.map { Properties.Entry(name: text(of: $0.name), value: .null) }
    return firstRepeatedName(in: entries[...])
  }
}
