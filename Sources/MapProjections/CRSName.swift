/// The names of a CRS in files and in text.
public enum CRSName {
  /// The EPSG code in a name; nil if there is none.
  ///
  /// `EPSG:5174`, `5174`, `urn:ogc:def:crs:EPSG::5174`,
  /// `http://www.opengis.net/def/crs/EPSG/0/5174`; `CRS84` in any of these forms is 4326, since
  /// longitude always comes first here.
  public static func epsgCode(in name: String) -> Int? {
    let text = name.uppercased()
    if text.hasSuffix("CRS84") { return 4326 }
    let parts = text.split { $0 == ":" || $0 == "/" || $0 == " " }
    guard let last = parts.last, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let code = Int(last), parts.count == 1 || parts.contains("EPSG")
    else { return nil }
    return code
  }
}

extension CRS {
  /// Makes the built-in CRS with a name.
  ///
  /// - Throws: `CRSError` with code `crs-unsupported` if it is not built in.
  public init(named name: String) throws(CRSError) {
    guard let code = CRSName.epsgCode(in: name) else {
      throw .unsupported(name, because: "it is not an EPSG code; write one such as EPSG:5174")
    }
    try self.init(epsg: code)
  }
}
