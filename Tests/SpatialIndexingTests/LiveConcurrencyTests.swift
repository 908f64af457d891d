import Geodesy
import Synchronization
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// What readers and the writer tell each other.
private final class Reading: Sendable {
  let isDone = Atomic(false)
  let questions = Atomic(0)
}

@Suite struct LiveConcurrencyTests {
  private static let pairCount: UInt64 = 300

  /// The two of a pair, which every batch moves together.
  private static func pair(_ number: UInt64, at place: Coordinate) -> [LiveChange] {
    [.put(LiveObject(id: 2 * number, at: place)), .put(LiveObject(id: 2 * number + 1, at: place))]
  }

  private static func place(using generator: inout SeededGenerator) -> Coordinate {
    PointSet.legal(
      Double.random(in: 37...38, using: &generator), Double.random(in: 127...128, using: &generator)
    )
  }

  @Test func `a question sees all of a batch or none`() async {
    var generator = SeededGenerator(seed: 1)
    let index = LiveIndex()
    index.apply(
      (0..<Self.pairCount).flatMap { Self.pair($0, at: Self.place(using: &generator)) })
    let reading = Reading()
    await withTaskGroup(of: Bool.self) { group in
      for reader in 0..<2 {
        group.addTask {
          var generator = SeededGenerator(seed: 100 + UInt64(reader))
          var isTorn = false
          var lastVersion = -1
          while !reading.isDone.load(ordering: .acquiring) {
            let snapshot = index.snapshot
            if snapshot.version < lastVersion { isTorn = true }
            lastVersion = snapshot.version
            let two = snapshot.nearest(2, to: Self.place(using: &generator))
            // Pairs stand at one place, so the nearest two are one pair.
            if two.count != 2 || two[0].object.id / 2 != two[1].object.id / 2
              || two[0].object.coordinate != two[1].object.coordinate
            {
              isTorn = true
            }
            if reading.questions.add(1, ordering: .relaxed).newValue % 64 == 0 {
              let objects = snapshot.objects()
              if objects.count != 2 * Int(Self.pairCount) { isTorn = true }
              for (one, other) in zip(objects, objects.dropFirst()) where one.id % 2 == 0 {
                if one.coordinate != other.coordinate { isTorn = true }
              }
              await Task.yield()
            }
          }
          return isTorn
        }
      }
      for _ in 0..<400 {
        var batch: [LiveChange] = []
        for _ in 0..<20 {
          batch += Self.pair(
            UInt64.random(in: 0..<Self.pairCount, using: &generator),
            at: Self.place(using: &generator))
        }
        index.apply(batch)
        await Task.yield()
      }
      // However few processors there are, the readers have their turn.
      while reading.questions.load(ordering: .relaxed) < 500 { await Task.yield() }
      reading.isDone.store(true, ordering: .releasing)
      for await isTorn in group { #expect(!isTorn) }
    }
  }

  @Test func `changes go on while the index is compacted, and none is lost`() async throws {
    var world = LiveWorld(.clustered, count: 10_000, seed: 4, hasAttributes: false)
    var model = LiveModel()
    let index = LiveIndex()
    let first = world.batch(10_000, removing: 100)
    model.apply(first)
    index.apply(first)
    let compaction = Task {
      var rounds = 0
      while !Task.isCancelled {
        _ = try? await index.compact()
        rounds += 1
      }
      return rounds
    }
    for _ in 0..<200 {
      let batch = world.batch(50)
      model.apply(batch)
      index.apply(batch)
      await Task.yield()
    }
    compaction.cancel()
    #expect(await compaction.value > 0)
    #expect(index.snapshot.objects() == model.counted())
    #expect(
      index.snapshot.nearest(50, to: world.origin).map(\.object)
        == model.ranked(from: world.origin).prefix(50).map(\.object))
  }

  @Test func `several writers take turns`() async {
    let index = LiveIndex()
    await withTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          var generator = SeededGenerator(seed: UInt64(writer))
          for round in 0..<50 {
            index.apply(
              (0..<10).map { number in
                .put(
                  LiveObject(
                    id: UInt64(writer * 1_000 + round * 10 + number),
                    at: Self.place(using: &generator)))
              })
          }
        }
      }
    }
    let ids = (0..<4).flatMap { writer in (0..<500).map { UInt64(writer * 1_000 + $0) } }
    #expect(index.snapshot.objects().map(\.id) == ids)
  }

  @Test func `memory is used again once no snapshot needs it`() {
    var world = LiveWorld(.city, count: 6_000, seed: 2, hasAttributes: false)
    let writer = LiveWriter()
    func apply(_ count: Int) -> LiveVersion {
      world.batch(count, removing: 50).withUnsafeBufferPointer { writer.apply($0) }
      return writer.publish()
    }
    var current = apply(6_000)
    for _ in 0..<20 { current = apply(100) }
    let held = current
    let byteCount = writer.memory.byteCount
    // Each batch copies a good part of the tree: two hundred of them many times what there is.
    for _ in 0..<200 { current = apply(100) }
    #expect(writer.memory.byteCount <= 4 * byteCount)
    #expect(held.number < current.number)
  }
}
