import AnnotationImport
import AnnotationSources
import Geodesy

/// A position among the operands, as people copy it: `37.57,126.97`, or `37°34'12"N 126°58'12"E` in one word
/// or two.
enum PositionOperand {
  /// Takes the position out of some operands; nil where none is one.
  ///
  /// An operand that names a file is that file, whatever it is called.
  ///
  /// - Throws: For two positions, for one that is not on the Earth, and for what was meant for one and is none:
  ///   a link to a map, or a text with a comma or a mark for degrees and nothing but what positions are made of.
  static func take(from operands: inout [String]) throws(ReportedError) -> Coordinate? {
    var found: (position: Coordinate, text: String)?
    var sources: [String] = []
    var rest = operands[...]
    while let word = rest.popFirst() {
      var text = ArgumentPreparation.restored(word)
      // `37,57 126,97`: each is read as a position, though the second is on no map.
      let pair = [found?.text ?? "", text].map { $0.replacing(",", with: ".") }
      let areDecimal = text.contains(",") && pair.allSatisfy { finiteNumber($0) != nil }
      var position = try areDecimal && !isFile(word) ? found?.position : position(text, word)
      if position == nil, !text.isEmpty, let next = rest.first, !next.isEmpty {
        let both = "\(text) \(ArgumentPreparation.restored(next))"
        position = try self.position(both, word, next)
        if position != nil {
          rest.removeFirst()
          text = both
        }
      }
      guard let position else {
        try refuseMistaken(text, word)
        sources.append(word)
        continue
      }
      if let found {
        throw ReportedError(
          "position-twice",
          "\(found.text) and \(text) are both positions; give only one"
            + (areDecimal ? ", with decimal points: \(pair[0]),\(pair[1])" : ""), fault: .usage)
      }
      found = (position, text)
    }
    operands = sources
    return found?.position
  }

  /// The position that a text says; nil where it says none, or one of its words names a file.
  private static func position(
    _ text: String, _ words: String...
  ) throws(ReportedError) -> Coordinate? {
    if words.contains(where: isFile) { return nil }
    do throws(CoordinateError) {
      return try Coordinate(parsing: text)
    } catch .notAPosition {
      return nil
    } catch {
      throw ReportedError(error, fault: .usage)
    }
  }

  private static func isFile(_ word: String) -> Bool { Files.exists(FileName(argument: word)) }

  /// Says what is wrong with a text that nobody would call a file, where there is none of that name.
  private static func refuseMistaken(_ text: String, _ word: String) throws(ReportedError) {
    let scalars = text.unicodeScalars
    let resembles =
      MapLink(text)?.isToMap == true
      && (text.contains("://") || InputFormat(nameEndingIn: text) == nil)
      || scalars.count(where: { "0"..."9" ~= $0 }) >= 2
        && scalars.contains(where: { ",°º˚".unicodeScalars.contains($0) })
        && scalars.allSatisfy({
          "0123456789 .,;:+-−°º˚'′’\"″”NSEWnsew".unicodeScalars.contains($0)
        })
    guard resembles, !isFile(word) else { return }
    throw ReportedError(CoordinateError.notAPosition(text), fault: .usage)
  }
}
