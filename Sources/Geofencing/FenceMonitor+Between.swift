import Geodesy

// Fences between two fixes: the path leads in and out again.

extension FenceMonitor {
  /// Checks whether the path led through a fence that the object is outside of, now and at the
  /// previous fix; an object that was inside has a stay instead.
  mutating func lookBetween(_ slot: Int32, _ step: inout FenceLook) {
    guard let previous = step.previous else { return }
    let circle = index.circles[Int(slot)]
    step.needTrail(from: previous)
    if let outline = index.outline(circle) {
      // A path that meets the border enters the circle around it.
      guard step.trail.mayTouch(circle.place, circle.radius),
        FencePath.mayMeet(
          outline, on: step.trail, from: previous, to: step.view.position, length: step.pathLength)
      else { return }
      lookBetween(slot, outline, from: previous, &step)
      return
    }
    switch step.trail.passing(circle) {
    case .apart: return
    case .within(let distance, let position):
      addCrossing(slot, &step, at: position, distance, circle.radius)
    case .unknown:
      for part in step.path(from: previous).parts {
        let nearest = part.nearestApproach(to: circle.center)
        guard nearest.distance <= circle.radius else { continue }
        let place = part.position(at: nearest.along)
        addCrossing(slot, &step, at: place, nearest.distance, circle.radius)
        return
      }
    }
  }

  private mutating func lookBetween(
    _ slot: Int32, _ outline: FenceOutline, from previous: Coordinate, _ step: inout FenceLook
  ) {
    let path = step.path(from: previous)
    var along = 0.0
    for part in path.parts {
      if let meeting = part.firstMeeting(outline, on: step.trail) {
        step.happenings.append(
          happening(
            .cross, slot, at: part.position(at: meeting),
            .met(along: along + meeting, length: path.length)))
        return
      }
      along += part.length
    }
  }

  private mutating func addCrossing(
    _ slot: Int32, _ step: inout FenceLook, at position: Coordinate, _ distance: Double,
    _ radius: Double
  ) {
    step.happenings.append(
      happening(.cross, slot, at: position, .passed(distance: distance, radius: radius)))
  }
}
