#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import BusinessHours
  import Geodesy
  import MapAnnotations
  import TextMaps

  extension SourceSurroundings {
    /// Remarks and progress on standard error, and the words of the command line.
    static func terminal(_ mode: ProgressReport.Mode) -> SourceSurroundings {
      var surroundings = SourceSurroundings()
      surroundings.remark = Console.remark
      surroundings.worded = { Console.worded($0) }
      surroundings.progress = { ProgressReport(mode: mode, name: $0) }
      surroundings.options = ReadingOptions.kept
      surroundings.remedy = { remedy in
        switch remedy {
        case .leaveOutLayer(let layer): "leave out --layer \(TerminalText.truncated(layer, to: 60))"
        case .leaveOutPlaces: "leave out --places"
        case .allowStale: "rebuild it with nearby index build, or say --allow-stale"
        }
      }
      return surroundings
    }
  }

  extension ReadingOptions {
    /// How an index file had its sources read; nil where its words are no options.
    ///
    /// - Parameter regionArea: What the file held that `--region` named.
    fileprivate static func kept(
      _ words: [String], _ regionArea: [UInt8]?
    ) throws(ReportedError) -> (options: ImportOptions, format: InputFormat?)? {
      guard let reading = try? ReadingOptions.parse(words) else { return nil }
      var region = try reading.regionOfValidity()
      if let regionArea, let name = reading.region {
        region = Region(
          name: name,
          polygons: try AreaFile.polygons(
            in: regionArea, of: FileName(argument: name), remark: Console.remark))
      }
      let options = try reading.importOptions(in: region)
      guard case .imported(let format)? = try reading.inputFormat.map(ReadingOptions.format) else {
        return (options, nil)
      }
      return (options, format)
    }
  }

  extension ProgressReport {
    /// One on standard error.
    convenience init(mode: Mode, name: String) {
      self.init(
        mode: mode, name: name, isOnTerminal: Console.errorIsTerminal, clock: { Console.seconds },
        write: mode == .json ? { Console.remark($0) } : { Console.overwrite($0) },
        columns: { Console.width(onTerminal: true) })
    }
  }

  extension Today {
    /// By the machine's clock, and by its zone where a place's is not known.
    static var byTheMachine: Today { Today(Console.now) { try? Zones.ofTheMachine.system() } }
  }

  extension Zones {
    /// As the variables `TZDIR` and `TZ` have them.
    static var ofTheMachine: Zones {
      Zones(folder: Console.file(variable: "TZDIR"), variable: Console.variable("TZ"))
    }
  }
#endif
