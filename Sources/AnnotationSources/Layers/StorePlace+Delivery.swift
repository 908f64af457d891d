#if Store
  import AnnotationImport
  import MapAnnotations
  import SQLiteStore

  extension StorePlace {
    /// What comes into a layer, and what is known of it.
    package typealias Delivery = (update: LayerUpdate, annotations: ImportedAnnotations)

    /// Brings deliveries into their layers, one after the other, each completely or not at all.
    ///
    /// The store is opened once; a new one appears with the first delivery in it. An error leaves those that came
    /// before it.
    ///
    /// - Parameters:
    ///   - policy: How annotations are merged; nil for as before.
    ///   - areJoined: Whether records have their places from another source, so that one may have moved.
    ///   - progress: Shows how far the delivery is that is written to the file of some name.
    ///   - remark: Takes what became of each, once it is in the store.
    package func deliver(
      _ deliveries: [Delivery], policy: MergePolicy?, areJoined: Bool,
      progress: (_ name: String) -> ProgressReport, remark: (String) -> Void
    ) throws(ReportedError) {
      if case .server(let address) = self {
        for delivery in deliveries {
          try StorePlace.deliver(delivery, policy, toServer: address).forEach(remark)
        }
        return
      }
      let name = try file().text
      func deliver(_ delivery: Delivery, to store: AnnotationStore) throws -> [String] {
        let progress = progress(name)
        defer { progress.finish() }
        return try store.deliver(delivery, policy, areJoined: areJoined, name, progress)
      }
      var rest = deliveries[...]
      if let first = rest.first, let remarks = try withNewStore({ try deliver(first, to: $0) }) {
        remarks.forEach(remark)
        rest.removeFirst()
      }
      guard !rest.isEmpty else { return }
      try withStore(.create) { store in
        for delivery in rest { try deliver(delivery, to: store).forEach(remark) }
      }
    }

    private static func deliver(
      _ delivery: Delivery, _ policy: MergePolicy?, toServer address: String
    ) throws(ReportedError) -> [String] {
      let (update, annotations) = delivery
      guard policy ?? .replace == .replace, update.version == nil, update.licence == nil,
        update.denied.isEmpty
      else { throw onlyReplaced }
      let outcome = try PostgresSource.replace(
        address, layer: update.layer, with: annotations, note: note(of: update))
      return ["\(outcome.layer): \(outcome.counts.sentence)"]
        + [annotations.remark(onRepeatsIn: outcome.counts)].compactMap(\.self)
    }
  }

  extension AnnotationStore {
    /// Brings a delivery into its layer, and returns what became of it.
    ///
    /// - Parameter name: What remarks call the store.
    fileprivate func deliver(
      _ delivery: StorePlace.Delivery, _ policy: MergePolicy?, areJoined: Bool, _ name: String,
      _ progress: ProgressReport
    ) throws -> [String] {
      var (update, annotations) = delivery
      update.members = annotations.collectionMembers
      let isHeld = try holds(update.layer)
      update.policy = try policy ?? (isHeld ? layer(update.layer).policy : .replace)
      if areJoined, isHeld, case .upsert = update.policy {
        // A record that has moved would also stay where it was.
        update.denied.formUnion(
          PlaceJoin.formerIDs(of: annotations, among: try self.annotations(in: update.layer)))
      }
      switch try apply(update, rows: { try $0.append(annotations, progress) }) {
      case .upToDate:
        return ["\(name): layer \(update.layer) has that version or a later one already"]
      case .applied(let counts):
        let onNumbers = try annotations.remark(onNumbersOf: update, counts) {
          try favorites(includesHidden: true)
        }
        let onOthers = counts.remark(
          onOtherIDsOf: update.layer,
          "name the column that they had (`idField`) if the records are the same")
        return ["\(name): layer \(update.layer): \(counts.sentence)"]
          + [
            isHeld ? update.remark(ifMergedAsBefore: policy) : nil, onOthers,
            annotations.remarkOnSharedIDs, onNumbers,
          ].compactMap(\.self)
          + annotations.remarks(onRulesOf: update.policy)
      }
    }
  }
#endif
