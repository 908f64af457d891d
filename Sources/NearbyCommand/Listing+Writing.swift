#if CommandLine
  import Geodesy
  import TextMaps

  extension Listing {
    /// Writes the listing in the format, to the place and with the map that were asked for.
    func write(_ output: OutputOptions) throws {
      var listing = self
      listing.fields = output.fieldNames
      let bytes: [UInt8]
      switch try output.format(default: .table) {
      case .table:
        if rows.isEmpty, !output.quiet { Console.remark("no annotations match") }
        let picture =
          output.noMap || rows.isEmpty
          ? nil
          : try MapPicture(
            for: self, options: output.map, onTerminal: output.isOnTerminal, isNumbered: true)
        let text = try listing.table(
          width: Console.width(onTerminal: output.isOnTerminal), style: try output.map.mapStyle(),
          color: try output.map.terminalColor(onTerminal: output.isOnTerminal),
          picture: picture)
        bytes = rows.isEmpty ? [] : Array(text.utf8)
      case .json: bytes = listing.json()
      case .jsonl: bytes = listing.jsonLines()
      case .csv: bytes = listing.csv()
      case .geojson: bytes = listing.geoJSON(.featureCollection)
      case .geojsonseq: bytes = listing.geoJSON(.sequence(recordSeparators: false))
      case .ids: bytes = listing.ids()
      }
      try output.write(bytes)
    }
  }

  extension MapPicture {
    /// The map of a listing: its pins carry the numbers of the list beside it, if there is one.
    init(for listing: Listing, options: MapOptions, onTerminal: Bool, isNumbered: Bool)
      throws(CommandError)
    {
      self.init(
        origin: listing.query.origin,
        radius: listing.query.ring.outer < .infinity ? listing.query.ring.outer : nil,
        viewport: listing.viewport, isNumbered: isNumbered,
        size: try options.mapSize(onTerminal: onTerminal), style: try options.mapStyle(),
        color: try options.terminalColor(onTerminal: onTerminal),
        basemap: options.basemap.map(FileName.init(argument:)))
    }
  }
#endif
