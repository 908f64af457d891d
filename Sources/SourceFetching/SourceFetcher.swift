#if Store
  import Geodesy
  import MapAnnotations
  import SystemCalls

  /// Fetches sources from files and the web.
  ///
  ///     let fetcher = SourceFetcher(surroundings: surroundings)
  ///     switch try await fetcher.fetch(SourceAddress("https://example.org/deals.json")) {
  ///     case .unchanged: break
  ///     case .content(let content): let bytes = try content.file.bytes()
  ///     }
  ///
  /// Content is written to an unnamed temporary file as it arrives, so memory use does not depend
  /// on its size. Only complete content is returned: a body shorter than announced, or gzip that is
  /// cut off, is an error.
  public struct SourceFetcher: Sendable {
    /// The limits of a fetch.
    public var options: FetchOptions
    /// Time, waiting, and randomness.
    public var surroundings: FetchSurroundings
    /// The transport that sends the requests.
    public var transport: any HTTPTransport

    /// Makes a fetcher; requests go through libcurl unless another transport is given.
    public init(
      options: FetchOptions = FetchOptions(), surroundings: FetchSurroundings,
      transport: any HTTPTransport = CurlTransport()
    ) {
      self.options = options
      self.surroundings = surroundings
      self.transport = transport
    }

    /// Fetches a source.
    ///
    /// A file always gives content; its digest shows whether it is new.
    ///
    /// - Parameters:
    ///   - source: A file or an address.
    ///   - validators: Those of the existing content, so that the server need not send it again.
    /// - Throws: `FetchError`, after the last attempt if a retry could have helped.
    public func fetch(
      _ source: SourceAddress, unless validators: ContentValidators = ContentValidators()
    ) async throws(FetchError) -> FetchOutcome {
      switch source {
      case .file(let path): return .content(try read(path))
      case .web(let address): return try await fetch(address, validators)
      }
    }

    // MARK: Web

    private func fetch(
      _ address: WebAddress, _ validators: ContentValidators
    ) async throws(FetchError) -> FetchOutcome {
      try checkFields()
      var attempt = 1
      while true {
        var failed: FetchError
        do throws(FetchError) {
          return try await attemptFetching(address, validators)
        } catch {
          failed = error
        }
        failed.attempts = attempt
        guard failed.isTransient, attempt < options.attempts else { throw failed }
        var random = Chance(next64: surroundings.random)
        var wait = options.backOff.wait(afterFailures: attempt, using: &random)
        if case .status(_, let after?) = failed.reason {
          guard after <= options.longestRetryAfter else { throw failed }
          wait = max(wait, after)
        }
        surroundings.willRetry(failed, wait)
        do {
          try await surroundings.sleep(wait)
        } catch {
          throw FetchError("\(address)", .cancelled)
        }
        attempt += 1
      }
    }

    /// One attempt, including redirects.
    private func attemptFetching(
      _ first: WebAddress, _ validators: ContentValidators
    ) async throws(FetchError) -> FetchOutcome {
      var address = first
      var redirects = 0
      var received = 0
      let start = surroundings.now()
      let validators = validators.believable(at: start)
      while true {
        let receiver = try ContentReceiver(options, after: received, from: "\(address)")
        let spent = start.duration(to: surroundings.now())
        let request = request(for: address, first, validators, left: options.totalTimeout - spent)
        let head = try await send(request, to: receiver)
        received += receiver.received
        switch head.status {
        case _ where head.isContent:
          return .content(try content(receiver, head, from: "\(address)"))
        case 304 where validators == ContentValidators(), 206:
          throw FetchError("\(address)", .unasked(head.status))
        case 304:
          return .unchanged(
            ContentValidators(
              entityTag: head["etag"] ?? validators.entityTag,
              lastModified: head["last-modified"] ?? validators.lastModified
            ).believable(at: surroundings.now()))
        case 301, 302, 303, 307, 308:
          redirects += 1
          let next = try target(of: head, from: address)
          guard redirects <= options.redirectLimit else {
            throw FetchError("\(first)", .tooManyRedirects(options.redirectLimit, last: "\(next)"))
          }
          address = next.hasSameOrigin(as: first) ? next.keepingUser(of: first) : next
        case 407: throw FetchError("\(address)", .proxy(status: 407))
        default:
          throw FetchError("\(address)", .status(head.status, retryAfter: retryAfter(head)))
        }
      }
    }

    /// Sends a request, and returns the head of the response, whose body its receiver has.
    private func send(
      _ request: HTTPRequest, to receiver: ContentReceiver
    ) async throws(FetchError) -> HTTPHead {
      let address = "\(request.address)"
      do throws(FetchError) {
        try await transport.send(request, to: receiver)
      } catch {
        throw receiver.failure.map { FetchError(address, $0) } ?? error
      }
      if let failure = receiver.failure { throw FetchError(address, failure) }
      guard let head = receiver.head else {
        throw FetchError(address, .cutOff(received: 0, promised: nil))
      }
      return head
    }

    private func request(
      for address: WebAddress, _ first: WebAddress, _ validators: ContentValidators, left: Duration
    ) -> HTTPRequest {
      var headers: [(name: String, value: String)] = [("Accept-Encoding", "gzip")]
      if let tag = validators.entityTag { headers.append(("If-None-Match", tag)) }
      if let moment = validators.lastModified { headers.append(("If-Modified-Since", moment)) }
      if address.hasSameOrigin(as: first) { headers += options.headers }
      return HTTPRequest(
        address: address, headers: headers, userAgent: options.userAgent,
        connectTimeout: options.connectTimeout, totalTimeout: max(left, .milliseconds(1)))
    }

    /// Refuses header fields that would become two fields, or a separate request.
    private func checkFields() throws(FetchError) {
      for field in options.headers + [("User-Agent", options.userAgent)]
      where !FetchOptions.isField(field.name, field.value) {
        // The value may be a secret; the name may be anything here.
        let name = field.name.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
        throw FetchError("the header field \(name)", .badField)
      }
    }

    /// The received content.
    ///
    /// - Parameter head: nil for a file.
    private func content(
      _ receiver: ContentReceiver, _ head: HTTPHead?, from address: String
    ) throws(FetchError) -> FetchedContent {
      guard let (file, digest) = receiver.finish() else {
        throw FetchError(address, receiver.failure ?? .other("no content"), isFile: head == nil)
      }
      // What was changed in the second in which it was sent may have changed again in that second (RFC 9110 §8.8.2.2).
      let sent = head?["date"].flatMap { HTTPDateText.moment($0) } ?? surroundings.now()
      return FetchedContent(
        file: file, digest: digest,
        validators: ContentValidators(
          entityTag: head?["etag"], lastModified: head?["last-modified"]
        ).believable(at: min(sent.advanced(by: .seconds(-1)), surroundings.now())),
        contentType: head?["content-type"].map { ContentType($0) }, address: address,
        fetched: surroundings.now())
    }

    /// The target of a redirect.
    private func target(
      of head: HTTPHead, from address: WebAddress
    ) throws(FetchError) -> WebAddress {
      guard let location = head["location"], !location.isEmpty else {
        throw FetchError("\(address)", .badRedirect("it does not say where to"))
      }
      let target: WebAddress
      do throws(FetchError) {
        target = try address.resolving(location)
      } catch {
        throw FetchError(
          "\(address)", .badRedirect("\(Credentials.hidden(in: location)) is not a web address"))
      }
      guard !address.isSecure || target.isSecure else {
        throw FetchError("\(address)", .downgrade("\(target)"))
      }
      return target
    }

    /// The wait in `Retry-After`: seconds, or a time (RFC 9110 §10.2.3); nil if it asks for none.
    private func retryAfter(_ head: HTTPHead) -> Duration? {
      guard let field = head["retry-after"] else { return nil }
      let wait: Duration? =
        wholeNumber(field).map { Duration.seconds(min($0, 1 << 31)) }
        ?? HTTPDateText.moment(field).map { surroundings.now().duration(to: $0) }
      return wait.flatMap { $0 > .zero ? $0 : nil }
    }

    // MARK: Files

    private func read(_ path: String) throws(FetchError) -> FetchedContent {
      func failed(_ reason: FetchError.Reason) -> FetchError {
        FetchError(path, reason, isFile: true)
      }
      guard let file = OpenFile(FilePath(path), O_RDONLY) else {
        let failure = SystemFailure()
        throw failed(.file(failure.message, isMissing: failure.isMissing))
      }
      let receiver = try ContentReceiver(options, from: path)
      let isRead = try OpenFile.forEachPiece(of: file.descriptor, size: 1 << 18) {
        (piece) throws(FetchError) in
        guard receiver.receive(piece) else {
          throw failed(receiver.failure ?? .other("its content was not accepted"))
        }
      }
      guard isRead else { throw failed(.file(SystemFailure().message, isMissing: false)) }
      return try content(receiver, nil, from: path)
    }
  }

  /// A random number generator from a closure.
  private struct Chance: RandomNumberGenerator {
    let next64: () -> UInt64

    func next() -> UInt64 { next64() }
  }
#endif
