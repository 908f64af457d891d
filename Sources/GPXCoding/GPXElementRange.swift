/// Where the element of a track point stands in its file, in bytes from the file's beginning.
package struct GPXElementRange: Hashable, Sendable {
  /// Where the blanks begin that stand right before it; `start` where there are none.
  package let blankStart: Int
  /// Where its start tag begins.
  package let start: Int
  /// Where the next byte behind its end tag is.
  package let end: Int
}
