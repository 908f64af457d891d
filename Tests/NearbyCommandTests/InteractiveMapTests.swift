import Foundation
import NearbyTestSupport
import Testing

/// `nearby map --interactive`, in a real terminal: tmux.
@Suite(.serialized, .enabled(if: Screen.isAvailable, "skipped: needs tmux"))
struct InteractiveMapTests {
  @Test func `keys move, select, filter and leave`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive")
    let all = try screen.wait(for: "1,572 on the map")
    #expect(all.contains("┌"))
    #expect(all.contains("1 deal  2 mart  3 cinema"))

    try screen.press("1")
    #expect(try screen.wait(for: "660 on the map").contains("1 (off) deal"))
    try screen.press("2")
    #expect(try screen.wait(for: "25 on the map").contains("2 (off) mart"))

    try screen.press("/", "에", "무")
    try screen.wait(for: "name contains: 에무▏")
    try screen.press("Enter")
    try screen.wait(for: "1 on the map  name contains 에무")
    try screen.press("Tab")
    let selected = try screen.wait(for: "▸ 에무시네마")
    #expect(selected.contains("◀ 에무시네마"))
    #expect(selected.contains("cinema-37842043"))

    // In goes to the selected one; so far in, its name is still on the map, and a step aside it is not.
    try screen.press("+", "+", "+", "+", "+", "+", "+", "+")
    try screen.wait(for: "◀ 에무시네마")
    try screen.press("Right", "Right", "Right")
    try screen.wait(for: "0 on the map")
    try screen.press("Left", "Left", "Left")
    try screen.wait(for: "1 on the map")
    try screen.press("?")
    try screen.wait(for: "switch a kind off and on")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `a name is looked for with its quotes and marks`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive")
    try screen.wait(for: "1,572 on the map")
    try screen.press("/", "'", "\u{301}", "Enter")
    #expect(try screen.wait(for: "on the map  name contains").contains("\n0 on the map"))
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT", "SEGV", "ABRT"])
  func `the terminal comes back after a signal`(name: String) throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive")
    try screen.wait(for: "on the map")
    try screen.shell("pkill -\(name) -f -- '[-]-interactive \(screen.mark)'")
    try screen.waitForShell()
  }

  @Test func `a suspended map gives the terminal back and takes it again`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive")
    try screen.wait(for: "1,572 on the map")
    try screen.press("C-z")
    try screen.waitForShell()
    try screen.type("fg")
    try screen.wait(for: "1,572 on the map")
    try screen.press("1")
    try screen.wait(for: "660 on the map")
    try screen.press("C-c")
    try screen.waitForShell()
  }

  @Test func `the map follows the size of its terminal`() throws {
    let screen = try Screen(columns: 40, rows: 12)
    try screen.run("map --sample --interactive")
    let small = try screen.wait(for: "on the map")
    #expect(small.split(separator: "\n").first { $0.hasPrefix("┌") }?.count == 40)
    try screen.tmux("resize-window", "-x", "100", "-y", "30")
    try screen.wait { text in
      text.split(separator: "\n").first { $0.hasPrefix("┌") }?.count == 100
    }
    // Even where nothing fits.
    try screen.tmux("resize-window", "-x", "12", "-y", "4")
    try screen.wait { text in !text.contains("┌──────────────") }
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `a narrow terminal gets few words, and the kinds that were asked for`() throws {
    let screen = try Screen(columns: 40, rows: 12)
    try screen.run("map --sample --kind cinema --interactive")
    let small = try screen.wait(for: "25 on the map")
    #expect(small.contains("25 on the map  1 cinema\n"))
    #expect(small.contains("? help  q quit"))
    try screen.press("?")
    let help = try screen.wait(for: "kinds off and on")
    #expect(!help.split(separator: "\n").prefix(9).contains { $0.contains("…") }, "\(help)")
    try screen.press("1")
    try screen.wait(for: "0 on the map  1 (off) cinema")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `the first window is around what was asked for`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.folder.write("id,kind,lat,lon\n1,a,37.5,127\n2,b,10,10\n", to: "shops.csv")
    try screen.run("map shops.csv --kind a --interactive")
    try screen.wait(for: "1 on the map  1 a")
    // So far in, only what is in the middle is still on the map.
    try screen.press("+", "+", "+", "Tab")
    try screen.wait(for: "▸ 1")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `a mouse selects and zooms, and enter shows all fields`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.folder.write(
      """
      id,name,lat,lon,tel
      1,middle,37.50,127.00,02-1
      2,corner,37.60,127.15,02-2
      3,other,37.40,126.85,02-3

      """, to: "shops.csv")
    try screen.run("map shops.csv --interactive")
    try screen.wait(for: "3 on the map")
    // From the middle outward.
    try screen.press("Tab")
    try screen.wait(for: "▸ middle")
    try screen.press("Enter")
    try screen.wait(for: "tel   02-1")
    try screen.press("Escape")
    let map = try screen.wait { !$0.contains("tel   02-1") && $0.contains("▸ middle") }
    // The pin in the upper half that is not the middle.
    let lines = map.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("○") || $0.contains("●") })
    let column = try #require(lines[row].firstIndex { $0 == "○" || $0 == "●" })
    let place = lines[row].distance(from: lines[row].startIndex, to: column)
    try screen.tmux("send-keys", "-l", "\u{1B}[<0;\(place + 1);\(row + 1)M")
    try screen.wait(for: "▸ corner")
    try screen.tmux("send-keys", "-l", "\u{1B}[<64;40;10M")
    try screen.wait(for: "1 on the map")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `all fields can be read, however many and long they are`() throws {
    let screen = try Screen(columns: 77, rows: 16)
    let names = (1...40).map { "field\($0)" }
    let long = String(repeating: "긴", count: 100)
    try screen.folder.write(
      (["id", "lat", "lon", "name"] + names).joined(separator: ",") + "\n"
        + (["1", "37.5", "127", long] + names.map { "value of \($0)" }).joined(separator: ",")
        + "\n", to: "shops.csv")
    try screen.run("map shops.csv --interactive")
    try screen.wait(for: "1 on the map")
    try screen.press("Tab", "Enter")
    let first = try screen.wait(for: "37 more: arrow keys")
    #expect(first.filter { $0 == "긴" }.count >= 100)
    try screen.press("Down")
    try screen.wait(for: "36 more: arrow keys")
    try screen.press("NPage", "NPage", "NPage", "NPage")
    try screen.wait { $0.contains("value of field40") && !$0.contains("more:") }
    try screen.press("Up")
    try screen.wait(for: "1 more: arrow keys")
    try screen.press("Escape", "?")
    let help = try screen.wait(for: "also n p")
    #expect(!help.split(separator: "\n").prefix(11).contains { $0.contains("…") }, "\(help)")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `a click selects the sign that is there, also on a wide map in the north`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.folder.write(
      "id,name,lat,lon\n1,nw,70.5,6\n2,ne,70.5,29\n3,sw,55.5,6\n4,se,55.5,29\n", to: "n.csv")
    try screen.run("map n.csv --interactive")
    let map = try screen.wait(for: "4 on the map").split(
      separator: "\n", omittingEmptySubsequences: false)
    let signs = map.enumerated().flatMap { row, line in
      line.enumerated().filter { $0.element == "○" }.map { (column: $0.offset, row: row) }
    }
    #expect(signs.count == 4)
    for (sign, name) in zip(signs, ["nw", "ne", "sw", "se"]) {
      try screen.tmux("send-keys", "-l", "\u{1B}[<0;\(sign.column + 1);\(sign.row + 1)M")
      try screen.wait(for: "▸ \(name)")
    }
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `near a pole a step loses nothing, and what is beyond it is there, too`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.folder.write(
      "id,name,lat,lon\n1,A,89.95,10\n2,B,89.96,100\n3,C,89.97,-120\n", to: "pole.csv")
    try screen.run("map pole.csv --interactive")
    try screen.wait(for: "3 on the map")
    for key in ["Left", "Up", "Right", "Down", "Tab"] {
      try screen.press(key)
      #expect(try screen.shows { $0.contains("3 on the map") && !$0.contains("no annotations") })
    }
    try screen.wait(for: "▸ ")
    try screen.press("q")
    try screen.waitForShell()
  }

  @Test func `a map whose terminal is closed ends`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive")
    try screen.wait(for: "1,572 on the map")
    try screen.close()
    // What has ended may wait for its parent, without its arguments.
    let ended = try Program.shell(
      """
      for try in $(seq 100); do pgrep -f -- '[-]-interactive \(screen.mark)' || exit 0; sleep 0.1; done
      ps ax; exit 1
      """, in: screen.folder)
    #expect(ended.status == 0, "\(ended.text)")
  }

  @Test func `keys come from the terminal when the source comes through a pipe`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.folder.write(Fixture.shops, to: "shops.csv")
    try screen.run("map --interactive -", before: "cat shops.csv |")
    try screen.wait(for: "6 on the map")
    try screen.press("q")
    try screen.waitForShell()
  }

  #if os(Linux)
    @Test func `the terminal is opened by its own name, for which macOS can wait`() throws {
      let screen = try Screen(columns: 80, rows: 24)
      try screen.run("map --sample --interactive")
      try screen.wait(for: "1,572 on the map")
      let opened = try Program.shell(
        "ls -l /proc/$(pgrep -n -f -- '[-]-interactive \(screen.mark)')/fd", in: screen.folder)
      #expect(opened.text.contains("-> /dev/pts/") && !opened.text.contains("-> /dev/tty"))
      try screen.press("q")
      try screen.waitForShell()
    }
  #endif

  @Test func `a terminal that shows nothing but text gets no escape sequences`() throws {
    let screen = try Screen(columns: 80, rows: 24)
    try screen.run("map --sample --interactive", before: "TERM=dumb")
    try screen.wait(for: "not-a-terminal: --interactive needs a terminal that can move")
    try screen.waitForShell()
  }

  @Test func `without a terminal the map says so`() throws {
    let outcome = try Program.run(["map", "--sample", "--interactive"], in: try Folder())
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error: not-a-terminal: "))
  }
}
