/// A text with a caret under one of its characters.
package enum Caret {
  private static let width = 72

  /// Two lines; a long text is cut down to what stands around the place.
  package static func lines(under column: Int, of text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
    let place = min(max(column - 1, 0), scalars.count)
    let start = scalars.count <= width ? 0 : max(0, min(place - width / 2, scalars.count - width))
    let end = min(scalars.count, start + width)
    func shown(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return TerminalText.sanitized(String(view))
    }
    let before = (start > 0 ? "…" : "") + shown(start..<min(place, end))
    let after = shown(min(place, end)..<end) + (end < scalars.count ? "…" : "")
    let blanks = String(repeating: " ", count: DisplayWidth.columns(of: before))
    return "  \(before)\(after)\n  \(blanks)^"
  }
}
