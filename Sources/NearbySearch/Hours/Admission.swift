import BusinessHours
import Geodesy

/// What decides whether a place is admitted at a moment.
struct AdmissionTerms: Hashable {
  let showsUnknown: Bool
  /// How long it must be open, in seconds, at least 1.
  let duration: Int64
}

/// Whether a place is admitted at a moment, and until when that holds.
struct Admission {
  /// Stands for never, in place of a second.
  static let never = Int64.max

  /// The instant of a second; nil for never.
  static func instant(of second: Int64) -> Instant? {
    second == never ? nil : Instant(seconds: second)
  }

  let isAdmitted: Bool
  /// The first later instant with the other answer, or `never`.
  let until: Int64
}

extension HoursEntry {
  /// The state of the place at an instant, and its next change.
  func state(at second: Int64) -> (state: OpenState, until: Int64) {
    guard let hours else { return (.unknown, Admission.never) }
    let instant = Instant(seconds: second)
    return (
      hours.state(at: instant, setting: setting),
      hours.nextChange(after: instant, setting: setting)?.seconds ?? Admission.never
    )
  }

  /// Whether the place is admitted at an instant.
  func admission(at instant: Int64, _ terms: AdmissionTerms) -> Admission {
    guard let hours else {
      return Admission(isAdmitted: terms.showsUnknown, until: Admission.never)
    }
    let change: HoursChange = terms.showsUnknown ? .closedOrNot : .openOrNot
    func nextChange(_ second: Int64) -> Int64 {
      hours.nextChange(after: Instant(seconds: second), of: change, setting: setting)?.seconds
        ?? Admission.never
    }
    let state = hours.state(at: Instant(seconds: instant), setting: setting)
    let isOpen = terms.showsUnknown ? state != .closed : state == .open
    let next = nextChange(instant)
    guard terms.duration > 1 else { return Admission(isAdmitted: isOpen, until: next) }
    func lasts(_ start: Int64, _ end: Int64) -> Bool {
      end == Admission.never || end - start >= terms.duration
    }
    if isOpen, lasts(instant, next) {
      // The last moment at which enough time is left is not a change yet.
      return Admission(
        isAdmitted: true, until: next == Admission.never ? next : next - terms.duration + 1)
    }
    var opening = isOpen ? nextChange(next) : next
    for _ in 0..<Self.mostOpenings where opening != Admission.never {
      let end = nextChange(opening)
      if lasts(opening, end) { return Admission(isAdmitted: false, until: opening) }
      opening = end == Admission.never ? end : nextChange(end)
    }
    return Admission(isAdmitted: false, until: Admission.never)
  }

  /// How many openings that are too short are tried before giving up: two years of one a day.
  private static var mostOpenings: Int { 750 }
}

/// What is known of each entry of a book, found on demand, valid until the place's hours change.
///
/// Used by one query at a time.
final class AdmissionTable: @unchecked Sendable {
  let terms: AdmissionTerms
  private var known: [Known] = []

  private struct Known {
    /// The range of instants for which the admission is known; empty where it is not known.
    var start = Admission.never, end = Admission.never
    var isAdmitted = false
    /// The same for the state.
    var stateStart = Admission.never, stateEnd = Admission.never
    var state = OpenState.unknown
  }

  init(_ terms: AdmissionTerms) { self.terms = terms }

  /// Whether an entry is admitted at an instant.
  @inline(__always)
  func admission(
    _ number: Int, at instant: Int64, in entries: [HoursEntry]
  ) -> Admission {
    if number < known.count, known[number].start <= instant, instant < known[number].end {
      return Admission(isAdmitted: known[number].isAdmitted, until: known[number].end)
    }
    return find(number, at: instant, in: entries)
  }

  @inline(never)
  private func find(
    _ number: Int, at instant: Int64, in entries: [HoursEntry]
  ) -> Admission {
    let admission = entries[number].admission(at: instant, terms)
    makeRoom(for: number)
    known[number].start = instant
    known[number].end = admission.until
    known[number].isAdmitted = admission.isAdmitted
    return admission
  }

  /// The state of an entry at an instant, and its next change.
  func state(
    _ number: Int, at instant: Int64, in entries: [HoursEntry]
  ) -> (state: OpenState, until: Int64) {
    if number < known.count, known[number].stateStart <= instant, instant < known[number].stateEnd {
      return (known[number].state, known[number].stateEnd)
    }
    let found = entries[number].state(at: instant)
    makeRoom(for: number)
    known[number].stateStart = instant
    known[number].stateEnd = found.until
    known[number].state = found.state
    return found
  }

  /// The first later instant at which an admitted entry changes its state or is no longer admitted.
  @inline(__always)
  func change(_ number: Int, at instant: Int64, in entries: [HoursEntry]) -> Int64 {
    min(
      admission(number, at: instant, in: entries).until,
      state(number, at: instant, in: entries).until)
  }

  /// The status to report for an entry at an instant.
  func status(
    _ number: Int, at second: Int64, in entries: [HoursEntry]
  ) -> OpenStatus {
    let (state, until) = state(number, at: second, in: entries)
    let instant = Instant(seconds: second)
    var status = OpenStatus(
      instant: instant, state: state, nextChange: Admission.instant(of: until))
    let entry = entries[number]
    if entry.hasRemarks {
      status.comment = entry.hours?.answer(at: instant, setting: entry.setting).comment
      status.business = entry.business.status(at: instant, setting: entry.setting)
    }
    let admission = admission(number, at: second, in: entries)
    // A place with unknown hours is admitted, and does not open.
    if !admission.isAdmitted, let next = Admission.instant(of: admission.until),
      entry.hours?.state(at: next, setting: entry.setting) == .open
    {
      status.opens = next
    }
    return status
  }

  private func makeRoom(for number: Int) {
    while known.count <= number { known.append(Known()) }
  }
}
