#if Store
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  extension StorePlace {
    /// What is in the store, as members of JSON: of each layer what is known of it, on a server less than in a file.
    package func info() throws(ReportedError) -> Properties {
      guard case .server(let address) = self else {
        return try withStore(.readOnly) { try $0.info() }
      }
      let layers = try PostgresSource.heldLayers(address).map { name, held in
        switch held {
        case .success(let (note, count)):
          let state = SyncedLayer.State(note, count: count)
          return PropertyValue.object([
            "name": .string(name), "annotations": .integer(count), "source": .text(state.source),
            "version": state.version.member, "refreshed": state.refreshed.member,
          ])
        case .failure(let error):
          return .object(unreadable(name, error))
        }
      }
      return ["layers": .array(layers)]
    }

    /// Removes a layer; marks on its annotations stay.
    package func drop(_ layer: String) throws(ReportedError) {
      guard case .server(let address) = self else {
        return try withStore(.readWrite) { try $0.removeLayer(layer) }
      }
      try PostgresSource.drop(address, layer: layer)
    }
  }

  extension AnnotationStore {
    /// What is in a store: its stamp, and of each layer what is known of it, or why it cannot be read.
    fileprivate func info() throws -> Properties {
      try reading {
        let layers = try layerNames().map { PropertyValue.object(try members(ofLayer: $0)) }
        let stamp = try changeStamp()
        return ["stamp": .text(stamp.map { "\($0)" }), "layers": .array(layers)]
      }
    }

    private func members(ofLayer name: String) throws(StoreError) -> Properties {
      do throws(StoreError) {
        // Only for its error, if a column is missing.
        _ = try propertyNames(of: name)
        return try layer(name).members
      } catch {
        switch error.reason {
        case .missingColumn, .unreadableLayer:
          return unreadable(name, error)
        default: throw error
        }
      }
    }
  }

  /// What is said of a layer that cannot be read.
  private func unreadable(_ name: String, _ error: some CodedError) -> Properties {
    let members: Properties = [
      "code": .string(error.code), "message": .string(error.description),
    ]
    return ["name": .string(name), "error": .object(members)]
  }

  extension StoreLayer {
    fileprivate var members: Properties {
      let policyName =
        switch policy {
        case .replace: "replace"
        case .upsert: "upsert"
        }
      return [
        "name": .string(name), "annotations": .integer(count), "unplaced": .integer(unplacedCount),
        "source": .text(source), "crs": .string(crs), "licence": .text(licence),
        "policy": .string(policyName), "version": version.member, "refreshed": refreshed.member,
        "bbox": .box(extent),
      ]
    }
  }

  extension SourceVersion? {
    fileprivate var member: PropertyValue {
      switch self {
      case .number(let number): .integer(number)
      case .tag(let tag): .string(tag)
      case nil: .null
      }
    }
  }

  extension Instant? {
    fileprivate var member: PropertyValue { map { .integer(Int($0.milliseconds)) } ?? .null }
  }
#endif
