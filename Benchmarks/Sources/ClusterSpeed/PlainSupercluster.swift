import Foundation

/// The rival: supercluster's rule as its authors wrote it, over a static k-d tree for each zoom.
///
/// Points are sorted into a k-d tree of single-precision places with leaves of 64; each zoom clusters the
/// items of the one below with a circle query for each item; views are box queries of the zoom's tree.
/// It is what the JavaScript does, in optimized Swift with pointers in place of typed arrays, and so
/// faster than the 4.6 s that the original takes to load a million points.
final class PlainSupercluster {
  /// Items of one zoom, as parallel arrays, and their tree.
  final class Level {
    var x: [Double] = []
    var y: [Double] = []
    var counts: [Int32] = []
    var sources: [Int32] = []
    var zooms: [Int8] = []
    var tree: KDTree

    init() { tree = KDTree([], []) }

    func append(_ x: Double, _ y: Double, _ count: Int32, _ source: Int32, _ zoom: Int8) {
      self.x.append(x)
      self.y.append(y)
      counts.append(count)
      sources.append(source)
      zooms.append(zoom)
    }

    func finish() { tree = KDTree(x.map { Float($0) }, y.map { Float($0) }) }
  }

  /// From zoom 0 to the one past the last.
  private(set) var levels: [Level] = []
  private let radius = 40.0, extent = 512.0
  private let maxZoom = 16

  init(longitudes: [Double], latitudes: [Double]) {
    let points = Level()
    for (number, (longitude, latitude)) in zip(longitudes, latitudes).enumerated() {
      let s = sin(latitude * .pi / 180)
      let y = 0.5 - 0.25 * log((1 + s) / (1 - s)) / .pi
      points.append(
        Double(Float(longitude / 360 + 0.5)), Double(Float(min(max(y, 0), 1))), 1, Int32(number),
        127)
    }
    points.finish()
    levels = [points]
    for zoom in stride(from: maxZoom, through: 0, by: -1) {
      levels.append(cluster(levels[levels.count - 1], zoom: zoom))
    }
    levels.reverse()
  }

  private func cluster(_ level: Level, zoom: Int) -> Level {
    let reach = radius / (extent * Double(1 << zoom))
    let next = Level()
    var isTaken = [Bool](repeating: false, count: level.x.count)
    var near: [Int32] = []
    for item in level.x.indices where !isTaken[item] {
      isTaken[item] = true
      near.removeAll(keepingCapacity: true)
      level.tree.within(level.x[item], level.y[item], reach, into: &near)
      var count = level.counts[item]
      for other in near where !isTaken[Int(other)] { count += level.counts[Int(other)] }
      if count > level.counts[item] {
        var x = level.x[item] * Double(level.counts[item])
        var y = level.y[item] * Double(level.counts[item])
        for other in near.lazy.map({ Int($0) }) where !isTaken[other] {
          isTaken[other] = true
          x += level.x[other] * Double(level.counts[other])
          y += level.y[other] * Double(level.counts[other])
        }
        next.append(x / Double(count), y / Double(count), count, Int32(item), Int8(zoom))
      } else {
        next.append(
          level.x[item], level.y[item], level.counts[item], level.sources[item], level.zooms[item])
      }
    }
    next.finish()
    return next
  }

  /// One item of a view, as `getClusters` makes a feature of each.
  struct Item {
    let longitude: Double, latitude: Double
    let count: Int
    let source: Int
  }

  /// `getClusters` of a box that does not cross ±180°.
  func items(west: Double, south: Double, east: Double, north: Double, zoom: Int) -> [Item] {
    func height(_ latitude: Double) -> Double {
      let s = sin(latitude * .pi / 180)
      return min(max(0.5 - 0.25 * log((1 + s) / (1 - s)) / .pi, 0), 1)
    }
    let level = levels[min(zoom, maxZoom + 1)]
    var found: [Int32] = []
    level.tree.range(
      west / 360 + 0.5, height(north), east / 360 + 0.5, height(south), into: &found)
    return found.map { number in
      let item = Int(number)
      let latitude = 360 * atan(exp((180 - level.y[item] * 360) * .pi / 180)) / .pi - 90
      return Item(
        longitude: (level.x[item] - 0.5) * 360, latitude: latitude,
        count: Int(level.counts[item]), source: Int(level.sources[item]))
    }
  }
}

/// A flat k-d tree of places in the plane, sorted in place: the rule of mourner/kdbush (ISC).
struct KDTree {
  private var ids: [Int32]
  private var xs: [Float]
  private var ys: [Float]
  private static let nodeSize = 64

  init(_ xs: [Float], _ ys: [Float]) {
    self.xs = xs
    self.ys = ys
    ids = xs.indices.map { Int32($0) }
    sort(0, ids.count - 1, 0)
  }

  private mutating func sort(_ left: Int, _ right: Int, _ axis: Int) {
    guard right - left > KDTree.nodeSize else { return }
    let middle = (left + right) / 2
    select(middle, left, right, axis)
    sort(left, middle - 1, 1 - axis)
    sort(middle + 1, right, 1 - axis)
  }

  /// Floyd and Rivest's selection: the k-th stands in its place, none greater before it.
  private mutating func select(_ k: Int, _ from: Int, _ to: Int, _ axis: Int) {
    var (left, right) = (from, to)
    while right > left {
      if right - left > 600 {
        let n = Double(right - left + 1), m = Double(k - left + 1)
        let z = log(n), s = 0.5 * exp(2 * z / 3)
        let sd = 0.5 * sqrt(z * s * (n - s) / n) * (m - n / 2 < 0 ? -1 : 1)
        select(
          k, max(left, Int(Double(k) - m * s / n + sd)),
          min(right, Int(Double(k) + (n - m) * s / n + sd)), axis)
      }
      let t = axis == 0 ? xs[k] : ys[k]
      var (i, j) = (left, right)
      swapAll(left, k)
      if (axis == 0 ? xs[right] : ys[right]) > t { swapAll(left, right) }
      while i < j {
        swapAll(i, j)
        i += 1
        j -= 1
        while (axis == 0 ? xs[i] : ys[i]) < t { i += 1 }
        while (axis == 0 ? xs[j] : ys[j]) > t { j -= 1 }
      }
      if (axis == 0 ? xs[left] : ys[left]) == t {
        swapAll(left, j)
      } else {
        j += 1
        swapAll(j, right)
      }
      if j <= k { left = j + 1 }
      if k <= j { right = j - 1 }
    }
  }

  private mutating func swapAll(_ one: Int, _ other: Int) {
    ids.swapAt(one, other)
    xs.swapAt(one, other)
    ys.swapAt(one, other)
  }

  /// The places within a radius.
  func within(_ x: Double, _ y: Double, _ radius: Double, into found: inout [Int32]) {
    withPlaces { ids, xs, ys in
      visit(ids.count) { left, right, axis in
        let squared = radius * radius
        func take(_ place: Int) {
          let dx = Double(xs[place]) - x, dy = Double(ys[place]) - y
          if dx * dx + dy * dy <= squared { found.append(ids[place]) }
        }
        guard right - left > KDTree.nodeSize else {
          for place in stride(from: left, through: right, by: 1) { take(place) }
          return (false, false)
        }
        let middle = (left + right) / 2
        take(middle)
        let split = Double(axis == 0 ? xs[middle] : ys[middle])
        let own = axis == 0 ? x : y
        return (own - radius <= split, own + radius >= split)
      }
    }
  }

  /// The places in a box.
  func range(
    _ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double, into found: inout [Int32]
  ) {
    withPlaces { ids, xs, ys in
      visit(ids.count) { left, right, axis in
        func take(_ place: Int) {
          let x = Double(xs[place]), y = Double(ys[place])
          if minX <= x, x <= maxX, minY <= y, y <= maxY { found.append(ids[place]) }
        }
        guard right - left > KDTree.nodeSize else {
          for place in stride(from: left, through: right, by: 1) { take(place) }
          return (false, false)
        }
        let middle = (left + right) / 2
        take(middle)
        let split = Double(axis == 0 ? xs[middle] : ys[middle])
        return axis == 0 ? (minX <= split, maxX >= split) : (minY <= split, maxY >= split)
      }
    }
  }

  @inline(__always)
  private func withPlaces(
    _ body: (UnsafeBufferPointer<Int32>, UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) ->
      Void
  ) {
    ids.withUnsafeBufferPointer { ids in
      xs.withUnsafeBufferPointer { xs in
        ys.withUnsafeBufferPointer { ys in body(ids, xs, ys) }
      }
    }
  }

  /// Goes down the tree; `body` says into which halves.
  @inline(__always)
  private func visit(
    _ count: Int, _ body: (_ left: Int, _ right: Int, _ axis: Int) -> (Bool, Bool)
  ) {
    guard count > 0 else { return }
    withUnsafeTemporaryAllocation(of: (Int, Int, Int).self, capacity: 128) { stack in
      stack.initializeElement(at: 0, to: (0, count - 1, 0))
      var top = 1
      while top > 0 {
        top -= 1
        let (left, right, axis) = stack[top]
        guard left <= right else { continue }
        let (goesLeft, goesRight) = body(left, right, axis)
        let middle = (left + right) / 2
        if goesLeft {
          stack.initializeElement(at: top, to: (left, middle - 1, 1 - axis))
          top += 1
        }
        if goesRight {
          stack.initializeElement(at: top, to: (middle + 1, right, 1 - axis))
          top += 1
        }
      }
    }
  }
}
