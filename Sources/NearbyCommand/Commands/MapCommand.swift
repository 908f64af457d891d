#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import NearbySearch
  import TextMaps

  /// `nearby map`: the map alone.
  struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "map",
      abstract: "Draw a map around a position, of a box, or of everything.",
      discussion: """
        With --interactive the map fills the terminal. Arrow keys move it, + and - zoom, tab or a \
        click selects an annotation, enter shows its fields, ? lists all keys, and q quits.
        """)

    @OptionGroup(title: "Query") var query: QueryOptions

    @Option(
      help: .usual("Write this column, or the name, beside each annotation.", valueName: "column"))
    var label: String?

    @Flag(help: "Move the map with the keyboard and the mouse, in a terminal.")
    var interactive = false

    @Flag(help: .rare("Draw signs and counts, not dots, however many annotations there are."))
    var counts = false

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Map") var map: MapOptions

    @Option(
      name: [.short, .long],
      help: .usual("Write the map to this file, as text.", valueName: "file"),
      completion: .file())
    var output: String?

    func run() throws {
      let file = try OutputFiles.claim(output)
      _ = try MapFormat.named(by: file, option: nil)
      let plan = try map.plan(onTerminal: Console.showsOnTerminal(file))
      var input = input
      var question = try Question(query, &input)
      let box = question.query.area.boundingBox
      if interactive { return try explore(question, input, box, plan) }
      // The map shows the box that is asked for, and leaves out what has no position; what is measured has one.
      if box == nil, question.query.origin == nil { question.look(in: .box(.world)) }
      var opened = try Source.index(
        input, by: try query.indexKind(), isAskedOnce: true, for: question)
      let label = label?.asTyped
      if let label, label != "name", !opened.fields.contains(label) {
        try opened.answer { (opened) throws(ReportedError) in
          try opened.index.annotations.requireColumn(label, of: "--label")
        }
      }
      let listing = try question.listing(of: &opened, .byTheMachine, viewport: box)
      listing.remarksOnSlips.forEach(Console.remark)
      listing.remarkOnMissing()
      listing.unreadRemarks.forEach(Console.remark)
      // Numbers would name no list here, so annotations are drawn by kind.
      let drawn = try listing.map(plan, isNumbered: false, showsCounts: counts, label: label)
      try Files.write(Array(drawn.utf8), to: file)
    }

    /// The map that keys move, until somebody ends it.
    private func explore(
      _ question: Question, _ input: InputOptions, _ box: BoundingBox?, _ plan: MapPlan
    ) throws {
      guard output == nil, Console.outputIsTerminal, !Console.isDumb else {
        throw ReportedError(
          "not-a-terminal",
          "--interactive needs a terminal that can move its cursor; leave it out for the map as text",
          fault: .usage)
      }
      let kind = try query.indexKind()
      var opened = try Source.index(input, by: kind, isAskedOnce: false)
      let outlines = try plan.outlines()
      var wanted = question
      // The map may be moved out of the box.
      wanted.query.area = .everywhere
      var explorer = try opened.answer { (opened) throws(ReportedError) -> MapExplorer in
        let annotations = opened.index.annotations
        let index = try wanted.offsets(of: annotations, remark: Console.remark).map {
          AnnotationIndex(forManyQuestions: annotations.keeping($0), by: kind)
        }
        return MapExplorer(
          index ?? opened.index, question.query, showing: box, plan: plan, outlines: outlines,
          .byTheMachine)
      }
      guard let terminal = Terminal() else {
        throw ReportedError(
          "not-a-terminal", "the terminal cannot be opened; leave --interactive out",
          fault: .usage)
      }
      while true {
        explorer.size = terminal.size
        terminal.show(explorer.lines())
        switch terminal.nextEvent() {
        case .resized: continue
        case .end(let signal): if let signal { end(bySignal: signal) } else { return }
        case .key(let key): if !explorer.press(key) { return }
        }
      }
    }
  }

  /// What a map is written as.
  private enum MapFormat: String, WrittenFormat { case text }
#endif
