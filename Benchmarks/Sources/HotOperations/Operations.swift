import NearbyKit

extension HotOperation {
  /// Every operation that has a limit, in the order of the table.
  static func all(in world: World) -> [HotOperation] {
    let index = KDTreeIndex(world.positions, categories: world.categories)
    return building(world) + nearest(index, world) + elsewhere(index, world)
      + areas(index, world) + geodesics(world) + geohashes(world) + filtering()
      + watching() + living(world)
  }

  private static func building(_ world: World) -> [HotOperation] {
    [
      HotOperation("build", calls: 1, questions: world.positions.count) { _ in
        UInt64(KDTreeIndex(world.positions, categories: world.categories).count)
      }
    ]
  }

  private static func nearest(_ index: KDTreeIndex, _ world: World) -> [HotOperation] {
    let questions = world.questions
    let finding = [1, 10, 100].map { limit in
      findNearest(limit, index, questions, named: "find-nearest-\(limit)") { _ in .any }
    }
    return finding + [
      HotOperation("measure-nearest-10", calls: questions.count) { memory in
        var sum: UInt64 = 0
        for question in questions {
          index.measureNearest(10, to: question, into: &memory.buffer)
          sum &+= memory.ordered()
          for meters in memory.buffer.distances { sum &+= Distance.meters(meters).millimeters }
        }
        return sum
      },
      HotOperation("nearest-10", calls: questions.count) { _ in
        var sum: UInt64 = 0
        for question in questions {
          let answer = index.nearest(10, to: question)
          for (rank, neighbor) in answer.neighbors.enumerated() {
            sum &+= UInt64(neighbor.offset) &* UInt64(rank + 1)
            sum &+= neighbor.distance.millimeters
          }
          sum &+= answer.validRadius?.millimeters ?? 0
        }
        return sum
      },
      findNearest(10, index, questions, named: "find-nearest-10-of-a-common-category") { number in
        CategorySet(category: number % 3)
      },
      findNearest(10, index, questions, named: "find-nearest-10-of-a-rare-category") { _ in
        World.rareCategory
      },
      HotOperation("find-nearest-10-batch", calls: 1, questions: questions.count) { memory in
        var sum: UInt64 = 0
        for answer in index.findNearest(10, toEach: questions) { sum &+= memory.ordered(answer) }
        return sum
      },
    ]
  }

  /// Where flat squared chords do not reach, so that the walk over the whole Earth answers: of the
  /// first, some.
  private static func elsewhere(_ index: KDTreeIndex, _ world: World) -> [HotOperation] {
    [
      findNearest(10, index, world.openQuestions, named: "find-nearest-10-in-open-country") { _ in
        .any
      },
      findNearest(
        10, index, world.antimeridianQuestions, named: "find-nearest-10-at-the-antimeridian"
      ) { _ in .any },
      findNearest(10, index, world.poleQuestions, named: "find-nearest-10-at-the-pole") { _ in
        .any
      },
    ]
  }

  @inline(__always)
  private static func findNearest(
    _ limit: Int, _ index: KDTreeIndex, _ questions: [Coordinate], named name: String,
    categories: @escaping (_ number: Int) -> CategorySet
  ) -> HotOperation {
    HotOperation(name, calls: questions.count) { memory in
      var sum: UInt64 = 0
      for (number, question) in questions.enumerated() {
        index.findNearest(
          limit, to: question, categories: categories(number), into: &memory.buffer)
        sum &+= memory.ordered()
      }
      return sum
    }
  }

  private static func areas(_ index: KDTreeIndex, _ world: World) -> [HotOperation] {
    let questions = world.questions
    // A square has the area of the circle that holds a hundred, if its half side is 0.886 radii.
    var buffer = QueryBuffer()
    var boxes: [BoundingBox] = []
    for question in questions {
      index.measureNearest(100, to: question, into: &buffer)
      boxes.append(
        BoundingBox(around: question, radius: .meters(0.886 * (buffer.distances.last ?? 0))))
    }
    return [
      HotOperation("find-in-box-100", calls: boxes.count) { [boxes] memory in
        var sum: UInt64 = 0
        for box in boxes {
          index.find(in: box, into: &memory.buffer)
          sum &+= memory.unordered()
        }
        return sum
      },
      HotOperation("count-in-box-100", calls: boxes.count) { [boxes] _ in
        var sum: UInt64 = 0
        for box in boxes { sum &+= UInt64(index.count(in: box)) }
        return sum
      },
      HotOperation("find-within-1km", calls: questions.count) { memory in
        var sum: UInt64 = 0
        for question in questions {
          index.find(within: .kilometers(1), of: question, into: &memory.buffer)
          sum &+= memory.unordered()
        }
        return sum
      },
    ]
  }

  private static func geodesics(_ world: World) -> [HotOperation] {
    let near = Array(zip(world.questions, world.targets))
    let far = Array(zip(world.targets, world.targets.dropFirst()))
    return [("geodesic-near", near), ("geodesic-far", far)].map { name, pairs in
      HotOperation(name, calls: pairs.count) { _ in
        var sum: UInt64 = 0
        for (start, end) in pairs {
          sum &+= Geodesic.inverse(from: start, to: end).distance.millimeters
        }
        return sum
      }
    }
  }

  private static func geohashes(_ world: World) -> [HotOperation] {
    let positions = Array(world.positions.prefix(10_000))
    let texts = positions.map { Geohash($0, precision: 9).text }
    return [
      HotOperation("geohash-encode", calls: positions.count) { _ in
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { text in
          var sum: UInt64 = 0
          for position in positions {
            let count = Geohash(position, precision: 9).writeText(to: text)
            for place in 0..<count { sum &+= UInt64(text[place]) &* UInt64(place + 1) }
          }
          return sum
        }
      },
      HotOperation("geohash-decode", calls: texts.count) { _ in
        var sum: UInt64 = 0
        for text in texts {
          guard let box = try? Geohash(text).box else { fatalError("\(text) is no geohash") }
          sum &+= box.south.bitPattern &+ 3 &* box.west.bitPattern
        }
        return sum
      },
    ]
  }
}
