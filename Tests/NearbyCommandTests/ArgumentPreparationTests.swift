import Testing

@testable import AnnotationSources
@testable import NearbyCommand

@Suite struct ArgumentPreparationTests {
  @Test(arguments: ["-33.86", "-.5", "-10,50,5,60", "-5.csv", "-0", "-inf", "-NaN", "-Infinity"])
  func `a minus sign before a number is part of a value`(argument: String) {
    let prepared = ArgumentPreparation.prepared([argument])
    #expect(prepared.first?.hasPrefix("-") == false)
    #expect(prepared.map(\.asTyped) == [argument])
    #expect(
      ArgumentPreparation.restoredThroughout("is \(prepared[0]) all?") == "is \(argument) all?")
  }

  @Test(arguments: ["-k", "--lat", "-", "--", "-q", "--lat=-3", "3", "", "-o5", "-info", "−5"])
  func `flags and plain words stay as they are`(argument: String) {
    #expect(ArgumentPreparation.prepared([argument]) == [argument])
  }

  @Test func `nothing behind two dashes is touched`() {
    let prepared = ArgumentPreparation.prepared(["-1", "--", "-1", "-x", "--help-all"])
    #expect(prepared.first != "-1")
    #expect(Array(prepared.dropFirst()) == ["--", "-1", "-x", "--help-all"])
  }

  @Test(arguments: [
    (["--open"], ["--open=now"]), (["--open", "now", "-q"], ["--open=now", "-q"]),
    (["--open", "Arrival"], ["--open=Arrival"]), (["--open", "9:30", "f"], ["--open=9:30", "f"]),
    (["--open", "2026-11-24T10:30"], ["--open=2026-11-24T10:30"]),
    (["--open", "2026-11-24"], ["--open=2026-11-24"]),
    // What is no moment is a source, and so is a file of that name.
    (["--open", "shops.csv"], ["--open=now", "shops.csv"]),
    (["--open", "7", "now.csv"], ["--open=now", "7", "now.csv"]),
    (["--open", "20261124.csv"], ["--open=now", "20261124.csv"]),
    (["--open", "14:00"], ["--open=now", "14:00"]),
    (["--open", "-k", "3"], ["--open=now", "-k", "3"]),
    (["--open", "37.57N", "126.97E"], ["--open=now", "37.57N", "126.97E"]),
    (["--open", "북위37도", "동경127도"], ["--open=now", "북위37도", "동경127도"]),
    (["--open", "postgres://h/d"], ["--open=now", "postgres://h/d"]),
    // What is meant for a moment is one, to be refused.
    (["--open", "8pm", "shops.csv"], ["--open=8pm", "shops.csv"]),
    (["--open", "20時"], ["--open=20時"]), (["--open", "tomorow"], ["--open=tomorow"]),
    (["--open", "tomorrow 9:00"], ["--open=tomorrow 9:00"]),
    (["--open=14:00", "now"], ["--open=14:00", "now"]),
    (["--", "--open", "now"], ["--", "--open", "now"]),
    (["--open", "--", "now"], ["--open=now", "--", "now"]),
  ]) func `open takes the moment behind it, unless that is a file`(
    arguments: [String], prepared: [String]
  ) {
    #expect(ArgumentPreparation.prepared(arguments) { $0 == "14:00" } == prepared)
  }

  @Test(arguments: [
    (["list", "--output=", "shops.csv"], ["list", "--output", "", "shops.csv"]),
    (["--after=", "--kind=mart"], ["--after", "", "--kind=mart"]),
    (["--open=", "now"], ["--open", "", "now"]),
    (["--lat-field=", "--", "--kind="], ["--lat-field", "", "--", "--kind="]),
    // A page's cursor may end so. `-o=` is read rightly as it is, and the others name nothing.
    (["--after=YQ==", "--after=a=", "-o="], ["--after=YQ==", "--after=a=", "-o="]),
    (["--=", "-=", "=", "name="], ["--=", "-=", "=", "name="]),
  ]) func `an empty value behind an equals sign is a value`(
    arguments: [String], prepared: [String]
  ) {
    #expect(ArgumentPreparation.prepared(arguments) { _ in false } == prepared)
  }

  @Test(
    arguments: [
      [0x63, 0x61, 0x66, 0xE9], [0xFF], [0xED, 0xA0, 0x80], Array("가게.csv".utf8), [],
      // What stands for the byte 0xFF.
      Array("a\u{10F8FF}.csv".utf8),
    ] as [[UInt8]])
  func `a file name keeps its bytes`(bytes: [UInt8]) {
    let text = bytes.withUnsafeBytes { ArgumentPreparation.text(of: $0) }
    #expect(ArgumentPreparation.bytes(of: text) == bytes)
    #expect(FileName(argument: text).bytes == bytes)
  }

  @Test func `a value that is not UTF-8 is refused, unless it may name a file`() throws {
    let value = ([0x61, 0xFF] as [UInt8]).withUnsafeBytes { ArgumentPreparation.text(of: $0) }
    for arguments in [["--layer", value], ["--layer=\(value)"], ["-q", "--kind", value, "a.csv"]] {
      let error = #expect(throws: ReportedError.self) {
        try ArgumentPreparation.checkEncoding(of: arguments)
      }
      #expect(error?.code == "encoding")
      let sentence = ArgumentPreparation.restoredThroughout(error?.description ?? "")
      #expect(sentence.contains(" \"a\u{FFFD}\" is not UTF-8"))
    }
    for arguments in [
      [value], ["--output", value], ["--left-rejects=\(value)"], ["--kind=mart", value],
      ["--", "--layer", value], ["--layer", "가게"],
    ] {
      try ArgumentPreparation.checkEncoding(of: arguments)
    }
    try ArgumentPreparation.checkEncoding(of: ["list", "--count", value]) { $0 == 1 }
    #expect(throws: ReportedError.self) {
      try ArgumentPreparation.checkEncoding(of: ["list", "--layer=\(value)"]) { _ in true }
    }
  }

  @Test(arguments: [
    ["--layer", "a", "--layer", "b"], ["--layer=a", "--layer", "b"], ["-k3", "-k", "5"],
    ["-k", "3", "shops.csv", "-k=5"], ["-o", "x", "--output", "y"],
    ["--left-x", "a", "--left-lon-field=b"],
    ["--open=now", "--open=14:00"], ["-o", "-", "-o", "x"],
  ]) func `an option of one value has one value`(arguments: [String]) {
    let error = #expect(throws: ReportedError.self) {
      try OptionNames.checkRepeats(of: arguments)
    }
    #expect(error?.code == "option-twice")
  }

  @Test(arguments: [
    ["--kind", "a", "--kind", "b"], ["--where=a", "--where=b"], ["--layer", "a", "--layer=a"],
    ["--open=now", "--open=now"], ["--lat", "1", "--lon", "2"], ["--x", "a", "--left-x", "b"],
    ["--layer", "a", "--", "--layer", "b"], ["-", "a", "-", "b"], ["--csv", "--csv", "a"],
    // Flags before operands.
    ["--no-map", "a.csv", "--no-map", "b.csv"],
  ]) func `lists, flags and the same value may be repeated`(arguments: [String]) throws {
    try OptionNames.checkRepeats(of: arguments) { arguments[$0] == "--no-map" }
  }

  #if Store
    @Test func `a layer may be called as a negative number`() throws {
      let folder = try Folder.withShops()
      for arguments in [
        ["import", "shops.csv", "--layer", "-1", "--licence", "-2"],
        ["convert", "s.gpkg", "--layer", "-1", "-o", "shops.geojson"],
        ["store", "unplaced", "--layer", "-1"], ["store", "info"], ["store", "drop", "-1"],
      ] {
        let outcome = try Program.run(
          arguments, environment: ["NEARBY_STORE": "s.gpkg"], in: folder)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        if arguments.last == "info" { #expect(outcome.text.contains("\"-2\"")) }
      }
    }
  #endif
}
