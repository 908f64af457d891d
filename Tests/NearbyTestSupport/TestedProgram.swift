import Foundation

/// The `nearby` that tests run as a person runs it.
public enum TestedProgram {
  /// The one that was built with the tests, beside them.
  public static let builtWithTests: URL = {
    // A bundle of its own on Apple platforms; elsewhere the tests are a program themselves.
    let tests =
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      ?? URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    return tests.deletingLastPathComponent().appending(path: "nearby")
  }()

  /// What `NEARBY_PROGRAM` names, or the one that was built with the tests.
  ///
  /// Built for debugging, the program takes some 0.1 s to start, in which its parser looks at all that
  /// its commands declare; so `.ci/run` names the one that it has built for release.
  public static let url: URL =
    ProcessInfo.processInfo.environment["NEARBY_PROGRAM"].map { URL(filePath: $0) }
    ?? builtWithTests

  /// What it is started in beside the caller's own: nothing of the machine's but how a sanitizer that it was
  /// built with behaves.
  public static let environment: [String: String] =
    ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    .merging(["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]) { $1 }

  /// Whether the program's memory may be measured and limited: a sanitizer, which `.ci/night` names, needs
  /// many times as much for itself, and does not start in a limited space.
  public static let memoryIsItsOwn =
    ProcessInfo.processInfo.environment["NEARBY_SANITIZER"] == nil
}
