/// Text as it is left when a terminal has eaten the sequences that select colors.
func withoutEscapeSequences(_ text: String) -> String {
  var plain = String.UnicodeScalarView()
  var isInSequence = false
  for scalar in text.unicodeScalars {
    if scalar == "\u{1B}" {
      isInSequence = true
    } else if isInSequence {
      isInSequence = scalar != "m"
    } else {
      plain.append(scalar)
    }
  }
  return String(plain)
}
