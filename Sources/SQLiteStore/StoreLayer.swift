#if Store
  import Geodesy
  import MapAnnotations

  /// Names one state of a store's annotations.
  ///
  /// The number grows by one with each change, and the state is drawn at random with it: a store that
  /// was restored from a copy counts to the same numbers again, and never comes to the same stamp.
  public struct ChangeStamp: Hashable, Sendable, CustomStringConvertible {
    /// How many changes there were.
    public let number: Int
    /// 64 random bits.
    public let state: Int

    /// The stamp in one word, as `12-9f86d081884c7d65`.
    public var description: String {
      let digits = String(UInt64(bitPattern: Int64(state)), radix: 16)
      return "\(number)-" + String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// Which state of its source a layer holds.
  public enum SourceVersion: Hashable, Sendable {
    /// A number that grows; an equal or a lower one is nothing new.
    case number(Int)
    /// Any text, as an ETag; an equal one is nothing new.
    case tag(String)

    /// Whether a layer that holds `held` need not take this version.
    public func isNothingNew(since held: SourceVersion) -> Bool {
      switch (self, held) {
      case (.number(let new), .number(let old)): new <= old
      case (.tag(let new), .tag(let old)): new == old
      default: false
      }
    }
  }

  /// A collection of annotations in a store, and what is known of it.
  public struct StoreLayer: Hashable, Sendable {
    /// Its name, and that of its table.
    public let name: String
    /// The file or address that it comes from; nil when it was made in code.
    public let source: String?
    /// The CRS that the source was in; the store's positions are on WGS 84.
    public let crs: String
    /// The licence and the attribution.
    public let licence: String?
    /// How new rows meet those that are there.
    public let policy: MergePolicy
    /// Which state of the source it holds; nil when the source does not say.
    public let version: SourceVersion?
    /// When it was last brought up to date.
    public let refreshed: Instant?
    /// How many annotations it has.
    public let count: Int
    /// How many of them have no position.
    public let unplacedCount: Int
    /// The box around the others; nil when there are none.
    public let extent: BoundingBox?
  }

  /// How a layer takes what its source delivers.
  public enum MergePolicy: Hashable, Sendable {
    /// The layer becomes what the source delivers; what it no longer has is removed.
    case replace
    /// Annotations are found again by their id; those that the source does not deliver stay.
    ///
    /// A blank text, a null and a missing position keep what was there; lists and dates are
    /// replaced as a whole; `rules` says otherwise for properties by name.
    case upsert(rules: [String: FieldRule] = [:])

    /// What happens to one property of an annotation that is there already.
    public enum FieldRule: String, Hashable, Sendable, CaseIterable {
      /// Takes the new value unless it is blank or null.
      case keepNonBlank = "keep-non-blank"
      /// Takes the new value, whatever it is.
      case replace
      /// Keeps the value that is there, if it is not blank.
      case keepFirst = "keep-first"
    }
  }

  /// What a source delivers for one layer, apart from the annotations themselves.
  public struct LayerUpdate: Sendable {
    /// The layer's name.
    public var layer: String
    /// Where it comes from; nil keeps what the layer says.
    public var source: String?
    /// The CRS that the source was in.
    public var crs = "EPSG:4326"
    /// Its licence; nil keeps what the layer says.
    public var licence: String?
    /// How rows meet those that are there.
    public var policy = MergePolicy.replace
    /// Which state of the source this is; nil when it does not say.
    public var version: SourceVersion?
    /// When it was fetched.
    public var refreshed: Instant
    /// Annotations that are never taken, and are removed where they are.
    public var denied: Set<AnnotationID> = []
    /// Members of a GeoJSON collection to keep with the layer.
    public var members = Properties()

    /// An update that replaces a layer, fetched at some moment.
    public init(layer: String, refreshed: Instant) {
      self.layer = layer
      self.refreshed = refreshed
    }
  }

  /// What an update did.
  public enum UpdateOutcome: Hashable, Sendable {
    /// The layer holds that version or a later one; nothing was asked for or changed.
    case upToDate(SourceVersion)
    /// The layer was changed.
    case applied(Counts)

    /// How annotations fared.
    public struct Counts: Hashable, Sendable {
      /// New ones.
      public var added = 0
      /// Those that were there and now say something else.
      public var changed = 0
      /// Those that were there and say the same.
      public var unchanged = 0
      /// Those that are there no longer.
      public var removed = 0
      /// Those that the update may not bring.
      public var denied = 0
      /// How many of the layer's annotations have no position now.
      public var unplaced = 0

      /// Of a layer that did not look what was there before.
      package init(added: Int = 0) { self.added = added }
    }
  }
#endif
