import Geodesy
import SpatialIndexing

/// What an `HoursIndex` has found out so far: windows, and tables that one query after another fills.
///
/// Values go in and out whole, so that nobody waits for anybody's search.
final class HoursKnowledge: Sendable {
  private let count: Int
  private let state = SharedValue(State())

  private struct State {
    /// The last to be asked for first.
    var windows: [OpenWindow] = []
    var tables: [AdmissionTable] = []
    /// The quarter of an hour that is asked about without a window, and how much that has cost.
    var spent: (interval: Range<Int64>, terms: AdmissionTerms, looks: Int)?
  }

  /// Now, what comes after, and somebody else's time.
  private static let mostWindows = 3
  /// As many as may ask at once without reading hours anew.
  private static let mostTables = 16
  /// What a search costs beside its looks, in looks.
  private static let searchCost = 16

  init(count: Int) { self.count = count }

  func window(at instant: Int64, _ terms: AdmissionTerms) -> OpenWindow? {
    state.withLock { state in
      guard
        let place = state.windows.firstIndex(where: {
          $0.terms == terms && $0.interval.contains(instant)
        })
      else { return nil }
      if place > 0 { state.windows.swapAt(0, place) }
      return state.windows[0]
    }
  }

  func keep(_ window: OpenWindow) {
    state.withLock { state in
      state.windows.removeAll { $0.terms == window.terms && $0.interval == window.interval }
      state.windows.insert(window, at: 0)
      if state.windows.count > Self.mostWindows { state.windows.removeLast() }
    }
  }

  /// Whether as much has been spent on a quarter of an hour as its window costs.
  func isWorthWindow(at instant: Int64, _ terms: AdmissionTerms, after looks: Int) -> Bool {
    let interval = OpenWindow.interval(around: instant)
    return state.withLock { state in
      var spent = looks + Self.searchCost
      if let before = state.spent, before.interval == interval, before.terms == terms {
        spent += before.looks
      }
      state.spent = (interval, terms, spent)
      return spent >= count
    }
  }

  /// A table for one query, which knows what queries before it have found out.
  func takeTable(_ terms: AdmissionTerms) -> AdmissionTable {
    state.withLock { state in
      guard let place = state.tables.lastIndex(where: { $0.terms == terms }) else { return nil }
      return state.tables.remove(at: place)
    } ?? AdmissionTable(terms)
  }

  func giveBack(_ table: AdmissionTable) {
    state.withLock { state in
      state.tables.append(table)
      if state.tables.count > Self.mostTables { state.tables.removeFirst() }
    }
  }
}
