#if Store
  import Geodesy
  import MapAnnotations
  import Synchronization
  import NearbyTestSupport

  @testable import SourceFetching

  /// Time that passes only when someone sleeps, and what was slept and remarked on.
  final class VirtualTime: Sendable {
    private struct Contents {
      var now = Instant(seconds: 1_800_000_000)
      var sleeps: [Duration] = []
      var retries: [String] = []
      var generator: SeededGenerator
    }
    private let contents: Mutex<Contents>

    init(seed: UInt64 = 1) { contents = Mutex(Contents(generator: SeededGenerator(seed: seed))) }

    var sleeps: [Duration] { contents.withLock { $0.sleeps } }
    var retries: [String] { contents.withLock { $0.retries } }

    var surroundings: FetchSurroundings {
      FetchSurroundings(
        now: { self.contents.withLock { $0.now } },
        sleep: { length in
          self.contents.withLock {
            $0.now = $0.now.advanced(by: length)
            $0.sleeps.append(length)
          }
        },
        random: { self.contents.withLock { $0.generator.next() } },
        willRetry: { error, _ in self.contents.withLock { $0.retries.append(error.code) } })
    }
  }

  extension SourceFetcher {
    /// A fetcher whose waits take no time.
    static func patient(
      _ time: VirtualTime = VirtualTime(), through transport: any HTTPTransport = CurlTransport(),
      _ change: (inout FetchOptions) -> Void = { _ in }
    ) -> SourceFetcher {
      var options = FetchOptions()
      change(&options)
      return SourceFetcher(
        options: options, surroundings: time.surroundings, transport: transport)
    }

    /// The content behind a web address.
    func content(
      _ address: String, unless validators: ContentValidators = ContentValidators()
    ) async throws -> FetchedContent? {
      let outcome = try await fetch(SourceAddress(address), unless: validators)
      if case .content(let content) = outcome { return content }
      return nil
    }

    /// The error of a fetch that fails.
    func failure(_ address: String) async -> FetchError? {
      do throws(FetchError) {
        _ = try await fetch(SourceAddress(address))
        return nil
      } catch {
        return error
      }
    }
  }

  /// Gzip made by the system's program, which is not what unpacks it here.
  enum Gzip {
    static func pack(_ bytes: [UInt8]) throws -> [UInt8] {
      try SystemProgram.run(at: "/bin/gzip", ["-9", "-c"], input: bytes).output
    }
  }
#endif
