import MapAnnotations

/// A text with places to fill, as `{{title}}`.
enum PageTemplate {
  /// Sends the text on, with what `fill` writes instead of each place.
  static func fill(
    _ template: UnsafeBufferPointer<UInt8>,
    _ fill: (_ place: String, inout PageBytes) -> Void,
    into send: ([UInt8]) -> Void
  ) {
    let brace = UInt8(ascii: "{")
    var out = PageBytes()
    var index = 0
    while index < template.count {
      guard template[index] == brace, index + 1 < template.count, template[index + 1] == brace,
        let end = template[index...].firstIndex(of: UInt8(ascii: "}"))
      else {
        out.bytes.append(template[index])
        index += 1
        continue
      }
      fill(String(decoding: template[(index + 2)..<end], as: UTF8.self), &out)
      index = end + 2
    }
    send(out.bytes)
  }

  /// The scheme and host of an address, a `{s}` in the host as any name: what a policy names.
  static func origin(of address: String) -> String {
    let afterScheme = address.utf8.firstIndex(of: UInt8(ascii: ":")).map { colon in
      var index = address.utf8.index(after: colon)
      while index < address.endIndex, address.utf8[index] == UInt8(ascii: "/") {
        index = address.utf8.index(after: index)
      }
      return index
    }
    guard let start = afterScheme else { return "'self'" }
    let end = address.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? address.endIndex
    let host = address[start..<end]
    let scheme = address[..<start]
    guard host.hasPrefix("{s}.") else { return String(scheme + host) }
    return scheme + "*." + host.dropFirst("{s}.".count)
  }
}

/// The bytes of a page as they come together, each kind of content with its own escapes.
struct PageBytes {
  var bytes: [UInt8] = []

  /// Markup of our own.
  mutating func append(_ markup: String) { bytes.append(contentsOf: markup.utf8) }

  mutating func append(_ markup: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: markup) }

  /// Text, in an element or in an attribute with double quotes.
  mutating func append(escaped text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case 0: bytes.append(contentsOf: "\u{FFFD}".utf8)
      default: bytes.append(byte)
      }
    }
  }

  /// JSON inside a script element, which `</script` or `<!--` in a name would end or disturb.
  ///
  /// A less-than sign stands in strings only, where `\u003c` is the same.
  mutating func append(json: [UInt8]) {
    for byte in json {
      if byte == UInt8(ascii: "<") { append("\\u003c") } else { bytes.append(byte) }
    }
  }

  /// A script or a style sheet of a library, without its reference to a source map, which browsers
  /// would load, and with nothing in it that ends its element.
  ///
  /// Line ends become line feeds, as browsers read them: it is what they read that has the hash.
  mutating func append(library: [UInt8], endingWith tag: StaticString) {
    let text = String(decoding: PageBytes.asRead(library), as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false)
    where !line.hasPrefix("//# sourceMappingURL=") && !line.hasPrefix("/*# sourceMappingURL=") {
      // In scripts and style sheets alike a backslash before the slash changes nothing in a string.
      var rest = line[...]
      let end = tag.description
      while let found = rest.firstRange(ofIgnoringASCIICase: end) {
        append(String(rest[..<found.lowerBound]) + "<\\" + rest[found].dropFirst())
        rest = rest[found.upperBound...]
      }
      append(String(rest))
      append("\n")
    }
  }
}

extension PageBytes {
  /// A text as a browser takes it out of a page: line feeds for all line ends, no zero bytes.
  private static func asRead(_ text: [UInt8]) -> [UInt8] {
    var read: [UInt8] = []
    read.reserveCapacity(text.count)
    for (place, byte) in text.enumerated() {
      switch byte {
      case 0x0D: read.append(0x0A)
      case 0x0A where place > 0 && text[place - 1] == 0x0D: break
      case 0: read.append(contentsOf: "\u{FFFD}".utf8)
      default: read.append(byte)
      }
    }
    return read
  }

  /// The content of a script or a style sheet as a policy names it, `'sha256-…'` (W3C CSP3 §2.3.1).
  static func policyName(of content: some Sequence<UInt8>) -> String {
    var digest = ContentDigest()
    Array(content).withUnsafeBytes { digest.update($0) }
    return "'sha256-\(digest.base64())'"
  }
}

extension Substring {
  /// Where a text of ASCII letters first stands, upper or lower case.
  fileprivate func firstRange(ofIgnoringASCIICase wanted: String) -> Range<Index>? {
    let wanted = Array(wanted.utf8)
    let view = utf8
    guard view.count >= wanted.count else { return nil }
    var start = view.startIndex
    let last = view.index(view.endIndex, offsetBy: -wanted.count)
    while start <= last {
      let end = view.index(start, offsetBy: wanted.count)
      if zip(view[start..<end], wanted).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
        return start..<end
      }
      start = view.index(after: start)
    }
    return nil
  }
}
