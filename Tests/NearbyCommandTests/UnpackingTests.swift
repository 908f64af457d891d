import Foundation
import Testing

/// Files packed by gzip itself, small and large.
@Suite struct UnpackingTests {
  /// 100 MB of zeros: 97 kB packed, of which at most 64 MiB are taken.
  private static func bomb() throws -> Folder {
    let folder = try Folder.withShops()
    #expect(
      try Program.shell(
        "head -c 100000000 /dev/zero | gzip -9 > bomb.gz && gzip -k shops.csv", in: folder
      ).status == 0)
    return folder
  }

  @Test func `a small file that unpacks to a large one is refused wherever one is read`() throws {
    let folder = try Self.bomb()
    for command in [
      "info bomb.gz", "info - < bomb.gz", "track bomb.gz --gate none",
      "join bomb.gz shops.csv -k 1", "join shops.csv bomb.gz -k 1",
      "fence shops.csv bomb.gz --radius 9m", "fence bomb.gz shops.csv --radius 9m --gate none",
      "index build bomb.gz -o x.nbx", "import --store x.gpkg bomb.gz",
    ] {
      let outcome = try Program.shell("\"$nearby\" \(command)", in: folder)
      #expect(outcome.status == 65, "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("error: gzip-too-large: "), "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("--max-unpacked"), "\(command): \(outcome.errors)")
    }
    #expect(try folder.names == ["bomb.gz", "shops.csv", "shops.csv.gz"])
  }

  @Test func `the limit is what the option says`() throws {
    let folder = try Self.bomb()
    let count = try folder.bytes("shops.csv").count
    let commands = [
      "info shops.csv.gz", "info - < shops.csv.gz", "join shops.csv.gz shops.csv -k 1",
      "fence shops.csv.gz shops.csv --radius 9m --gate none", "track shops.csv.gz --gate none",
      "fence shops.csv shops.csv.gz --radius 9m --gate none",
    ]
    for command in commands {
      for (limit, status) in [("\(count)", 0), ("1k", 0), ("\(count - 1)", 65)] {
        let outcome = try Program.shell(
          "\"$nearby\" \(command) --max-unpacked \(limit)", in: folder)
        #expect(outcome.status == status, "\(command) \(limit): \(outcome.errors)")
        #expect(outcome.errors.contains("gzip-too-large") == (status == 65))
      }
    }
    for text in ["0", "-1", "much", "1T", "99999999999999999999", "9999999999G", ""] {
      let refused = try Program.run(["info", "shops.csv.gz", "--max-unpacked=\(text)"], in: folder)
      #expect(refused.status == 64, "\(text): \(refused.errors)")
    }
  }
}
