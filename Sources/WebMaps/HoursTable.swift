import GeoJSONCoding

/// When places are open, worked out before, for a page that does not know the rules.
public struct HoursTable: Sendable {
  /// A state of a place.
  public enum State: Int, Sendable {
    case closed = 0
    case open = 1
    case unknown = 2
  }

  /// One course of states, shared by all places with the same hours.
  public struct Course: Sendable {
    /// The state at the beginning of the table.
    public var first: State
    /// What follows, ascending: from this minute since 1970 UTC on, that state.
    public var changes: [(minute: Int, state: State)]

    /// Makes a course.
    public init(first: State, changes: [(minute: Int, state: State)]) {
      self.first = first
      self.changes = changes
    }
  }

  /// The minutes since 1970 UTC that the courses cover; outside them the page says *unknown*.
  public var minutes: Range<Int>
  /// The courses.
  public var courses: [Course]
  /// Of each feature, in the collection's order, which course it takes; -1 where it has no hours.
  public var courseOfFeature: [Int]

  /// Makes a table.
  ///
  /// - Precondition: Each of `courseOfFeature` is -1 or an index of `courses`.
  public init(minutes: Range<Int>, courses: [Course], courseOfFeature: [Int]) {
    precondition(
      courseOfFeature.allSatisfy { $0 == -1 || courses.indices.contains($0) },
      "a feature takes a course that the table does not have")
    self.minutes = minutes
    self.courses = courses
    self.courseOfFeature = courseOfFeature
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("from", .integer(minutes.lowerBound))
    json.member("until", .integer(minutes.upperBound))
    json.name("rules")
    json.beginArray()
    for course in courses {
      json.beginArray()
      json.number(course.first.rawValue)
      for change in course.changes {
        json.number(change.minute)
        json.number(change.state.rawValue)
      }
      json.endArray()
    }
    json.endArray()
    json.name("places")
    json.beginArray()
    for course in courseOfFeature { json.number(course) }
    json.endArray()
    json.endObject()
  }
}
