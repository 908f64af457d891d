/// Text without blanks and tabs, or other characters, at its ends.
@inlinable
package func trimmed(
  _ text: some StringProtocol,
  where isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
) -> String {
  let start = text.drop(while: isBlank)
  guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
  return String(start[...end])
}
