import MapAnnotations

/// A text with placeholders such as `{{title}}`.
enum PageTemplate {
  /// The text with each placeholder replaced by what `fill` writes.
  ///
  /// - Parameter count: About how many bytes that will be.
  static func filled(
    _ template: UnsafeBufferPointer<UInt8>, reserving count: Int,
    _ fill: (_ place: String, inout PageBytes) -> Void
  ) -> [UInt8] {
    let brace = UInt8(ascii: "{")
    var out = PageBytes()
    out.bytes.reserveCapacity(count)
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
    return out.bytes
  }

  /// The scheme and host of an address for a policy, `'self'` for an address on the page's own host; a `{s}` in the
  /// host becomes a wildcard.
  static func origin(of address: String) -> String {
    let isPath = { (byte: UInt8) in "/?#".utf8.contains(byte) }
    let scheme = address.prefix(upTo: address.utf8.firstIndex(where: isPath) ?? address.endIndex)
    let rest = address[scheme.endIndex...]
    guard rest.hasPrefix("//"), scheme.isEmpty || scheme.hasSuffix(":") else { return "'self'" }
    // Without a scheme the page's own is meant, in an address as in a policy.
    let start = scheme.isEmpty ? "" : "\(scheme)//"
    let host = Substring(rest.utf8.dropFirst(2).prefix { !isPath($0) })
    guard host.hasPrefix("{s}.") else { return "\(start)\(host)" }
    return "\(start)*.\(host.dropFirst("{s}.".count))"
  }
}

/// The bytes of a page, with the right escapes for each kind of content.
package struct PageBytes {
  package var bytes: [UInt8] = []

  package init() {}

  /// Appends markup of the program.
  mutating func append(_ markup: String) { bytes.append(contentsOf: markup.utf8) }

  mutating func append(_ markup: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: markup) }

  /// Appends text, in an element or in an attribute with double quotes.
  package mutating func append(escaped text: String) {
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

  /// Appends JSON in a script element, where `</script` or `<!--` in a string would end or disturb the script.
  ///
  /// A less-than sign occurs only in strings, where `\u003c` means the same.
  mutating func append(json: [UInt8], type: String, id: String) {
    append("<script type=\"application/\(type)\" id=\"\(id)\">")
    for byte in json {
      if byte == UInt8(ascii: "<") { append("\\u003c") } else { bytes.append(byte) }
    }
    append("</script>")
  }

  /// The hash source of a script or style sheet for a policy, `'sha256-…'` (W3C CSP3 §2.3.1).
  static func policyName(of content: some Sequence<UInt8>) -> String {
    var digest = ContentDigest()
    Array(content).withUnsafeBytes { digest.update($0) }
    return "'sha256-\(digest.base64())'"
  }
}
