/// An engine that can be built over a data set.
protocol PeerKind {
  /// Its name in rows and tables.
  var name: String { get }
  var version: String { get }
  /// The settings it runs with, in words.
  var settings: String { get }
  /// What it means by near.
  var measure: Measure { get }
  /// With how many threads it can build.
  var buildThreads: [Int] { get }

  /// Whether another process does the work, whose processor time nobody sees here.
  var isServer: Bool { get }

  /// Makes sure that whatever does the work can be reached, before anything is built.
  func reach() throws

  /// Builds an index from the points and categories, completely.
  ///
  /// - Parameter threads: One of `buildThreads`.
  func build(_ data: DataSet, threads: Int) async throws -> any Peer
}

extension PeerKind {
  var buildThreads: [Int] { [1] }
  var isServer: Bool { false }
  func reach() {}
}

/// An index that answers.
protocol Peer: AnyObject {
  /// How it answers an operation; nil where it does not.
  func answering(_ operation: Operation) -> Answering?
  /// The memory it says it uses; nil where the resident set of this process tells.
  var ownBytes: Int? { get }
}

extension Peer {
  var ownBytes: Int? { nil }
}

/// A way to answer questions.
///
/// Ids go into the caller's array, which has room for all points, and
/// copying them there is part of the time.
enum Answering {
  /// One question a call; returns how many ids there are.
  case each((_ query: Int, _ ids: UnsafeMutablePointer<UInt32>) -> Int)
  /// One question a call; the ids are in memory that the caller lent when it began, and stay there
  /// until the next question.
  case lent((_ query: Int) -> UnsafeBufferPointer<UInt32>)
  /// The first questions in one call; returns how many ids each has, one answer after the other.
  case all((_ queries: Int, _ ids: UnsafeMutablePointer<UInt32>) async -> Int)
}
