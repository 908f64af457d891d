extension ErrorTableTests {
  /// Mistakes in the words of a command line: its commands, its options, and arguments left empty.
  static let commandMistakes: [Mistake] = [
    // Commands
    Mistake(
      "trak", "walk.gpx", "--gate", "300m", code: "no-such-command", status: 64,
      says: ["trak", "nearby track"]),
    Mistake("Find", code: "no-such-command", status: 64, says: ["nearby find"]),
    Mistake("helpp", code: "no-such-command", status: 64, says: ["did you mean nearby help?"]),
    Mistake(
      "version", code: "no-such-command", status: 64, says: ["did you mean nearby --version?"]),
    Mistake(
      "help", "zebra", code: "no-such-command", status: 64,
      says: ["nearby has no command zebra; see nearby help"]),
    Mistake(
      "help", "trak", code: "no-such-command", status: 64,
      says: ["nearby has no command trak; did you mean nearby help track?"]),
    Mistake(
      "help", "index", "bild", code: "no-such-command", status: 64,
      says: ["nearby index has no command bild; did you mean nearby help index build?"]),
    Mistake(
      "index", "bulid", "pts.csv", "-o", "x.nbx", code: "no-such-command", status: 64,
      says: ["nearby index has no command bulid; did you mean nearby index build?"]),
    Mistake(
      "geohash", "neighbours", "wydm9", code: "no-such-command", status: 64,
      says: ["did you mean nearby geohash neighbors?"]),
    Mistake(
      "geohash", "zebra", code: "no-such-command", status: 64, says: ["; see nearby help geohash"]),
    // Empty values
    Mistake(
      "list", "shops.csv", "--no-map=", code: "usage", status: 64,
      says: ["--no-map takes no value; leave out the empty one"]),
    Mistake(
      "find", "--explain=", "37.5,127", code: "usage", status: 64,
      says: ["--explain takes no value"]),
    Mistake("", "37.5,127", code: "no-such-file", status: 66, says: ["no file \"\""]),
    Mistake("find", "", "37.5,127", code: "no-such-file", status: 66, says: ["no file \"\""]),
    // Options given twice
    Mistake(
      "list", "shops.csv", "--on", "today", "--on", "2026-12-01", code: "option-twice", status: 64,
      says: ["--on is given twice, with \"today\" and \"2026-12-01\"; give it once"]),
    Mistake(
      "--lat", "-37", "--lon", "127", "--lat=-38", code: "option-twice", status: 64,
      says: ["--lat is given twice, with \"-37\" and \"-38\""]),
    Mistake(
      "list", "shops.csv", "--fields", "name", "--fields", "price", code: "option-twice",
      status: 64, says: ["give it once, as --fields \"name,price\""]),
    Mistake(
      "37.5,127", "shops.csv", "-k3", "-k", "5", code: "option-twice", status: 64,
      says: ["-k is given twice, with \"3\" and \"5\""]),
    Mistake(
      "convert", "shops.csv", "-o", "a.csv", "--output", "b.csv", code: "option-twice", status: 64,
      says: ["--output is given twice, with \"a.csv\" and \"b.csv\""]),
    // Options
    Mistake("--nonsense", code: "usage", status: 64, says: ["--nonsense", "--help"]),
    Mistake(
      "--lat", "37", "--lng", "127", code: "usage", status: 64,
      says: ["Unknown option '--lng'. Did you mean '--lon'?\n", "nearby find --help"]),
    Mistake(
      "within", "--Longitude=127", "shops.csv", code: "usage", status: 64,
      says: ["Did you mean '--lon'?"]),
    Mistake("--latitude", "37", code: "usage", status: 64, says: ["Did you mean '--lat'?"]),
    Mistake(
      "map", "--radius", "2km", code: "usage", status: 64, says: ["Did you mean '--within'?"]),
    Mistake("find", "--count", code: "usage", status: 64, says: ["Did you mean '-k'?"]),
    Mistake("map", "--count", code: "usage", status: 64, says: ["Did you mean '--counts'?"]),
    Mistake("list", "-n", "3", code: "usage", status: 64, says: ["Did you mean '--limit'?"]),
    Mistake("bbox", "--q", "x", code: "usage", status: 64, says: ["Did you mean '--where'?"]),
    Mistake("convert", "-q", code: "usage", status: 64, says: ["Unknown option '-q'\n"]),
    Mistake("--near", "5", code: "usage", status: 64, says: ["Unknown option '--near'\n"]),
    Mistake("--out", "x", code: "usage", status: 64, says: ["Did you mean '--output'?"]),
    Mistake("--formt", "csv", code: "usage", status: 64, says: ["Did you mean '--format'?"]),
    Mistake("--csv", code: "usage", status: 64, says: ["Did you mean '--format'?"]),
    Mistake("list", "--top", "3", code: "usage", status: 64, says: ["Did you mean '--limit'?"]),
    Mistake(
      "track", "walk.gpx", "--speed", "5", code: "usage", status: 64,
      says: ["Did you mean '--max-speed'?"]),
    Mistake("list", "--zon", "x", code: "usage", status: 64, says: ["Did you mean '--zone'?"]),
    Mistake("join", "shops.csv", "-k", "1", code: "usage", status: 64, says: ["<right>"]),
  ]
}
