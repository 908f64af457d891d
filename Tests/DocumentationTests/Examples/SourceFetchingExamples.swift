import AnnotationImport
import NearbyKit
import SourceFetching

#if Store
  /// The example of `SourceFetching.md`.
  private func fetching(
    _ surroundings: FetchSurroundings, _ validators: ContentValidators
  ) async throws {
    let fetcher = SourceFetcher(surroundings: surroundings)
    let source = try SourceAddress("https://example.org/deals.json")
    switch try await fetcher.fetch(source, unless: validators) {
    case .unchanged: print("nothing new")
    case .content(let content):
      let deals = try AnnotationImporter().read(try content.file.bytes(), named: content.address)
      print(deals.report.placed, content.validators.entityTag ?? content.digest)
    }
  }
#endif

/// The example of `Geocoding.md`.
private func geocoding(
  _ items: [UnplacedItem], _ geocoder: some Geocoder, _ clock: GeocodingClock,
  _ place: (AnnotationID, Coordinate) -> Void
) async throws {
  var journal = MemoryJournal()
  var random = SystemRandomNumberGenerator()
  let run = GeocodingRun(asking: geocoder, policy: GeocodingPolicy(), clock: clock)
  let outcome = try await run.run(items, journal: &journal, using: &random) { event in
    if case .settled(let item, .placed(let coordinate, _, _)) = event { place(item.id, coordinate) }
  }
  if case .stopped(let reason) = outcome.end {
    print("\(outcome.queue.counts.pending) left: \(reason)")
  }
}
