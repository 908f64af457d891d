import Testing

@testable import Geodesy

@Suite struct CodedErrorTests {
  @Test func `settings in backquotes get other names, whatever else stands in backquotes`() {
    let names = ["crs": "--crs", "latitudeField": "--lat-field"]
    for (message, expected) in [
      ("", ""), ("nothing", "nothing"), ("`", "`"), ("``", "``"), ("`crs`", "--crs"),
      ("say `crs` or `latitudeField`", "say --crs or --lat-field"), ("`crs", "`crs"),
      ("crs`", "crs`"), ("a`b `crs` `c`", "a`b --crs `c`"), ("`other` `crs`", "`other` --crs"),
      ("`crs``crs`", "--crs--crs"), ("`서울` `crs`", "`서울` --crs"),
    ] {
      #expect(named(names, in: message) == expected, "\(message)")
    }
  }
}
