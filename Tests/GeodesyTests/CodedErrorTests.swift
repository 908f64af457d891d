import Testing

@testable import Geodesy

@Suite struct CodedErrorTests {
  @Test func `settings in backquotes get other names, whatever else stands in backquotes`() {
    let names = ["crs": "--crs", "latitudeField": "--lat-field"]
    for (message, expected) in [
      ("", ""), ("nothing", "nothing"), ("`", "`"), ("``", "``"), ("`crs`", "--crs"),
      ("say `crs` or `latitudeField`", "say --crs or --lat-field"), ("`crs", "`crs"),
      ("crs`", "crs`"), ("a`b `crs` `c`", "a`b --crs `c`"), ("`other` `crs`", "`other` --crs"),
      ("`서울` `crs`", "`서울` --crs"), ("`crs`: (`crs`), `crs`", "--crs: (--crs), --crs"),
      ("no field \"`crs`\"", "no field \"`crs`\""), ("`id`,`crs`,`crs`x", "`id`,`crs`,`crs`x"),
      ("`crs`.csv", "`crs`.csv"), ("`crs``crs`", "--crs`crs`"),
    ] {
      #expect(named(names, in: message) == expected, "\(message)")
    }
  }
}
