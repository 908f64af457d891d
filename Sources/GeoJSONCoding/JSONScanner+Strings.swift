import Geodesy

/// A skipped string: its range between the quotes, and how to decode it.
struct JSONStringToken {
  let range: Range<Int>
  let hasEscapes: Bool
}

extension JSONScanner {
  /// Skips a string, starting at its opening quote.
  ///
  /// Checks its escapes and UTF-8.
  ///
  /// - Parameter isDecoded: Whether halves of surrogate pairs are errors, too. RFC 8259 has them in
  ///   its grammar (§8.2), so what is behind them can be found, but no text is made of them.
  mutating func stringToken(isDecoded: Bool = true) throws(GeoJSONError) -> JSONStringToken {
    guard skip(UInt8(ascii: "\"")) else { throw unexpected("write a string in double quotes") }
    let start = position
    var hasEscapes = false
    var highBits: UInt64 = 0
    while true {
      skipPlainText(&highBits)
      guard let byte = next else {
        throw error(.syntax, "this string never ends; close it with a quote", at: start - 1)
      }
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else {
        throw unexpected("write control characters in strings as \\n, \\t or \\u00XX")
      }
      hasEscapes = true
      try skipEscape(isDecoded)
    }
    let range = start..<position
    position += 1
    if highBits != 0,
      let bad = UTF8Validation.firstInvalidOffset(
        in: UnsafeBufferPointer(rebasing: bytes[range]))
    {
      throw error(
        .encoding, "this text is not UTF-8; save the file in UTF-8", at: range.lowerBound + bad)
    }
    return JSONStringToken(range: range, hasEscapes: hasEscapes)
  }

  /// Skips everything except quotes, backslashes and control characters, eight bytes in each step.
  ///
  /// A byte b of a word is zero exactly if it is the lowest with a high bit in (w − 0x01…) & ~w;
  /// and below 0x20 likewise in (w − 0x20…) & ~w. Borrows only disturb bytes above a hit.
  @inline(__always)
  private mutating func skipPlainText(_ highBits: inout UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    let raw = UnsafeRawBufferPointer(bytes)
    while position &+ 8 <= end {
      let word = UInt64(
        littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let hits =
        (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
          | ((word &- (ones &* 0x20)) & ~word)) & highs
      guard hits == 0 else {
        let plainBits = hits.trailingZeroBitCount & ~7
        highBits |= word & highs & ((1 << UInt64(plainBits)) &- 1)
        position += plainBits / 8
        return
      }
      highBits |= word & highs
      position += 8
    }
    while position < end {
      let byte = bytes[position]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return }
      highBits |= UInt64(byte & 0x80)
      position += 1
    }
  }

  /// Skips one escape, or two that form a surrogate pair.
  private mutating func skipEscape(_ isDecoded: Bool) throws(GeoJSONError) {
    let start = position
    position += 1
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      let unit = try hexadecimalUnit()
      guard isDecoded, (0xD800...0xDFFF).contains(unit) else { return }
      guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
        (0xDC00...0xDFFF).contains(try hexadecimalUnit())
      else {
        throw error(
          .syntax, "half a surrogate pair is not a character; write both halves", at: start)
      }
    default:
      throw unexpected("after a backslash write one of \"\\/bfnrt or u and four digits")
    }
  }

  private mutating func hexadecimalUnit() throws(GeoJSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = hexadecimalDigit(byte) else {
        throw unexpected("write four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// The text of a skipped string.
  mutating func text(of token: JSONStringToken) -> String {
    let content = UnsafeBufferPointer(rebasing: bytes[token.range])
    guard token.hasEscapes else { return String(decoding: content, as: UTF8.self) }
    decoded.removeAll(keepingCapacity: true)
    var index = 0
    while index < content.count {
      let byte = content[index]
      guard byte == UInt8(ascii: "\\") else {
        decoded.append(byte)
        index += 1
        continue
      }
      index += decodeEscape(in: content, at: index)
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Appends the character of a checked escape; returns the escape's length in bytes.
  private mutating func decodeEscape(in content: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch content[index + 1] {
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      func unit(at index: Int) -> UInt32 {
        content[index..<index + 4].reduce(0) { $0 << 4 | UInt32(hexadecimalDigit($1) ?? 0) }
      }
      let first = unit(at: index + 2)
      let isPair = (0xD800..<0xDC00).contains(first)
      let value =
        isPair ? 0x10000 + (first - 0xD800) << 10 + (unit(at: index + 8) - 0xDC00) : first
      // Checked earlier, so this is a valid scalar; the replacement is never used.
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return isPair ? 12 : 6
    case let same: decoded.append(same)
    }
    return 2
  }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
