import GeoJSONCoding
import Geodesy
import MapAnnotations

/// What a page searches whose points are in tiles: the texts of all points, in a file beside the page.
///
///     var search = PageSearchFile(placeCount: shops.count)
///     for shop in shops { search.append(shop.feature, id: shop.id, at: shop.position, kind: 0, course: -1) }
///     let bytes = search.takeBytes(isLast: true)
///
/// A page has only the tiles in sight, so it cannot find the rest in them. It asks for this file when somebody
/// first types into its search, and looks for words in memory from then on.
///
/// The file is blocks of some 16,000 places, each behind its length. The page unpacks one while the next is on its
/// way, and lets frames through between two. It is not one gzip file, so that no server or browser unpacks it unasked.
/// All numbers have 32 bits, the lowest first:
///
/// | part | what it is |
/// |---|---|
/// | length | of the rest of the block, which is packed with gzip |
/// | n, i, t | how many places there are, and how many bytes their ids and their texts take |
/// | n numbers, five times | latitudes and longitudes in 10⁻⁷ degrees, kinds by their place in the page, courses of hours (-1 for none), forms |
/// | i bytes | ids, a line each |
/// | t bytes | a line each: the name, and after a tab each text or number that the place says besides |
/// | the rest | the forms in JSON: under which names places say these |
public struct PageSearchFile {
  private let packer = GzipPacker()
  private let textLimit: Int
  private var numbers: [[Int32]] = Array(repeating: [], count: 5)
  private var ids: [UInt8] = []
  private var texts: [UInt8] = []
  private var forms: [[String]] = []
  private var placeOfForm: [[String]: Int32] = [:]
  private var bytes: [UInt8] = []

  /// How many places say more than is searched.
  public private(set) var cutCount = 0

  private static let placesOfBlock = 16_384
  private static let bytesOfBlock = 1 << 20
  /// How many bytes of texts a page holds at most, besides names; it needs up to four times as much memory for them.
  private static let bytesOfPage = 256_000_000

  /// Nothing yet.
  ///
  /// - Parameter placeCount: How many places there will be. The more there are, the fewer bytes of each are searched:
  ///   what it says after them is left out, but never its name.
  public init(placeCount: Int) {
    textLimit = PageSearchFile.bytesOfPage / max(placeCount, 1)
  }

  /// Adds a place.
  ///
  /// - Parameters:
  ///   - feature: What it says.
  ///   - id: Its id, as in the tiles.
  ///   - position: Where it is.
  ///   - kind: Which of `WebPage.kinds` it is.
  ///   - course: Which course of `HoursTable` it takes; -1 for none.
  public mutating func append(
    _ feature: Feature, id: AnnotationID, at position: Coordinate, kind: Int, course: Int
  ) {
    let entries = feature.properties?.entries ?? []
    let name = PageSearchFile.name(of: entries)
    PageSearchFile.append(name, to: &texts)
    var form: [String] = []
    let limit = texts.count + textLimit
    for entry in entries {
      guard let text = PageSearchFile.text(entry.value), text != name else { continue }
      guard texts.count + text.utf8.count < limit else {
        cutCount += 1
        break
      }
      form.append(entry.name)
      texts.append(UInt8(ascii: "\t"))
      PageSearchFile.append(text, to: &texts)
    }
    texts.append(UInt8(ascii: "\n"))
    PageSearchFile.append(id.text, to: &ids)
    ids.append(UInt8(ascii: "\n"))
    let values = [
      Int32((position.latitude * 1e7).rounded()), Int32((position.longitude * 1e7).rounded()),
      Int32(kind), Int32(course), place(of: form),
    ]
    for (column, value) in values.enumerated() { numbers[column].append(value) }
    if numbers[0].count == PageSearchFile.placesOfBlock || texts.count > PageSearchFile.bytesOfBlock
    {
      endBlock()
    }
  }

  /// Hands over what is ready to be written.
  ///
  /// - Parameter isLast: Whether no more places come.
  public mutating func takeBytes(isLast: Bool) -> [UInt8] {
    if isLast, !numbers[0].isEmpty { endBlock() }
    defer { bytes.removeAll() }
    return bytes
  }

  /// The name that the page has for it, too: see `placeOf` in its script.
  private static func name(of entries: [Properties.Entry]) -> String {
    func text(_ isNamed: (String) -> Bool) -> String? {
      for entry in entries where isNamed(entry.name) {
        if case .string(let text) = entry.value, !text.isEmpty { return text }
      }
      return nil
    }
    return text { $0 == "name" } ?? text { $0 == "title" }
      ?? text { $0 != "kind" && !$0.hasPrefix("marker-") }
      ?? ""
  }

  /// What is searched of a value: texts and numbers, as in the page.
  private static func text(_ value: PropertyValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text.isEmpty ? nil : text
    case .null, .bool, .array, .object: nil
    }
  }

  /// Adds a text without line feeds and tabs, which stand between texts.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 { bytes.append(max(byte, UInt8(ascii: " "))) }
  }

  private mutating func place(of form: [String]) -> Int32 {
    // Rows of a table come in few forms, the last one often again.
    if let last = numbers[4].last, forms[Int(last)] == form { return last }
    if let known = placeOfForm[form] { return known }
    forms.append(form)
    placeOfForm[form] = Int32(forms.count - 1)
    return Int32(forms.count - 1)
  }

  private mutating func endBlock() {
    var block: [UInt8] = []
    for count in [numbers[0].count, ids.count, texts.count] { block.appendNumber(count) }
    for column in numbers { for number in column { block.appendNumber(Int(number)) } }
    var json = JSONWriter()
    json.value(.array(forms.map { .array($0.map(PropertyValue.string)) }))
    let packed = packer.packed(block + ids + texts + json.bytes)
    bytes.appendNumber(packed.count)
    bytes += packed
    numbers = Array(repeating: [], count: 5)
    ids.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    forms = []
    placeOfForm = [:]
  }
}

extension [UInt8] {
  /// Adds a number of 32 bits, the lowest first.
  fileprivate mutating func appendNumber(_ number: Int) {
    Swift.withUnsafeBytes(of: Int32(number).littleEndian) { append(contentsOf: $0) }
  }
}
