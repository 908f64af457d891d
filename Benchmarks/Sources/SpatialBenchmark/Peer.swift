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

  /// Builds an index from the points and categories, completely.
  ///
  /// - Returns: nil where it cannot be built with so many threads.
  func build(_ data: DataSet, threads: Int) async throws -> any Peer
}

extension PeerKind {
  var buildThreads: [Int] { [1] }
}

/// An index that answers.
protocol Peer: AnyObject {
  /// How it answers an operation; nil where it does not.
  func answering(_ operation: Operation) -> Answering?
}

/// A way to answer questions.
///
/// Ids go into the caller's array, which has room for all points, and
/// copying them there is part of the time.
enum Answering {
  /// One question a call; returns how many ids there are.
  case each((_ query: Int, _ ids: UnsafeMutablePointer<UInt32>) -> Int)
  /// The first questions in one call; returns how many ids each has, one answer after the other.
  case all((_ queries: Int, _ ids: UnsafeMutablePointer<UInt32>) async -> Int)
}
