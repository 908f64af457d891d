import GeoJSONCoding
import Geodesy
import MapAnnotations

/// The search file of a page whose points are in tiles: the texts of all points.
///
///     var search = PageSearchFile(placeCount: shops.count)
///     for shop in shops { search.append(shop.feature, id: shop.id, at: shop.position, kind: 0, course: -1) }
///     let bytes = search.takeBytes(isLast: true)
///
/// A page has only the visible tiles, so it cannot search the others. It loads this file when the reader first types
/// into the search box, and then searches in memory.
///
/// The file consists of blocks of about 16,000 places, each preceded by its length. The page unpacks one block while
/// the next is loading, and draws frames in between. The file as a whole is not gzip, so no server or browser unpacks
/// it on its own. All numbers have 32 bits, little-endian:
///
/// | part | what it is |
/// |---|---|
/// | length | of the rest of the block, which is packed with gzip |
/// | n, i, t | the number of places, and the byte counts of their ids and texts |
/// | n numbers, five times | latitudes and longitudes in 10⁻⁷ degrees, indices of kinds, courses of hours (-1 for none), forms |
/// | i bytes | ids, one on each line |
/// | t bytes | one line for each place: the name, and after a tab each further text or number |
/// | the rest | the forms in JSON: the property names of these values |
public struct PageSearchFile {
  private let packer = GzipPacker()
  private let textLimit: Int
  private var columns = Columns()
  private var ids: [UInt8] = []
  private var texts: [UInt8] = []
  private var forms = FormTable<String>()
  private var bytes: [UInt8] = []

  /// The numbers of a block's places.
  private struct Columns {
    var latitudes: [Int32] = [], longitudes: [Int32] = []
    var kinds: [Int32] = [], courses: [Int32] = [], forms: [Int32] = []

    /// The columns in the order of the file.
    var all: [[Int32]] { [latitudes, longitudes, kinds, courses, forms] }
  }

  /// The number of places whose texts were cut off.
  public private(set) var cutCount = 0

  private static let placesOfBlock = 16_384
  private static let bytesOfBlock = 1 << 20
  /// The maximum size in bytes of all texts except names; the page needs up to four times as much memory for them.
  private static let bytesOfPage = 256_000_000

  /// Makes an empty file.
  ///
  /// - Parameter placeCount: The number of places to come. The more there are, the fewer bytes of
  ///   each are searchable; the rest is cut off, but never the name.
  public init(placeCount: Int) {
    textLimit = PageSearchFile.bytesOfPage / max(placeCount, 1)
  }

  /// Adds a place.
  ///
  /// - Parameters:
  ///   - feature: The properties of the place.
  ///   - id: The id, as in the tiles.
  ///   - position: The position.
  ///   - kind: The index of the kind in `WebPage.kinds`.
  ///   - course: The index of the course in `HoursTable`; -1 for none.
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
    columns.latitudes.append(Int32((position.latitude * 1e7).rounded()))
    columns.longitudes.append(Int32((position.longitude * 1e7).rounded()))
    columns.kinds.append(Int32(kind))
    columns.courses.append(Int32(course))
    columns.forms.append(Int32(forms.number(of: form)))
    if columns.forms.count == PageSearchFile.placesOfBlock
      || texts.count > PageSearchFile.bytesOfBlock
    {
      endBlock()
    }
  }

  /// Returns the bytes that are ready to be written.
  ///
  /// - Parameter isLast: Whether no more places follow.
  public mutating func takeBytes(isLast: Bool) -> [UInt8] {
    if isLast, !columns.forms.isEmpty { endBlock() }
    defer { bytes.removeAll() }
    return bytes
  }

  /// The name that the page also uses for the place: see `placeOf` in its script.
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

  /// The searchable text of a value: texts and numbers, as in the page.
  private static func text(_ value: PropertyValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text.isEmpty ? nil : text
    case .null, .bool, .array, .object: nil
    }
  }

  /// Appends a text without line feeds and tabs, which are separators.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 { bytes.append(max(byte, UInt8(ascii: " "))) }
  }

  private mutating func endBlock() {
    var block: [UInt8] = []
    for count in [columns.forms.count, ids.count, texts.count] {
      block.appendLittleEndian(Int32(count))
    }
    for number in columns.all.joined() { block.appendLittleEndian(number) }
    let knownForms = PropertyValue.array(forms.all.map { .array($0.map(PropertyValue.string)) })
    let packed = packer.packed(block + ids + texts + knownForms.json)
    bytes.appendLittleEndian(Int32(packed.count))
    bytes += packed
    columns = Columns()
    ids.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    forms = FormTable()
  }
}
