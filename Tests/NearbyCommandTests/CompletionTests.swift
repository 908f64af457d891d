import Foundation
import NearbyTestSupport
import Testing

/// The completions, in the shells themselves: keys pressed in a terminal.
@Suite(.serialized, .enabled(if: Screen.isAvailable, "skipped: needs tmux"))
struct CompletionTests {
  private static func has(_ shell: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
  }

  @Test func `bash completes files, options and commands`() throws {
    let screen = try prepared("bash")
    try screen.type("source ./script; PS1='now> '")
    try judge(screen)
  }

  @Test(.enabled(if: has("zsh"), "needs zsh"))
  func `zsh completes files, options and commands`() throws {
    let screen = try prepared("zsh")
    try screen.type("mkdir f; cp script f/_nearby; exec env PS1='zsh> ' zsh -f")
    try screen.wait(for: "zsh> ")
    try screen.type("fpath=($PWD/f $fpath); autoload -Uz compinit; compinit -u -D; PS1='now> '")
    try judge(screen)
  }

  @Test(.enabled(if: has("fish"), "needs fish"))
  func `fish completes files, options and commands`() throws {
    let screen = try prepared("fish")
    try screen.type("exec fish --no-config --private")
    try screen.type("source ./script; function fish_prompt; echo 'now> '; end; cd .")
    try judge(screen)
  }

  /// A shell with the program in its path, its completions in `script` and three files beside it.
  private func prepared(_ shell: String) throws -> Screen {
    let screen = try Screen(columns: 100, rows: 60)
    for name in ["shops.csv", "trips.csv", "walk.gpx"] { try screen.folder.write("", to: name) }
    try screen.type(
      """
      mkdir bin; ln -s \(TestedProgram.url.path) bin/nearby; export PATH=$PWD/bin:$PATH; \
      nearby completions \(shell) > script; echo made
      """)
    try screen.wait { $0.split(separator: "\n").contains("made") }
    return screen
  }

  private func judge(_ screen: Screen) throws {
    try screen.wait {
      $0.split(separator: "\n").contains { $0.hasPrefix("now> ") } || $0.contains("now>\n")
    }
    // What is written is made whole where only one file begins so.
    for (line, expected) in [
      ("nearby sho", "nearby shops.csv"),
      ("nearby tri", "nearby trips.csv"),
      ("nearby find sho", "nearby find shops.csv"),
      ("nearby --lat 37 --lon 127 sho", "127 shops.csv"),
      ("nearby check --rejects sho", "--rejects shops.csv"),
      ("nearby --rejects sho", "--rejects shops.csv"),
      ("nearby join shops.csv tri", "shops.csv trips.csv"),
      ("nearby track wal", "nearby track walk.gpx"),
      ("nearby convert shops.csv -o tri", "-o trips.csv"),
      ("nearby store info --store sho", "--store shops.csv"),
      ("nearby --per", "nearby --per-kind"),
      ("nearby --lat 37 --per", "37 --per-kind"),
      ("nearby fin", "nearby find"),
      ("nearby lis", "nearby list"),
      ("nearby list --lim", "nearby list --limit"),
      ("nearby shops.csv --format geojsons", "--format geojsonseq"),
      // Other commands have a default one, too.
      ("nearby hours --clo", "hours --closed"),
      ("nearby hours tri", "hours trips.csv"),
      ("nearby hours trips.csv --clo", "trips.csv --closed"),
      ("nearby hours ev", "hours eval"),
      ("nearby cluster --bb", "cluster --bbox"),
      ("nearby cluster diff --to", "diff --to-view"),
      ("nearby completions fi", "completions fish"),
      ("nearby join --how le", "--how left"),
      ("nearby track --gate care", "--gate careful"),
    ] {
      try screen.tmux("send-keys", "-l", line)
      try screen.press("Tab")
      try screen.wait(for: expected)
      try clear(screen)
    }
    // Where several do, they are listed: by the second key, or where the first one added something the third.
    for (line, expected) in [
      ("nearby --la", ["--lat", "--lat-field", "--layer"]),
      // `--lon` is an option itself, and the beginning of another.
      ("nearby --lat 37 --lo", ["--lon", "--lon-field"]),
      ("nearby --lat 37 --lon", ["--lon", "--lon-field"]),
      ("nearby find --lat 37 --lon", ["--lon", "--lon-field"]),
      ("nearby --lat -33.8 --lon 151 --p", ["--per-kind", "--places", "--points"]),
      ("nearby --lat 37 --lon -70 --wh", ["--where"]),
      ("nearby tr", ["track", "transform", "trips.csv"]),
      ("nearby ", ["bbox", "completions", "within"]),
    ] {
      try screen.tmux("send-keys", "-l", line)
      let isListed = try (0..<4).contains { _ in
        try screen.press("Tab")
        return try screen.shows { text in expected.allSatisfy { text.contains($0) } }
      }
      let text = try screen.text
      #expect(isListed, "\(line): \(text)")
      try clear(screen)
    }
  }

  private func clear(_ screen: Screen) throws {
    // No interrupt: a shell that is still completing would swallow it.
    try screen.press("C-e", "C-u")
    try screen.type("clear")
    try screen.wait { !$0.contains("nearby") }
  }

  @Test func `every option and operand that is a file completes files`() throws {
    let script = try Program.run(["completions", "zsh"], in: try Folder()).text
    let lines = script.split(separator: "\n")
    #expect(lines.count { $0.hasSuffix(":file:_files'") } > 40)
    for value in ["file", "source", "left", "right", "track", "fences", "area.geojson"] {
      #expect(lines.filter { $0.hasSuffix(":\(value):'") } == [])
    }
  }
}
