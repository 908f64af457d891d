import Geodesy
import Geofencing
import MapAnnotations
import TextMaps
import TrackImport

/// Events as text: a line for each, which needs no other, and a summary.
package struct FenceText {
  /// Columns of the terminal.
  package let width: Int
  /// Whether all reasons stand.
  package let explains: Bool

  private var showsTime: Bool { width >= (explains ? 60 : 72) }
  private var fenceColumns: Int { width >= 60 ? 16 : 8 }

  /// How many columns there are before the reasons.
  private var headColumns: Int { (showsTime ? 6 + 2 + 20 + 2 + 8 : 4 + 2 + 5) + fenceColumns + 4 }

  /// How far from the edge reasons stand under an event; nil where there is room behind it.
  ///
  /// Whole sentences want more room than the beginning of one.
  private var indent: Int? {
    width - headColumns < (explains ? 40 : 12) ? (showsTime ? 8 : 6) : nil
  }

  package var header: String { line("fix", "time", "event", "fence", "why") }

  package func lines(
    _ number: Int, _ point: TrackPoint, _ event: FenceEvent, _ fence: Fence
  ) -> String {
    var sentences = event.reasons.map(\.description)
    if !explains { sentences = Array(sentences.prefix(1)) }
    var text = line(
      String(number), TrackText.time(of: point), event.kind.rawValue, FenceText.label(fence),
      sentences[0])
    for sentence in sentences.dropFirst() { text += line("", "", "", "", sentence) }
    if explains {
      let visit = event.visit.map { $0 == event.order ? "" : " of visit \($0)" } ?? ""
      text += line("", "", "", "", "event \(event.order)\(visit) at \(event.position)")
    }
    return text
  }

  /// A fix that changed nothing.
  package func remark(_ number: Int, _ point: TrackPoint, _ word: String, _ why: String) -> String {
    line(String(number), TrackText.time(of: point), word, "", why)
  }

  /// What people call a fence, on one line and without what commands a terminal.
  package static func label(_ fence: Fence) -> String {
    TerminalText.sanitized(fence.name ?? fence.id.text)
  }

  private func line(
    _ number: String, _ time: String, _ event: String, _ fence: String, _ why: String
  ) -> String {
    var text = TrackText.padded(number, showsTime ? 6 : 4, right: true) + "  "
    if showsTime { text += TrackText.padded(time, 20) + "  " }
    text += TrackText.padded(event, showsTime ? 8 : 5) + "  "
    if indent == nil {
      text += TerminalText.padded(fence, to: fenceColumns) + "  "
    } else {
      text += TerminalText.truncated(fence, to: max(4, width - DisplayWidth.columns(of: text)))
    }
    // A reason may quote a field of the file.
    return LineWrapping.line(
      text, TerminalText.sanitized(why), width: width, under: indent, isCut: !explains)
  }

  /// A number to a tenth.
  package func number(_ value: Double) -> String {
    abs(value) < 1e12 ? plainDecimal((value * 10).rounded() / 10) : String(value)
  }
}

extension FenceText {
  package func summary(_ tally: FenceTally, _ monitor: FenceMonitor) -> String {
    let counts = FenceTally.kinds.map {
      "\($0.rawValue)\u{A0}\(grouped(tally.events[$0] ?? 0))"
    }
    var lines = [
      "fixes     \(grouped(tally.fixes)), rejected\u{A0}\(grouped(tally.rejected)), "
        + "late\u{A0}\(grouped(tally.late)), in\u{A0}doubt\u{A0}\(grouped(tally.doubted))",
      "fences    \(grouped(monitor.index.fences.count))",
      "events    \(counts.joined(separator: ", "))",
    ]
    let inside = monitor.inside
    if monitor.lastPosition != nil {
      let names = inside.prefix(10).map {
        TerminalText.truncated(FenceText.label(monitor.index.fences[$0]), to: max(8, width - 12))
      }
      let rest = inside.count - names.count
      let more = rest > 0 ? ", and \(grouped(rest)) more" : ""
      lines.append("inside    " + (names.isEmpty ? "none" : names.joined(separator: ", ") + more))
    }
    return TrackText.wrapped(lines, width)
  }

  package func plan(_ plan: RegionPlan?, _ fences: [Fence]) -> String {
    guard let plan else { return "\n" + wrapped("no plan: there was no fix to plan from") }
    var text = "\n" + wrapped("regions to watch from \(plan.position)")
    for region in plan.regions {
      let label = TerminalText.truncated(
        FenceText.label(fences[region.fence]), to: fenceColumns)
      let head = "  " + TerminalText.padded(label, to: fenceColumns) + "  "
      text += wrapped(
        "radius \(region.radius.label), border \(region.distance.label) away"
          + (region.isInside ? ", inside" : ""), behind: head)
    }
    let refresh = plan.refreshRadius
    let valid = plan.validRadius
    text += wrapped(
      refresh < .infinity
        ? "plan again after moving \(refresh.label) away" : "every fence is watched")
    if valid < .infinity { text += wrapped("the choice is valid within \(valid.label)") }
    return text
  }

  /// A text in as many lines as it takes, the first behind what stands before it.
  private func wrapped(_ text: String, behind head: String = "") -> String {
    LineWrapping.line(head, text, width: width)
  }
}
