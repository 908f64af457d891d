#if Store
  import Synchronization

  @testable import SourceFetching

  /// Answers requests from a list, and remembers them.
  final class ScriptedTransport: HTTPTransport {
    private struct Contents {
      var answers: [(HTTPHead, [UInt8])]
      var requests: [HTTPRequest] = []
    }
    private let contents: Mutex<Contents>

    init(_ answers: [(HTTPHead, [UInt8])]) { contents = Mutex(Contents(answers: answers)) }

    var requests: [HTTPRequest] { contents.withLock { $0.requests } }

    func send(
      _ request: HTTPRequest, to receiver: ContentReceiver
    ) async throws(FetchError) {
      let answer = contents.withLock { contents -> (HTTPHead, [UInt8])? in
        contents.requests.append(request)
        return contents.answers.isEmpty ? nil : contents.answers.removeFirst()
      }
      guard let (head, body) = answer else {
        throw FetchError("\(request.address)", .other("the script has ended"))
      }
      guard receiver.receive(head), !body.isEmpty else { return }
      _ = body.withUnsafeBytes { receiver.receive($0) }
    }
  }
#endif
