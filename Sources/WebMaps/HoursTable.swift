import GeoJSONCoding

/// When places are open, computed in advance for a page that does not know the rules.
///
///     let monday = HoursTable.Course(first: .closed, changes: [.init(at: 29_654_460, .open)])
///
/// Instants are whole minutes since 1970-01-01T00:00Z. The page stores minutes since the previous
/// change, which take a third of the space.
public struct HoursTable: Hashable, Sendable {
  /// A state of a place.
  public enum State: Int, Hashable, Sendable {
    case closed = 0
    case open = 1
    case unknown = 2
    /// Closed permanently.
    case closedDown = 3
    /// Closed temporarily.
    case suspended = 4
  }

  /// A value that applies from a minute on.
  public struct Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The first minute at which the value applies.
    public var minute: Int
    /// The new value.
    public var value: Value

    /// Makes a change.
    public init(at minute: Int, _ value: Value) {
      self.minute = minute
      self.value = value
    }
  }

  /// A sequence of states, shared by all places with the same hours.
  public struct Course: Hashable, Sendable {
    /// The state at the start of the table.
    public var first: State
    /// The later states, in ascending order of time.
    public var changes: [Change<State>]
    /// The index of the clock in the table's `clocks`.
    public var clock: Int

    /// Makes a course.
    public init(first: State, changes: [Change<State>], clock: Int = 0) {
      self.first = first
      self.changes = changes
      self.clock = clock
    }
  }

  /// The UTC offsets of a place, so that the page shows local time without a time zone database.
  public struct Clock: Hashable, Sendable {
    /// The UTC offset in minutes at the start of the table.
    public var first: Int
    /// The later offsets, in ascending order of time.
    public var changes: [Change<Int>]

    /// Makes a clock.
    public init(first: Int, changes: [Change<Int>] = []) {
      self.first = first
      self.changes = changes
    }
  }

  /// The property of a tile's point that holds the index of its course.
  ///
  /// It is for the page, which does not display it; the script calls it `courseName`. It replaces a
  /// source column of the same name.
  package static let tileProperty = "nearby:hours"

  /// The minutes that the courses cover; outside them the page says *unknown*.
  public var minutes: Range<Int>
  /// The clocks that courses refer to.
  public var clocks: [Clock]
  /// The courses.
  public var courses: [Course]
  /// The index of the course of each feature, in the collection's order; -1 for a feature without hours.
  public var courseOfFeature: [Int]

  /// Makes a table.
  ///
  /// - Precondition: Each of `courseOfFeature` is -1 or an index of `courses`, each `clock` an
  ///   index of `clocks`, and changes ascend and lie in `minutes`.
  public init(minutes: Range<Int>, clocks: [Clock], courses: [Course], courseOfFeature: [Int]) {
    precondition(
      courseOfFeature.allSatisfy { $0 == -1 || courses.indices.contains($0) },
      "a feature takes a course that the table does not have")
    precondition(
      courses.allSatisfy { clocks.indices.contains($0.clock) },
      "a course goes by a clock that the table does not have")
    func ascend(_ changes: [Int]) -> Bool {
      zip([minutes.lowerBound - 1] + changes, changes).allSatisfy { $0 < $1 }
        && (changes.last ?? minutes.lowerBound) < max(minutes.upperBound, minutes.lowerBound + 1)
    }
    precondition(
      courses.allSatisfy { ascend($0.changes.map(\.minute)) }
        && clocks.allSatisfy { ascend($0.changes.map(\.minute)) },
      "changes that do not ascend within \(minutes)")
    self.minutes = minutes
    self.clocks = clocks
    self.courses = courses
    self.courseOfFeature = courseOfFeature
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("from", .integer(minutes.lowerBound))
    json.member("until", .integer(minutes.upperBound))
    json.member("clocks", each: clocks) { json, clock in
      let changes = clock.changes.map { ($0.minute, $0.value) }
      json.array(numbers(clock.first, changes)) { $0.number($1) }
    }
    json.member("rules", each: courses) { json, course in
      let changes = course.changes.map { ($0.minute, $0.value.rawValue) }
      json.array([course.clock] + numbers(course.first.rawValue, changes)) { $0.number($1) }
    }
    json.member("places", each: courseOfFeature) { $0.number($1) }
    json.endObject()
  }

  /// The first value, and then alternately the minutes since the previous change and the new value.
  private func numbers(_ first: Int, _ changes: [(Int, Int)]) -> [Int] {
    var numbers = [first]
    var last = minutes.lowerBound
    for (minute, value) in changes {
      numbers += [minute - last, value]
      last = minute
    }
    return numbers
  }
}
