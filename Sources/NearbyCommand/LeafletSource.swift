import WebMaps

/// Where a page gets Leaflet from, as `--leaflet` says it.
struct LeafletSource {
  /// Where Debian's libjs-leaflet puts it.
  static let installed = "/usr/share/javascript/leaflet"

  private enum Place {
    case installed, nowhere
    case folder(FileName)
    case address(String, scriptHash: String, styleHash: String)
  }

  private let place: Place

  init(_ text: String, integrity: String?) throws(CommandError) {
    let text = ArgumentPreparation.restored(text)
    switch text {
    case "auto": place = .installed
    case "none": place = .nowhere
    case _ where text.hasPrefix("https://") || text.hasPrefix("http://"):
      let hashes = (integrity ?? "").split(separator: ",").map(String.init)
      guard hashes.count == 2, hashes.allSatisfy(LeafletSource.isHash) else {
        throw CommandError(
          "missing-integrity",
          """
          a script from \(text) could be changed there; say --leaflet-integrity with the hashes of \
          leaflet.js and leaflet.css, sha384-…,sha384-…
          """,
          status: .usage)
      }
      let folder = text.hasSuffix("/") ? String(text.dropLast()) : text
      place = .address(folder, scriptHash: hashes[0], styleHash: hashes[1])
    default: place = .folder(FileName(argument: text))
    }
  }

  func library() throws(CommandError) -> WebPage.MapLibrary {
    switch place {
    case .nowhere: return .none
    case .installed:
      let folder = FileName(argument: LeafletSource.installed)
      return Files.exists(folder) ? try LeafletSource.library(in: folder) : .none
    case .folder(let folder): return try LeafletSource.library(in: folder)
    case .address(let folder, let scriptHash, let styleHash):
      return .linked(
        script: WebPage.LinkedFile(address: folder + "/leaflet.js", integrity: scriptHash),
        style: WebPage.LinkedFile(address: folder + "/leaflet.css", integrity: styleHash))
    }
  }

  private static func library(in folder: FileName) throws(CommandError) -> WebPage.MapLibrary {
    func file(_ name: String) -> FileName { FileName(bytes: folder.bytes + Array("/\(name)".utf8)) }
    let short = file("leaflet.min.js")
    return .embedded(
      script: try Files.bytes(of: Files.exists(short) ? short : file("leaflet.js")),
      style: try Files.bytes(of: file("leaflet.css")))
  }

  /// Whether a text has the form of a subresource hash.
  private static func isHash(_ text: String) -> Bool {
    guard let dash = text.firstIndex(of: "-"),
      ["sha256", "sha384", "sha512"].contains(String(text[..<dash]))
    else { return false }
    let digits = text[text.index(after: dash)...].utf8
    return digits.count >= 44
      && digits.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
  }
}
