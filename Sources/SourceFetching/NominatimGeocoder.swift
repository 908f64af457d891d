#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// A geocoder for services with Nominatim's search API, at an address from the user.
  ///
  /// The API: https://nominatim.org/release-docs/latest/api/Search/. Each call asks one question,
  /// and the first hit counts; the queue controls the rate.
  public struct NominatimGeocoder: Geocoder {
    /// The service's address; `/search` is appended unless it ends in that.
    public let service: WebAddress
    /// Countries to search in, as ISO 3166-1 codes in lower case; all when empty.
    public let countries: [String]
    /// The languages of the answers, in `Accept-Language` form; nil for the service's default.
    public let language: String?

    private let fetcher: SourceFetcher

    /// Makes a client of one service.
    ///
    /// - Parameters:
    ///   - service: The address of the service, with or without `/search`.
    ///   - countries: Countries to search in, as ISO 3166-1 codes; all when empty.
    ///   - language: The languages of the answers, in `Accept-Language` form; nil for the service's default.
    ///   - fetcher: Makes the requests. Its number of attempts is not used: the queue retries, and counts.
    public init(
      service: WebAddress, countries: [String] = [], language: String? = nil, fetcher: SourceFetcher
    ) {
      let ending = service.path.hasSuffix("/search") || service.path.hasSuffix("/search/")
      self.service = ending ? service : service.adding(path: "search")
      self.countries = countries.map { $0.lowercased() }
      self.language = language
      var fetcher = fetcher
      fetcher.options.attempts = 1
      fetcher.options.byteLimit = 1 << 20
      if let language { fetcher.options.headers.append(("Accept-Language", language)) }
      self.fetcher = fetcher
    }

    /// The service without secrets, and the countries and language, which affect the answers.
    public var identity: String {
      "\(service)" + (countries.isEmpty ? "" : " countries=\(countries.joined(separator: ","))")
        + (language.map { " language=\($0)" } ?? "")
    }

    /// Asks one question once.
    public func locate(_ question: String) async -> GeocodingAnswer {
      var query = [("q", question), ("format", "jsonv2"), ("limit", "1")]
      if !countries.isEmpty { query.append(("countrycodes", countries.joined(separator: ","))) }
      do throws(FetchError) {
        let outcome = try await fetcher.fetch(
          .web(service.adding(query: query.map { (name: $0.0, value: $0.1) })))
        guard case .content(let content) = outcome else {
          // Impossible without validators.
          return .unavailable(reason: "it answered without content", after: nil)
        }
        return NominatimGeocoder.answer(try content.file.bytes())
      } catch {
        return NominatimGeocoder.answer(error)
      }
    }

    /// Reads the answer: an array of hits, of which the first counts.
    static func answer(_ bytes: [UInt8]) -> GeocodingAnswer {
      // Anything else may be a proxy's page, which may be gone next time.
      guard let value = try? PropertyValue(json: bytes), case .array(let hits) = value else {
        let start = String(decoding: bytes.prefix(40), as: UTF8.self)
        return .unavailable(reason: "its answer is not a JSON array but \"\(start)\"", after: nil)
      }
      guard let first = hits.first else { return .notFound }
      guard case .object(let hit) = first, let latitude = hit["lat"]?.number,
        let longitude = hit["lon"]?.number,
        let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
      else { return .refused(reason: "its hit has no position on the Earth") }
      return .found(coordinate, label: hit["display_name"]?.text)
    }

    /// Converts a fetch error to an answer about the question or the service.
    static func answer(_ error: FetchError) -> GeocodingAnswer {
      switch error.reason {
      case .status(let status, let after):
        // These statuses concern the question; any other may pass, or concerns all questions, like
        // 404 for a wrong address.
        [400, 413, 414, 422].contains(status)
          ? .refused(reason: "the geocoder answers \(status)")
          : .unavailable(reason: "the geocoder answers \(status)", after: after)
      default: .unavailable(reason: error.description, after: nil)
      }
    }
  }
#endif
