#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Where distances are measured from.
  struct OriginOptions: ParsableArguments {
    @Option(
      name: .customLong("lat"),
      help: ArgumentHelp(
        "Latitude in degrees, north positive. Or, without --lat, a position as you copied it: 37.57,126.97.",
        valueName: "deg"))
    var latitude: String?

    @Option(
      name: .customLong("lon"),
      help: ArgumentHelp("Longitude in degrees, east positive.", valueName: "deg"))
    var longitude: String?

    /// The position to measure from; nil when none was given.
    ///
    /// - Parameter input: Its operands may hold the position, which is taken out of them.
    func origin(_ input: inout InputOptions) throws(ReportedError) -> Coordinate? {
      let operand = try PositionOperand.take(from: &input.sources)
      guard let origin = try Self.position(latitude, longitude) ?? operand else { return nil }
      if let operand, latitude != nil {
        throw ReportedError(
          "position-twice",
          "the operand \(operand) is a position, and --lat and --lon are given too; give only one",
          fault: .usage)
      }
      try input.reading.check(origin: origin)
      return origin
    }

    /// What --lat and --lon say; nil where neither is given.
    static func position(
      _ latitude: String?, _ longitude: String?
    ) throws(ReportedError) -> Coordinate? {
      switch (latitude, longitude) {
      case (nil, nil): return nil
      case (let latitude?, let longitude?):
        return try parsePosition(latitude: latitude, longitude: longitude)
      default:
        let (given, other, axis) =
          latitude == nil ? ("--lon", "--lat", "latitude") : ("--lat", "--lon", "longitude")
        let text = (latitude ?? longitude ?? "").asTyped
        let isWhole = (try? Coordinate(parsing: text)) != nil
        let why = isWhole ? "has a \(axis), which \(other) takes" : "is given but \(other) is not"
        throw ReportedError("missing-position", "\(given) \(why); give both", fault: .usage)
      }
    }
  }

  /// A position among the operands, as people copy it: `37.57,126.97`, or `37°34'12"N 126°58'12"E` in one word
  /// or two.
  enum PositionOperand {
    /// Takes the position out of some operands; nil where none is one.
    ///
    /// An operand that names a file is that file, whatever it is called.
    ///
    /// - Throws: For two positions, for one that is not on the Earth, and for what was meant for one and is none:
    ///   a link to a map, or a text with a comma or a mark for degrees and nothing but what positions are made of.
    static func take(from operands: inout [String]) throws(ReportedError) -> Coordinate? {
      var found: (position: Coordinate, text: String)?
      var sources: [String] = []
      var rest = operands[...]
      while let word = rest.popFirst() {
        var text = word.asTyped
        // `37,57 126,97`: each is read as a position, though the second is on no map.
        let pair = [found?.text ?? "", text].map { $0.replacing(",", with: ".") }
        let areDecimal = text.contains(",") && pair.allSatisfy { finiteNumber($0) != nil }
        var position = try areDecimal && !isFile(word) ? found?.position : position(text, word)
        if position == nil, !text.isEmpty, let next = rest.first, !next.isEmpty {
          let both = "\(text) \(next.asTyped)"
          position = try self.position(both, word, next)
          if position != nil {
            rest.removeFirst()
            text = both
          }
        }
        guard let position else {
          try refuseMistaken(text, word)
          sources.append(word)
          continue
        }
        if let found {
          throw ReportedError(
            "position-twice",
            "\(found.text) and \(text) are both positions; give only one"
              + (areDecimal ? ", with decimal points: \(pair[0]),\(pair[1])" : ""), fault: .usage)
        }
        found = (position, text)
      }
      operands = sources
      return found?.position
    }

    /// The position that a text says; nil where it says none, or one of its words names a file.
    private static func position(
      _ text: String, _ words: String...
    ) throws(ReportedError) -> Coordinate? {
      if words.contains(where: isFile) { return nil }
      do throws(CoordinateError) {
        return try Coordinate(parsing: text)
      } catch .notAPosition {
        return nil
      } catch {
        throw ReportedError(error, fault: .usage)
      }
    }

    private static func isFile(_ word: String) -> Bool { Files.exists(FileName(argument: word)) }

    /// Says what is wrong with a text that nobody would call a file, where there is none of that name.
    private static func refuseMistaken(_ text: String, _ word: String) throws(ReportedError) {
      let scalars = text.unicodeScalars
      let resembles =
        MapLink(text)?.isToMap == true
        && (text.contains("://") || InputFormat(nameEndingIn: text) == nil)
        || scalars.count(where: { "0"..."9" ~= $0 }) >= 2
          && scalars.contains(where: { ",°º˚".unicodeScalars.contains($0) })
          && scalars.allSatisfy({
            "0123456789 .,;:+-−°º˚'′’\"″”NSEWnsew".unicodeScalars.contains($0)
          })
      guard resembles, !isFile(word) else { return }
      throw ReportedError(CoordinateError.notAPosition(text), fault: .usage)
    }
  }

  /// Whether a position to ask from can be meant.
  struct OriginCheck {
    var allowsNullIsland = false
    var region: Region?

    /// Refuses the position of devices without a fix, and remarks on one outside the region.
    func check(_ origin: Coordinate) throws(ReportedError) {
      let place = OriginCheck.text(origin)
      if origin.isNullIsland {
        let sentence = "\(place) is what devices send when they have no fix"
        guard allowsNullIsland else {
          throw ReportedError(
            "null-island", sentence + "; if you mean it, say --allow-null-island", fault: .usage)
        }
        Console.remark("warning: null-island: \(sentence)")
      }
      guard let region, !region.contains(origin) else { return }
      Console.remark(
        """
        warning: outside-region: \(place) is \(roughLength(region.distance(to: origin))) \
        outside \(region.name)
        """)
    }

    /// Says that latitude and longitude may be exchanged, where the position is legal but far from everything,
    /// and with the two exchanged would lie among the data.
    ///
    /// - Parameter nearest: The distance of the nearest result, which asks nothing more where it is near; nil
    ///   where there is none.
    /// - Complexity: O(1) where something is near; otherwise O(*n*).
    static func remarkOnExchange(
      _ origin: Coordinate, in index: AnnotationIndex<ImportedAnnotations>, nearest: Distance?
    ) {
      if let nearest, nearest < far { return }
      guard
        let exchanged = try? Coordinate(latitude: origin.longitude, longitude: origin.latitude),
        exchanged != origin, let distance = index.nearest(1, to: origin).first?.distance,
        distance >= far,
        let extent = BoundingBox(around: index.annotations.lazy.compactMap(\.coordinate)),
        extent.contains(exchanged), !extent.contains(origin)
      else { return }
      Console.remark(
        """
        warning: lat-lon-swapped: nothing lies within \(roughLength(distance)) of \
        \(OriginCheck.text(origin)), but --lat \(plainDecimal(exchanged.latitude)) \
        --lon \(plainDecimal(exchanged.longitude)) is among the data
        """)
    }

    private static func text(_ position: Coordinate) -> String {
      "\(plainDecimal(position.latitude)),\(plainDecimal(position.longitude))"
    }

    /// What is nearer than this is no sign of a slip.
    private static let far = Distance.kilometers(300)
  }
#endif
