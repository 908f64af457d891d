/// The byte range of a point's element in its file.
package struct GPXElementRange: Hashable, Sendable {
  /// The offset of the white space directly before the element of a track point; `start` if there is none.
  package let blankStart: Int
  /// The offset of its start tag.
  package let start: Int
  /// The offset after its end tag.
  package let end: Int
}
