import Geodesy
import MapAnnotations
import NearbySearch

/// A filter in CQL2 text (OGC 21-065r2): Basic CQL2, `BETWEEN`, `IN`, `LIKE`, `CASEI`, and `S_INTERSECTS` with a
/// box, a polygon or a point as one of the parts that `AND` joins.
///
/// It becomes a condition, whose language has the same comparisons. `LIKE` takes `%` at the ends of its pattern
/// and does not regard case and width, as if both sides stood in `CASEI`.
struct CQL2Filter {
  /// What is left to ask of fields; nil for nothing.
  let condition: Condition?
  /// Where annotations must lie.
  let area: QueryArea

  private enum Token: Equatable {
    case name(String)
    case quotedName(String)
    case text(String)
    /// A number or a sign, as it stands.
    case other(String)

    /// A word by which the language is known, in capitals.
    var keyword: String? { if case .name(let name) = self { name.uppercased() } else { nil } }

    /// As conditions write it.
    var written: String {
      switch self {
      case .name(let name): name
      case .quotedName(let name): "\"\(name.replacing("\"", with: "\"\""))\""
      case .text(let text): "'\(text.replacing("'", with: "''"))'"
      case .other(let text): text
      }
    }
  }

  init(_ text: String) throws(Problem) {
    guard text.utf8.count <= Condition.lengthLimit else {
      throw CQL2Filter.wrong(
        "it has \(text.utf8.count) bytes; \(Condition.lengthLimit) are the limit")
    }
    var tokens = try CQL2Filter.tokens(of: text)[...]
    var written: [String] = []
    var area = QueryArea.everywhere
    var depth = 0
    var isMixed = false
    while let token = tokens.popFirst() {
      switch token.keyword {
      case "S_INTERSECTS" where tokens.first == .other("("):
        guard area == .everywhere, depth == 0, written.last?.uppercased() != "NOT" else {
          throw CQL2Filter.wrong(
            "S_INTERSECTS may stand once, joined to the rest with AND; take it out of parentheses")
        }
        area = try CQL2Filter.area(&tokens)
        // The word that joined it goes, too.
        if written.last?.uppercased() == "AND" {
          written.removeLast()
        } else if tokens.first?.keyword == "AND" {
          tokens.removeFirst()
        }
      case "CASEI" where tokens.first == .other("("), "DATE" where tokens.first == .other("("),
        "TIMESTAMP" where tokens.first == .other("("):
        tokens.removeFirst()
        guard let inner = tokens.popFirst(), tokens.popFirst() == .other(")") else {
          throw CQL2Filter.wrong("one value belongs in the parentheses of \(token.keyword ?? "")")
        }
        written.append(inner.written)
      case "LIKE":
        if tokens.first?.keyword == "CASEI", tokens.dropFirst().first == .other("(") {
          tokens.removeFirst(2)
          guard tokens.dropFirst().first == .other(")") else {
            throw CQL2Filter.wrong("one text belongs in the parentheses of CASEI")
          }
          tokens.remove(at: tokens.startIndex + 1)
        }
        guard case .text(let pattern)? = tokens.popFirst() else {
          throw CQL2Filter.wrong("LIKE takes a pattern in quotes, as name LIKE '%mart%'")
        }
        written.append(try CQL2Filter.search(pattern))
      default:
        if token == .other("(") { depth += 1 }
        if token == .other(")") { depth -= 1 }
        if token.keyword == "OR", depth == 0 { isMixed = true }
        written.append(token.written)
      }
    }
    guard area == .everywhere || !isMixed else {
      throw CQL2Filter.wrong(
        "S_INTERSECTS is joined with AND alone; put what OR joins into parentheses")
    }
    self.area = area
    guard !written.isEmpty else {
      guard area != .everywhere else { throw CQL2Filter.wrong("there is no condition in it") }
      condition = nil
      return
    }
    do throws(ConditionError) {
      condition = try Condition(parsing: written.joined(separator: " "))
    } catch {
      throw Problem(400, error.code, "\(error)", parameter: "filter")
    }
  }

  private static func wrong(_ what: String) -> Problem {
    Problem(400, "where-syntax", what, parameter: "filter")
  }

  /// A pattern as conditions look for it.
  private static func search(_ pattern: String) throws(Problem) -> String {
    let begins = pattern.hasPrefix("%"), ends = pattern.hasSuffix("%") && pattern.count > 1
    let core = pattern.dropFirst(begins ? 1 : 0).dropLast(ends ? 1 : 0)
    guard !core.contains("%"), !core.contains("_"), !core.contains("\\"), !core.isEmpty else {
      throw wrong(
        "\"\(pattern)\" is not a pattern here; write 'text', 'text%', '%text' or '%text%'")
    }
    let text = Token.text(String(core)).written
    return switch (begins, ends) {
    case (true, true): "contains \(text)"
    case (false, true): "starts with \(text)"
    case (true, false): "ends with \(text)"
    case (false, false): "= \(text)"
    }
  }

  // MARK: Geometry

  /// Reads `(geometry, BBOX(…))` or the same with a polygon or a point.
  private static func area(_ tokens: inout ArraySlice<Token>) throws(Problem) -> QueryArea {
    func wrong() -> Problem {
      CQL2Filter.wrong(
        "write S_INTERSECTS(geometry, BBOX(west,south,east,north)), or POLYGON((west south, …))")
    }
    guard tokens.popFirst() == .other("("), tokens.popFirst() != nil,
      tokens.popFirst() == .other(","), let shape = tokens.popFirst()?.keyword
    else { throw wrong() }
    // Rings of numbers, by their parentheses.
    var rings: [[Double]] = []
    var depth = 0
    repeat {
      guard let token = tokens.popFirst() else { throw wrong() }
      switch token {
      case .other("("):
        depth += 1
        rings.append([])
      case .other(")"): depth -= 1
      case .other(","): break
      case .other(let text):
        guard let number = Double(text), !rings.isEmpty else { throw wrong() }
        rings[rings.count - 1].append(number)
      default: throw wrong()
      }
    } while depth > 0
    guard tokens.popFirst() == .other(")") else { throw wrong() }
    rings.removeAll { $0.isEmpty }
    do {
      switch shape {
      case "BBOX" where rings.count == 1 && rings[0].count == 4:
        let edges = rings[0]
        return .box(
          try BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2]))
      case "POINT" where rings.count == 1 && rings[0].count == 2:
        return .box(
          try BoundingBox(
            south: rings[0][1], west: rings[0][0], north: rings[0][1], east: rings[0][0]))
      case "POLYGON" where !rings.isEmpty && rings.allSatisfy({ $0.count.isMultiple(of: 2) }):
        let vertices = try rings.map { ring in
          try stride(from: 0, to: ring.count, by: 2).map {
            try PolygonVertex(latitude: ring[$0 + 1], longitude: ring[$0])
          }
        }
        return .polygons(
          MultiPolygon([try Polygon(outer: vertices[0], holes: Array(vertices.dropFirst()))]))
      default: throw wrong()
      }
    } catch let error as any CodedError {
      throw Problem(400, error.code, "\(error)", parameter: "filter")
    } catch {
      throw wrong()
    }
  }

  // MARK: Words

  private static func tokens(of text: String) throws(Problem) -> [Token] {
    var tokens: [Token] = []
    var rest = text.unicodeScalars[...]
    func quoted(_ mark: Unicode.Scalar) throws(Problem) -> String {
      var content = String.UnicodeScalarView()
      rest.removeFirst()
      while let scalar = rest.popFirst() {
        guard scalar == mark else {
          content.append(scalar)
          continue
        }
        guard rest.first == mark else { return String(content) }
        content.append(rest.removeFirst())
      }
      throw wrong("a quote \(mark) is never closed")
    }
    while let scalar = rest.first {
      switch scalar {
      case " ", "\t", "\n", "\r": rest.removeFirst()
      case "'": tokens.append(.text(try quoted("'")))
      case "\"": tokens.append(.quotedName(try quoted("\"")))
      case "(", ")", ",", "=":
        tokens.append(.other(String(rest.removeFirst())))
      case "<", ">":
        var sign = String(rest.removeFirst())
        if let next = rest.first, next == "=" || (next == ">" && sign == "<") {
          sign += String(rest.removeFirst())
        }
        tokens.append(.other(sign))
      case "+", "-", ".", "0"..."9":
        var number = ""
        while let next = rest.first,
          next.properties.numericType != nil || "+-.eE".unicodeScalars.contains(next)
        {
          number += String(rest.removeFirst())
        }
        tokens.append(.other(number))
      default:
        guard scalar.properties.isAlphabetic || scalar == "_" else {
          throw wrong("'\(scalar)' means nothing here; put texts in '…' and unusual names in \"…\"")
        }
        var name = ""
        while let next = rest.first,
          next.properties.isAlphabetic || next.properties.numericType != nil
            || "_:.".unicodeScalars.contains(next)
            || next.properties.generalCategory == .nonspacingMark
        {
          name += String(rest.removeFirst())
        }
        tokens.append(.name(name))
      }
    }
    return tokens
  }
}
