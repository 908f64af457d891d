import Geodesy
import SpatialIndexing
import TestSupport
import Testing

@Suite struct LiveIndexTests {
  /// Compares everything that can be asked of a snapshot with the model.
  private func expectAgreement(
    _ snapshot: LiveSnapshot, _ model: LiveModel, from origin: Coordinate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(snapshot.count == model.objects.count, sourceLocation: sourceLocation)
    for now in [-Double.infinity, 50] {
      for categories in [CategorySet.any, CategorySet(category: 1)] {
        let ranked = model.ranked(from: origin, categories: categories, now: now)
        for limit in [1, 10, 40, 1_000_000] {
          #expect(
            snapshot.nearest(limit, to: origin, categories: categories, now: now)
              == Array(ranked.prefix(limit)), sourceLocation: sourceLocation)
          var ids: [UInt64] = [7]
          snapshot.findNearest(limit, to: origin, categories: categories, now: now, into: &ids)
          #expect(ids == ranked.prefix(limit).map(\.object.id), sourceLocation: sourceLocation)
        }
        let radius = ranked.count > 5 ? ranked[ranked.count / 3].distance : .kilometers(1)
        #expect(
          snapshot.neighbors(within: radius, of: origin, categories: categories, now: now)
            == ranked.filter { $0.distance <= radius }, sourceLocation: sourceLocation)
        let third: (LiveObject) -> Bool = { $0.id % 3 == 0 }
        #expect(
          snapshot.nearest(
            8, to: origin, within: radius, categories: categories, now: now, where: third)
            == Array(ranked.filter { third($0.object) && $0.distance <= radius }.prefix(8)),
          sourceLocation: sourceLocation)
        let box = BoundingBox(around: origin, radius: .kilometers(300))
        let inBox = model.counted(categories: categories, now: now).filter {
          box.contains($0.coordinate)
        }
        #expect(
          snapshot.objects(in: box, categories: categories, now: now) == inBox,
          sourceLocation: sourceLocation)
        #expect(
          snapshot.count(in: box, categories: categories, now: now) == inBox.count,
          sourceLocation: sourceLocation)
      }
      #expect(snapshot.objects(now: now) == model.counted(now: now), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<2)
  func `answers agree with brute force after every batch`(pointSet: PointSet, seed: UInt64) {
    var world = LiveWorld(pointSet, count: 1_200, seed: seed)
    var model = LiveModel()
    let index = LiveIndex()
    for round in 0..<6 {
      let batch = world.batch([1, 300, 40, 700, 5, 900][round])
      model.apply(batch)
      expectAgreement(index.apply(batch), model, from: world.origin)
    }
  }
}
