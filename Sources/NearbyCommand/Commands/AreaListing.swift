#if CommandLine
  import AnnotationImport
  import Geodesy
  import NearbySearch

  /// What `bbox` and `within` do with the annotations they found: by id, or by distance from a
  /// position when one is given, and then within and beyond what was asked.
  struct AreaListing {
    let query: QueryOptions
    let input: InputOptions
    let output: OutputOptions
    let viewport: BoundingBox?

    func write(_ items: [ImportedAnnotation], countOnly: Bool) throws {
      let origin = try query.origin(input)
      let ring = try query.ring()
      if origin == nil, query.within != nil || query.beyond != nil {
        throw CommandError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          status: .usage)
      }
      let limit = try query.limit(default: .max)
      var rows = items.compactMap { Listing.Row($0, from: origin) }
      if origin != nil {
        rows = rows.filter { ring.contains($0.distance ?? .infinity) }
        // Items come by id, and a stable order keeps that among equal distances.
        rows = rows.enumerated().sorted {
          ($0.element.distance ?? .infinity, $0.offset) < (
            $1.element.distance ?? .infinity, $1.offset
          )
        }.map(\.element)
      }
      rows = Array(rows.prefix(limit))
      if countOnly {
        try output.write(Array("\(rows.count)\n".utf8))
      } else {
        try Listing(
          query: Listing.Query(
            origin: origin, limit: limit, ring: ring, kinds: query.kinds),
          rows: rows, validRadius: nil, isGrouped: false, viewport: viewport
        ).write(output)
      }
      try output.finish(isEmpty: rows.isEmpty)
    }
  }
#endif
