#if Store
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  extension AnnotationStore {
    /// What is in a store: its stamp, and of each layer what is known of it, or why it cannot be read.
    package func info() throws -> Properties {
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
          let members: Properties = [
            "code": .string(error.code), "message": .string(error.description),
          ]
          return ["name": .string(name), "error": .object(members)]
        default: throw error
        }
      }
    }
  }

  extension StoreLayer {
    fileprivate var members: Properties {
      let version: PropertyValue =
        switch version {
        case .number(let number): .integer(number)
        case .tag(let tag): .string(tag)
        case nil: .null
        }
      let policyName =
        switch policy {
        case .replace: "replace"
        case .upsert: "upsert"
        }
      return [
        "name": .string(name), "annotations": .integer(count), "unplaced": .integer(unplacedCount),
        "source": .text(source), "crs": .string(crs), "licence": .text(licence),
        "policy": .string(policyName), "version": version,
        "refreshed": refreshed.map { .integer(Int($0.milliseconds)) } ?? .null,
        "bbox": .box(extent),
      ]
    }
  }
#endif
