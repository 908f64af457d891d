import GeoJSONCoding

/// When places are open, worked out before, for a page that does not know the rules.
///
///     let monday = HoursTable.Course(first: .closed, changes: [.init(at: 29_654_460, .open)])
///
/// Instants are whole minutes since 1970-01-01T00:00Z. In the page they stand as the minutes since the
/// change before, which are a third as long.
public struct HoursTable: Hashable, Sendable {
  /// A state of a place.
  public enum State: Int, Hashable, Sendable {
    case closed = 0
    case open = 1
    case unknown = 2
    /// Closed for good.
    case closedDown = 3
    /// Out of business for a time.
    case suspended = 4
  }

  /// A value that holds from a minute on.
  public struct Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The first minute at which it holds.
    public var minute: Int
    /// What holds.
    public var value: Value

    /// Makes a change.
    public init(at minute: Int, _ value: Value) {
      self.minute = minute
      self.value = value
    }
  }

  /// One course of states, shared by all places with the same hours.
  public struct Course: Hashable, Sendable {
    /// The state at the beginning of the table.
    public var first: State
    /// What follows, ascending.
    public var changes: [Change<State>]
    /// Which of the table's clocks its times follow.
    public var clock: Int

    /// Makes a course.
    public init(first: State, changes: [Change<State>], clock: Int = 0) {
      self.first = first
      self.changes = changes
      self.clock = clock
    }
  }

  /// How a place's clock runs, so that the page tells its time without knowing zones.
  public struct Clock: Hashable, Sendable {
    /// How many minutes it is ahead of UTC at the beginning of the table.
    public var first: Int
    /// What follows where it is put forward or back, ascending.
    public var changes: [Change<Int>]

    /// Makes a clock.
    public init(first: Int, changes: [Change<Int>] = []) {
      self.first = first
      self.changes = changes
    }
  }

  /// Under what name a tile has the course of a point.
  ///
  /// It is for the page, which does not show it; the script there knows it as `courseName`. A column of the source
  /// that is called so gives way to it.
  package static let tileProperty = "nearby:hours"

  /// The minutes that the courses cover; outside them the page says *unknown*.
  public var minutes: Range<Int>
  /// The clocks that courses refer to.
  public var clocks: [Clock]
  /// The courses.
  public var courses: [Course]
  /// Of each feature, in the collection's order, which course it takes; -1 where it has no hours.
  public var courseOfFeature: [Int]

  /// Makes a table.
  ///
  /// - Precondition: Each of `courseOfFeature` is -1 or an index of `courses`, each `clock` one of
  ///   `clocks`, and changes lie in `minutes` and ascend.
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
    json.name("clocks")
    json.beginArray()
    for clock in clocks {
      json.beginArray()
      write(clock.first, clock.changes.map { ($0.minute, $0.value) }, to: &json)
      json.endArray()
    }
    json.endArray()
    json.name("rules")
    json.beginArray()
    for course in courses {
      json.beginArray()
      json.number(course.clock)
      write(course.first.rawValue, course.changes.map { ($0.minute, $0.value.rawValue) }, to: &json)
      json.endArray()
    }
    json.endArray()
    json.name("places")
    json.beginArray()
    for course in courseOfFeature { json.number(course) }
    json.endArray()
    json.endObject()
  }

  /// The first value, and then minutes since the change before and values in turn.
  private func write(_ first: Int, _ changes: [(Int, Int)], to json: inout JSONWriter) {
    json.number(first)
    var last = minutes.lowerBound
    for (minute, value) in changes {
      json.number(minute - last)
      json.number(value)
      last = minute
    }
  }
}
