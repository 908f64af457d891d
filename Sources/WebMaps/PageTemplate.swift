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
}

extension PageBytes {
  /// The content of a script or a style sheet as a policy names it, `'sha256-…'` (W3C CSP3 §2.3.1).
  static func policyName(of content: some Sequence<UInt8>) -> String {
    var digest = ContentDigest()
    Array(content).withUnsafeBytes { digest.update($0) }
    return "'sha256-\(digest.base64())'"
  }
}
