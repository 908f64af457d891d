#if CommandLine
  import Geodesy
  import TextMaps

  extension Listing {
    /// Writes the listing in the format, to the place and with the map that were asked for.
    func write(_ output: OutputOptions) throws {
      var listing = self
      listing.fields = output.fieldNames
      try listing.checkFields()
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
        try output.write(rows.isEmpty ? [] : Array(text.utf8))
      case .json: try output.write(listing.json())
      case .jsonl: try output.write(listing.writeJSONLines)
      case .csv: try output.write(listing.writeCSV)
      case .geojson:
        try output.write { (sink) throws(CommandError) in
          try listing.writeGeoJSON(.featureCollection, to: sink)
        }
      case .geojsonseq:
        try output.write { (sink) throws(CommandError) in
          try listing.writeGeoJSON(.sequence(recordSeparators: false), to: sink)
        }
      case .ids: try output.write(listing.writeIDs)
      }
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
