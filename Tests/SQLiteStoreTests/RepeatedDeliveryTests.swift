#if Store
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  /// What a merge does to ids that come more than once.
  @Suite struct RepeatedDeliveryTests {
    private let folder: Folder
    private let store: AnnotationStore

    init() throws {
      folder = try Folder()
      store = try AnnotationStore(folder.path("s.gpkg"))
    }

    private struct Row: Hashable {
      let id: Int
      let phone: String
    }

    private func deliver(
      _ rows: [Row], policy: MergePolicy = .upsert()
    ) throws -> UpdateCounts {
      let shops = try rows.map {
        try Places.shop(AnnotationID($0.id), 1, 2, ["phone": .string($0.phone)])
      }
      guard case .applied(let counts) = try store.apply(Places.update(policy: policy), shops) else {
        throw Unexpected()
      }
      return counts
    }

    private struct Unexpected: Error {}

    private func held() throws -> [Row] {
      try store.annotations(in: "shops").map {
        Row(id: Int($0.id.text) ?? -1, phone: $0.properties["phone"]?.text ?? "")
      }
    }

    @Test func `an id that comes twice is two annotations, and no row takes another's place`()
      throws
    {
      #expect(try deliver([Row(id: 1, phone: "a")]).added == 1)
      let counts = try deliver([Row(id: 1, phone: "b"), Row(id: 1, phone: "c")])
      #expect((counts.added, counts.changed) == (1, 1))
      #expect(try held() == [Row(id: 1, phone: "b"), Row(id: 1, phone: "c")])
      let again = try deliver([Row(id: 1, phone: "b"), Row(id: 1, phone: "c")])
      #expect((again.added, again.changed, again.unchanged) == (0, 0, 2))
      // One of them alone meets the first, and the other stays.
      _ = try deliver([Row(id: 1, phone: "d")])
      #expect(try held() == [Row(id: 1, phone: "d"), Row(id: 1, phone: "c")])
    }

    @Test func `rows that replace others are counted as a merge counts them`() throws {
      let replace = MergePolicy.replace
      let first = [Row(id: 1, phone: "a"), Row(id: 2, phone: "b"), Row(id: 2, phone: "c")]
      let new = try deliver(first, policy: replace)
      #expect((new.added, new.removed) == (3, 0))
      let again = try deliver(first.reversed(), policy: replace)
      #expect((again.added, again.changed, again.unchanged, again.removed) == (0, 0, 3, 0))
      // Of two with one id, one is as it was.
      let counts = try deliver(
        [Row(id: 2, phone: "d"), Row(id: 2, phone: "b"), Row(id: 3, phone: "a")], policy: replace)
      #expect((counts.added, counts.changed, counts.unchanged, counts.removed) == (1, 1, 1, 1))
      // A merge and a replacement write the same rows in the same way.
      _ = try deliver([Row(id: 4, phone: "e")])
      let merged = try held()
      #expect(try deliver(merged, policy: replace).unchanged == 4)
    }

    @Test
    func `rows that replace others are compared by property, whatever the columns are called`()
      throws
    {
      func count(_ properties: Properties) throws -> UpdateCounts {
        let shop = try Places.shop("1", 1, 2, properties)
        guard case .applied(let counts) = try store.apply(Places.update(), [shop]) else {
          throw Unexpected()
        }
        return counts
      }
      _ = try count(["A": "x", "a": "y", "feature": "z"])
      #expect(try count(["feature": "z", "a": "y", "A": "x"]).unchanged == 1)
      #expect(try count(["feature": "z", "a": "x", "A": "y"]).changed == 1)
      // What another program has added is not what the source says.
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "ALTER TABLE shops ADD COLUMN memo; UPDATE shops SET memo = 'm'")
      #expect(try count(["A": "y", "a": "x", "feature": "z"]).unchanged == 1)
    }

    @Test(arguments: UInt64(0)..<30)
    func `any sequence of merges leaves what a dictionary of lists has`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var model: [Int: [String]] = [:]
      for step in 0..<8 {
        let rows = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
          Row(
            id: Int.random(in: 0..<12, using: &random),
            phone: Bool.random(using: &random)
              ? "" : String(Int.random(in: 0..<5, using: &random)))
        }
        let replaces = step == 0 || Int.random(in: 0..<6, using: &random) == 0
        let former = model
        if replaces { model = [:] }
        let counts = try deliver(rows, policy: replaces ? .replace : .upsert())
        var expected = UpdateCounts()
        var seen: [Int: Int] = [:]
        for row in rows {
          let place = seen[row.id, default: 0]
          seen[row.id] = place + 1
          var list = model[row.id] ?? []
          if place == list.count {
            list.append(row.phone)
            expected.added += 1
          } else if row.phone.isEmpty || list[place] == row.phone {
            expected.unchanged += 1
          } else {
            list[place] = row.phone
            expected.changed += 1
          }
          model[row.id] = list
        }
        if replaces {
          // What is there again is no addition; the order among rows with one id does not count.
          expected = UpdateCounts()
          for (id, list) in former {
            let kept = min(list.count, model[id]?.count ?? 0)
            var rest = list
            for phone in model[id] ?? [] {
              if let place = rest.firstIndex(of: phone) { rest.remove(at: place) }
            }
            expected.unchanged += list.count - rest.count
            expected.changed += kept - (list.count - rest.count)
            expected.removed += list.count - kept
          }
          expected.added = rows.count - expected.unchanged - expected.changed
        }
        #expect(
          (counts.added, counts.changed, counts.unchanged, counts.removed)
            == (expected.added, expected.changed, expected.unchanged, expected.removed),
          "seed \(seed) step \(step)")
        var lists: [Int: [String]] = [:]
        for row in try held() { lists[row.id, default: []].append(row.phone) }
        #expect(lists == model, "seed \(seed) step \(step)")
      }
    }

    @Test func `one id a hundred thousand times takes no longer than other ids`() throws {
      _ = try deliver([Row(id: 7, phone: "first")])
      let rows = (0..<100_000).map { Row(id: 7, phone: "\($0)") }
      #expect(try deliver(rows).added == 99_999)
      #expect(try deliver(rows).unchanged == 100_000)
      #expect(try store.layer("shops").count == 100_000)
    }

    @Test func `a mark on an id that comes twice is one mark`() throws {
      _ = try deliver([Row(id: 1, phone: "a"), Row(id: 1, phone: "b")])
      try store.addFavorite(1, in: "shops", at: Places.moment)
      _ = try deliver([Row(id: 1, phone: "b"), Row(id: 1, phone: "c")])
      #expect(try store.favorites().map(\.isPresent) == [true])
    }
  }
#endif
