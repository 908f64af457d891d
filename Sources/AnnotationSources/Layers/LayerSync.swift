#if Store
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import SQLiteStore
  import SourceFetching

  /// One layer on its way to what its source has now.
  package struct LayerSync {
    private let layer: String
    private let place: StorePlace
    private let address: SourceAddress
    private let options: [String]
    private let policy: MergePolicy?
    private let now: () -> Instant
    private let remark: (String) -> Void

    /// - Parameters:
    ///   - options: What decides, beside the content, which annotations the layer holds; the same content is read again
    ///     where they have changed.
    ///   - policy: How annotations are merged; nil for as before.
    ///   - now: Reads the clock.
    ///   - remark: Takes what a person should know.
    package init(
      layer: String, address: SourceAddress, in place: StorePlace, options: [String],
      policy: MergePolicy?, now: @escaping () -> Instant, remark: @escaping (String) -> Void
    ) {
      self.layer = layer
      self.place = place
      self.address = address
      self.options = options
      self.policy = policy
      self.now = now
      self.remark = remark
    }

    /// Fetches the content; nil where the server says that it is unchanged, which is then said.
    package func fetch(
      with fetcher: SourceFetcher
    ) throws(ReportedError) -> FetchedContent? {
      let held = try place.state(of: layer)
      var last = fetchOfAddress(held)
      // What is to be read in another way is needed even if it is unchanged.
      if let fetch = last, !fetch.isRead(by: words(held)) || endsEdits(of: held) { last = nil }
      let validators = ContentValidators(
        entityTag: last?.entityTag, lastModified: last?.lastModified)
      let address = address
      return try keepingLayer { () throws(ReportedError) in
        let outcome: FetchOutcome
        do {
          outcome = try AwaitedWork.result {
            try await fetcher.fetch(address, unless: validators)
          }
        } catch let error as FetchError {
          // Of a file it is said in the words of all commands; it is opened again only where it cannot be read.
          if case .file(let path) = address, case .file = error.reason {
            try Files.check(FileName(path))
          }
          throw ReportedError(error)
        } catch {
          throw ReportedError("fetch-failed", "\(address): \(error)", fault: .inputOutput)
        }
        switch outcome {
        case .content(let content): return content
        case .unchanged:
          try confirm("the server says that it is unchanged")
          return nil
        }
      }
    }

    /// Does something, and says with its failure that the layer stays as it was, and how old it is.
    package func keepingLayer<Value>(
      _ body: () throws(ReportedError) -> Value
    ) throws(ReportedError) -> Value {
      do throws(ReportedError) {
        return try body()
      } catch {
        if let held = try? place.state(of: layer) {
          let age = held.refreshed.map { $0.duration(to: now()).roughText }
          remark(
            "layer \(layer) stays as it was\(age.map { " \($0) ago" } ?? ""), with "
              + grouped(held.count, "annotation"))
        }
        throw error
      }
    }

    /// Brings the content into the store, unless that has it.
    ///
    /// - Parameter versionField: The member beside the records that states their version, a growing number; nil for none.
    package func apply(
      _ annotations: ImportedAnnotations, _ content: FetchedContent, _ update: LayerUpdate,
      versionField: String?, allowEmpty: Bool, _ progress: ProgressReport
    ) throws(ReportedError) {
      let stated = try keepingLayer { () throws(ReportedError) in
        try versionField.map { (field) throws(ReportedError) in
          try LayerSync.version(in: field, of: annotations)
        }
      }
      let held = try place.state(of: layer)
      let version = stated ?? content.validators.version ?? .digest(content.digest)
      let fetch = LayerFetch(
        addressDigest: address.digest, entityTag: content.validators.entityTag,
        lastModified: content.validators.lastModified,
        contentDigest: ([content.digest] + words(held)).joined(separator: " "),
        fields: annotations.allColumns)
      if fetchOfAddress(held)?.contentDigest == fetch.contentDigest, !endsEdits(of: held) {
        return try confirm("its content is already stored", by: fetch)
      }
      var update = update
      update.fetch = fetch
      update.takesSameVersion = held.map { takesSameVersion($0, update, fetch) } ?? false
      let stored = held.flatMap { comparableVersion(of: $0, update) }
      switch SyncDecision(now: version, stored: stored) {
      case .keep(.same) where update.takesSameVersion: break
      case .keep(let reason): return try confirm("\(reason)")
      case .apply: break
      }
      update.version = version.inStore(from: address)
      update.policy = policy(held)
      if !allowEmpty, let held, let loss = try loss(of: held, by: annotations, update.policy) {
        remark("layer \(layer) stays as it was")
        throw ReportedError(
          "empty-source", "\(address): \(loss); pass `allowEmpty` to take that", fault: .badData)
      }
      let outcome = try place.apply(update, annotations, progress)
      progress.finish()
      switch outcome {
      case .upToDate:
        try checkSource(update)
        try confirm("\(version) or a later one is stored")
      case .applied(let counts):
        remark("layer \(layer): \(version): \(counts.sentence)")
        if let held {
          update.remark(ifMergedAsBefore: policy).map(remark)
          remarkOnOtherIDs(held, counts, update.policy).map(remark)
        }
        if case .server = place { annotations.remark(onRepeatsIn: counts).map(remark) }
        try annotations.remark(onNumbersOf: update, counts, place.favorites).map(remark)
        let last = fetchOfAddress(held)
        annotations.remarks(onRulesOf: update.policy, known: last?.fields ?? []).forEach(remark)
        if let last, let drift = FieldDrift(from: last.fields, to: fetch.fields).remark {
          remark("warning: field-drift: \(address): \(drift)")
        }
      }
    }

    /// Whether the version that the layer has is stored again: it was read by other options, is edited, or is now from
    /// another source.
    private func takesSameVersion(
      _ held: LayerState, _ update: LayerUpdate, _ fetch: LayerFetch
    ) -> Bool {
      guard let last = held.fetch else { return false }
      let isReadOtherwise = !last.isRead(by: words(held))
      if address.hasDigest(last.addressDigest) { return isReadOtherwise || endsEdits(of: held) }
      return last.hasBytes(of: fetch) && (isReadOtherwise || held.source != update.source)
    }

    /// A warning if no record has the id that it had, perhaps because the ids were read in another way; nil if not.
    private func remarkOnOtherIDs(
      _ held: LayerState, _ counts: UpdateCounts, _ policy: MergePolicy
    ) -> String? {
      guard policy == .replace, held.fetch?.isRead(by: words(held)) != true else { return nil }
      let before = held.fetch.map { $0.options.isEmpty ? "without options" : "by \($0.options)" }
      return counts.remark(
        onOtherIDsOf: layer,
        "its source was read \(before ?? "in another way") before; read it so again if its records "
          + "are the same")
    }

    /// Refuses a version that the layer has of another source; another run may have written it meanwhile.
    private func checkSource(_ update: LayerUpdate) throws(ReportedError) {
      let found = try place.state(of: layer)
      if let found, isSameSource(found, update) { return }
      throw ReportedError(
        "other-source",
        "layer \(layer) holds that version or a later one of \(name(of: found)); give \(address) "
          + "a `layer` of its own, or leave `versionField` out if it is the same source",
        fault: .usage)
    }

    /// The version that a member beside the records states.
    private static func version(
      in field: String, of annotations: ImportedAnnotations
    ) throws(ReportedError) -> ContentVersion {
      let value = annotations.collectionMembers[field]
      guard let version = value.flatMap({ ContentVersion(feed: $0) }) else {
        let what =
          value.map { "\"\(field)\" is \($0.text ?? "no number")" }
          ?? "there is no \"\(field)\" beside the records"
        throw ReportedError(
          "no-version", "\(what); name a whole number with `versionField`, or leave it out",
          fault: .badData)
      }
      return version
    }

    /// What a layer would lose for a source that has nothing to show, such as an error that came with the status 200; nil
    /// if nothing.
    private func loss(
      of held: LayerState, by annotations: ImportedAnnotations, _ policy: MergePolicy
    ) throws(ReportedError) -> String? {
      // Merged by their numbers, records would be taken for others.
      guard policy == .replace || !annotations.numberedSources.isEmpty else { return nil }
      if annotations.isEmpty {
        return held.count > 0
          ? "there are no records now, and the layer has \(grouped(held.count))" : nil
      }
      guard annotations.indices.allSatisfy({ annotations.coordinate(at: $0) == nil }),
        try place.hasSourcePlaces(in: layer)
      else { return nil }
      return "no record has a position now, and the layer has records that do"
    }

    /// The version that a layer holds, if it came from this address.
    private func comparableVersion(
      of held: LayerState, _ update: LayerUpdate
    ) -> ContentVersion? {
      switch held.version {
      case .number(let number): isSameSource(held, update) ? .number(number) : nil
      case .tag(let tag): ContentVersion(tag, from: address).flatMap(believable)
      case nil: nil
      }
    }

    /// Whether what a layer holds came from this address.
    ///
    /// Addresses may differ only in what is not shown, such as the values of a query. The same content is the same source,
    /// for example a file in a folder that was renamed.
    private func isSameSource(_ held: LayerState, _ update: LayerUpdate) -> Bool {
      guard let last = held.fetch else { return held.source == update.source }
      return address.hasDigest(last.addressDigest)
        || update.fetch.map { last.hasBytes(of: $0) } ?? false
    }

    /// What a layer of another source holds, for messages.
    private func name(of held: LayerState?) -> String {
      guard let source = held?.source, source == "\(address)" else {
        return held?.source ?? "another source"
      }
      return switch address {
      case .file: "a \(source) in another folder"
      case .web: "\(source) with another query or password"
      }
    }

    /// The version, unless it names a time that is yet to come: nothing would ever be newer.
    private func believable(_ version: ContentVersion) -> ContentVersion? {
      if case .modified(let moment) = version, moment > now() { return nil }
      return version
    }

    // MARK: Options

    private func policy(_ held: LayerState?) -> MergePolicy { policy ?? held?.policy ?? .replace }

    /// What decides, beside the content, which annotations the layer holds.
    private func words(_ held: LayerState?) -> [String] {
      guard case .upsert(let rules) = policy(held) else { return options }
      return options + ["upsert"] + rules.map { "\($0.key)=\($0.value.rawValue)" }.sorted()
    }

    /// Whether unchanged content is stored again, because it replaces what was edited.
    private func endsEdits(of held: LayerState?) -> Bool {
      policy == .replace && held?.isEdited == true
    }

    // MARK: The store

    /// The last fetch of a layer, if it was from this address.
    private func fetchOfAddress(_ held: LayerState?) -> LayerFetch? {
      held?.fetch.flatMap { address.hasDigest($0.addressDigest) ? $0 : nil }
    }

    private func confirm(_ why: String, by fetch: LayerFetch? = nil) throws(ReportedError) {
      let held = try place.state(of: layer)
      guard held?.isEdited != true || endsEdits(of: held) else {
        // It is not what its source has, and nothing says that its edits may go.
        remark(
          "layer \(layer) stays as it was edited: its source has nothing newer; pass `replace` to "
            + "store what the source has, without the edits")
        return
      }
      try place.confirm(layer, at: now(), by: fetch)
      remark("layer \(layer) is up to date: \(why)")
    }
  }

  extension SourceReading {
    /// Takes the format that the address or the server states, unless one was asked for, and the
    /// server's charset.
    ///
    /// - Parameter takesCharset: Whether to take the charset: nobody asked for an encoding or
    ///   detection.
    package mutating func adopt(
      _ content: FetchedContent, from address: SourceAddress, takesCharset: Bool
    ) {
      if format == nil {
        // A query at the end of an address would hide the ending of its path.
        if case .web(let web) = address, let named = InputFormat(nameEndingIn: web.path) {
          format = .imported(named)
        } else if let type = content.contentType?.mediaType,
          let stated = SourceReading.formats[type]
        {
          format = .imported(stated)
        }
      }
      if takesCharset { options.statedCharset = content.contentType?.charset }
    }

    private static let formats: [String: InputFormat] = [
      "text/csv": .csv, "text/tab-separated-values": .tsv, "application/geo+json": .geojson,
      "application/geo+json-seq": .geojsonseq,
    ]
  }

  extension LayerFetch {
    /// Whether both have the same content, by whatever options it was read.
    fileprivate func hasBytes(of other: LayerFetch) -> Bool {
      contentDigest.prefix { $0 != " " } == other.contentDigest.prefix { $0 != " " }
    }

    /// The options by which the content was read, which follow its digest.
    fileprivate var options: Substring { contentDigest.drop { $0 != " " }.dropFirst() }

    /// Whether the content was read by these options.
    fileprivate func isRead(by words: [String]) -> Bool { options == words.joined(separator: " ") }
  }

  extension ContentVersion {
    /// The version that a layer's tag names; nil where that is of another address.
    fileprivate init?(_ tag: String, from address: SourceAddress) {
      let mark = ContentVersion.mark(of: address)
      guard tag.hasSuffix(mark) else { return nil }
      self.init(stored: String(tag.dropLast(mark.count)))
    }

    /// The version as a layer keeps it: only a number is the same for every address.
    fileprivate func inStore(from address: SourceAddress) -> SourceVersion {
      switch self {
      case .number(let number): .number(number)
      default: .tag(stored + ContentVersion.mark(of: address))
      }
    }

    private static func mark(of address: SourceAddress) -> String {
      " @\(address.digest.prefix(12))"
    }
  }

  extension UpdateCounts {
    /// A warning if no record has an id that the layer had, perhaps because ids were read in another way; nil if not.
    ///
    /// - Parameter remedy: What to do about it.
    func remark(onOtherIDsOf layer: String, _ remedy: String) -> String? {
      guard removed > 0, added > 0, changed + unchanged == 0 else { return nil }
      return "warning: other-ids: none of the \(grouped(removed, "id")) of layer \(layer) is left; "
        + "\(remedy), because favorites and edits are kept by id"
    }

    /// As `25 added, 3 changed, 1 without a position`.
    package var sentence: String {
      let parts = [
        (added, "added"), (changed, "changed"), (unchanged, "unchanged"), (removed, "removed"),
        (denied, "denied"), (unplaced, "without a position"),
      ].filter { $0.0 > 0 }
      return parts.isEmpty
        ? "nothing in it" : parts.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    }
  }

  extension ImportedAnnotations {
    /// How many annotations a layer in PostgreSQL does not have because their ids come again; nil if there are none.
    func remark(onRepeatsIn counts: UpdateCounts) -> String? {
      let repeats = count - counts.count
      guard repeats > 0 else { return nil }
      return
        "warning: repeated-ids: left out \(grouped(repeats, "annotation")), because PostgreSQL "
        + "keeps only the last one with each id; give each its own id, or name another column with "
        + "`idField`"
    }

    /// A warning if sources of one layer have the same ids, nil if not: their records do not replace each other.
    var remarkOnSharedIDs: String? {
      guard let (count, id, source) = repeatsBetweenSources else { return nil }
      let isNumbered = numberedSources.contains(source)
      return "warning: duplicate-id: \(count == 1 ? "" : "\(grouped(count)) records; first: ")"
        + "\(source): id \(id.text) is also in an earlier source"
        + (isNumbered ? ": records without ids have their numbers" : "")
        + "; both records are kept; import each source into a `layer` of its own, or name "
        + "\(isNumbered ? "a" : "another") column with `idField`"
    }

    /// Warnings of rules for properties that no record has: slips of the pen, or left out of this delivery.
    ///
    /// - Parameter known: Columns of an earlier delivery, which may come back.
    func remarks(onRulesOf policy: MergePolicy, known: [String] = []) -> [String] {
      guard case .upsert(let rules) = policy, !isEmpty else { return [] }
      // These are also rules for the annotation's own name and kind.
      return rules.keys.sorted().compactMap { name in
        if (["name", "kind"] + known).contains(name) || hasColumn(name) { return nil }
        return "warning: unknown-field: `rule`: \(missing(column: name))"
      }
    }

    /// A warning if records are merged by their numbers, which mean other records once one is inserted, or have changed
    /// under favorites that are kept by them; nil if not.
    ///
    /// - Parameter favorites: Reads those of the store, hidden ones among them.
    func remark<Failure>(
      onNumbersOf update: LayerUpdate, _ counts: UpdateCounts,
      _ favorites: () throws(Failure) -> [Favorite]
    ) throws(Failure) -> String? {
      guard let source = numberedSources.first else { return nil }
      if case .upsert = update.policy {
        return
          "warning: merged-by-number: \(source) has no ids, so records are merged by their number, "
          + "which changes when one is added or removed before them; name a column with `idField`"
      }
      guard counts.changed > 0 else { return nil }
      let favorites = try favorites()
      guard favorites.contains(where: { $0.layer.isSameBytes(as: update.layer) }) else {
        return nil
      }
      return
        "warning: marked-by-number: \(source) has no ids, so favorites in layer \(update.layer) "
        + "are kept by record number, and may be on other records now; check them, and name a column "
        + "with `idField`"
    }
  }

  extension LayerUpdate {
    /// That a layer that is there is merged because it was before, if nobody said how; nil otherwise.
    func remark(ifMergedAsBefore said: MergePolicy?) -> String? {
      guard said == nil, case .upsert = policy else { return nil }
      return
        "note: merged-as-before: layer \(layer) is merged by id, as it was before, so what its source no "
        + "longer has stays; say that it is to be replaced if that should go"
    }
  }

  extension ReportedError {
    package init(_ error: FetchError) {
      let fault: Fault =
        switch error.blame {
        case .usage: .usage
        case .input: .noInput
        case .data: .badData
        case .upstream: .unavailable
        case .system: .inputOutput
        }
      self.init(error, fault: fault)
    }
  }
#endif
