import Geodesy
import SpatialIndexing

/// The cache of an `HoursIndex`: windows, and tables that successive queries fill.
///
/// Values go in and out whole, so that no query waits for another's search.
final class HoursKnowledge: Sendable {
  private let count: Int
  private let state = SharedValue(State())

  private struct State {
    /// The most recently used one first.
    var windows: [OpenWindow] = []
    var tables: [AdmissionTable] = []
    /// The quarter of an hour that is queried without a window, and the cost of that so far.
    var spent: (interval: Range<Int64>, terms: AdmissionTerms, looks: Int)?
  }

  /// The most windows kept: for now, for what comes next, and for another user's time.
  private static let mostWindows = 3
  /// The most tables kept: as many queries can run at once without reading hours again.
  private static let mostTables = 16
  /// The cost of a search besides its looks, counted in looks.
  private static let searchCost = 16

  init(count: Int) { self.count = count }

  func window(at instant: Int64, _ terms: AdmissionTerms) -> OpenWindow? {
    state.withLock { state in
      guard
        let place = state.windows.firstIndex(where: {
          $0.terms == terms && $0.interval.contains(instant)
        })
      else { return nil }
      if place > 0 { state.windows.insert(state.windows.remove(at: place), at: 0) }
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

  /// Whether queries of a quarter of an hour have cost as much as its window would.
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

  /// A table for one query, with what earlier queries have found out.
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
