#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// A stamp that identifies one state of a store's annotations.
  ///
  /// The number grows by one with each change, and the state is random: a store restored from a
  /// copy reaches the same numbers again, but never the same stamp.
  public struct ChangeStamp: Hashable, Sendable, CustomStringConvertible {
    /// The number of changes so far.
    public let number: Int
    /// 64 random bits.
    public let state: Int
    /// SQLite's number of changes to the file's tables and columns, which triggers do not see.
    public let schema: Int

    /// The stamp as text, such as `12-9f86d081884c7d65-31`.
    public var description: String {
      "\(number)-\(zeroPadded(UInt64(bitPattern: Int64(state)), 16, radix: 16))-\(schema)"
    }
  }

  /// The version of a source.
  public enum SourceVersion: Hashable, Sendable {
    /// A number that grows; an equal or lower one means no change.
    case number(Int)
    /// Any text, such as an ETag; an equal one means no change.
    case tag(String)
  }

  /// A collection of annotations in a store, with its metadata.
  public struct StoreLayer: Hashable, Sendable {
    /// The name of the layer and of its table.
    public let name: String
    /// The file or address of the source; nil if the layer was made in code.
    public let source: String?
    /// The CRS of the source; the store's positions are on WGS 84.
    public let crs: String
    /// The licence and the attribution.
    public let licence: String?
    /// How new rows are combined with existing ones.
    public let policy: MergePolicy
    /// The version of the source; nil if unknown.
    public let version: SourceVersion?
    /// The time of the last update.
    public let refreshed: Instant?
    /// The number of annotations.
    public let count: Int
    /// The number of annotations without a position.
    public let unplacedCount: Int
    /// The box around the annotations with a position, from the least longitude to the greatest, as a GeoPackage has
    /// it; nil if there are none.
    public let extent: BoundingBox?
  }

  /// How an update changes a layer.
  public enum MergePolicy: Hashable, Sendable {
    /// The layer becomes what the source delivers; everything else is removed.
    case replace
    /// Annotations are matched by id; those that the source does not deliver stay.
    ///
    /// A blank text, one that means "no value" (`-`, `n/a`, `NULL`), a null and a missing position keep the existing
    /// value; lists and dates are replaced as a whole; `rules` overrides this for properties by name. A position that
    /// the ``AnnotationStore/geocodingJournal`` has for a text which changes is dropped.
    case upsert(rules: [String: FieldRule] = [:])

    /// How one property of an existing annotation is updated.
    public enum FieldRule: String, Hashable, Sendable, CaseIterable {
      /// Takes the new value unless it is blank or null.
      case keepNonBlank = "keep-non-blank"
      /// Always takes the new value.
      case replace
      /// Keeps the existing value unless it is blank.
      case keepFirst = "keep-first"
    }
  }

  /// The data of an update for one layer, apart from the annotations themselves.
  public struct LayerUpdate: Sendable {
    /// The layer's name.
    public var layer: String
    /// The source; nil keeps the layer's.
    public var source: String?
    /// The CRS of the source.
    public var crs = "EPSG:4326"
    /// The licence; nil keeps the layer's.
    public var licence: String?
    /// How new rows are combined with existing ones.
    public var policy = MergePolicy.replace
    /// The version of the source; nil if unknown.
    public var version: SourceVersion?
    /// Whether it is applied even if the layer has this very version, because it is read in another way.
    public var takesSameVersion = false
    /// The time of the fetch.
    public var refreshed: Instant
    /// Annotations that are never added, and are removed if present.
    public var denied: Set<AnnotationID> = []
    /// Members of a GeoJSON collection to store with the layer.
    public var members = Properties()
    /// The fetch that brought the annotations, to be stored with them; nil if there was none.
    public var fetch: LayerFetch?

    /// Makes an update that replaces a layer.
    public init(layer: String, refreshed: Instant) {
      self.layer = layer
      self.refreshed = refreshed
    }

    /// Whether a layer with the version `held` need not be updated.
    package func isNothingNew(since held: SourceVersion) -> Bool {
      if takesSameVersion, version == held { return false }
      return switch (version, held) {
      case (.number(let new)?, .number(let old)): new <= old
      case (.tag(let new)?, .tag(let old)): new == old
      default: false
      }
    }
  }

  /// The result of an update.
  public enum UpdateOutcome: Hashable, Sendable {
    /// The layer has this version or a later one; nothing was read or changed.
    case upToDate(SourceVersion)
    /// The layer was changed.
    case applied(UpdateCounts)
  }

  extension MergePolicy {
    /// The policy as JSON in the store.
    var json: String {
      var members: Properties = ["kind": "replace"]
      if case .upsert(let known) = self {
        let rules = known.sorted { $0.key < $1.key }
          .map { Properties.Entry(name: $0.key, value: .string($0.value.rawValue)) }
        members = ["kind": "upsert", "rules": .object(Properties(rules))]
      }
      return PropertyValue.object(members).jsonText
    }

    /// Reads the stored policy; `replace` if it is unknown.
    init(json text: String) {
      guard let value = try? PropertyValue(json: Array(text.utf8)),
        case .object(let members) = value, members["kind"] == "upsert"
      else {
        self = .replace
        return
      }
      var rules: [String: FieldRule] = [:]
      if case .object(let kept)? = members["rules"] {
        for entry in kept.entries {
          rules[entry.name] = entry.value.text.flatMap(FieldRule.init(rawValue:))
        }
      }
      self = .upsert(rules: rules)
    }
  }
#endif
