import Geometry

/// A zone with values derived from it, computed once for all devices and for all sets that contain it.
final class WatchedZone: Sendable {
  let zone: Zone
  let rules: SharedZoneRules
  let reach: Distance

  init(_ zone: Zone, _ shape: Shape) {
    self.zone = zone
    rules = SharedZoneRules(zone)
    reach = max(.zero, Self.reach(of: shape) - zone.inset)
  }

  private static func reach(of shape: Shape) -> Distance {
    switch shape {
    case .circle(_, let radius): return radius
    case .corridor(_, let halfWidth, _): return halfWidth
    case .polygon(let polygon):
      var area = 0.0
      var perimeter = 0.0
      for part in polygon.parts {
        for (number, ring) in ([part.outer] + part.holes).enumerated() {
          let (ringArea, length) = measure(ring)
          area += number == 0 ? ringArea : -ringArea
          perimeter += length
        }
      }
      return perimeter > 0 ? .metres(max(0, 2 * area / perimeter)) : .zero
    }
  }

  /// Area and length in a plane about the ring's first vertex: a rough value is enough.
  private static func measure(_ ring: Ring) -> (area: Double, length: Double) {
    let origin = ring.vertices[0]
    let shrink = Trigonometry.cosine(origin.latitude.radians)
    var area = 0.0
    var length = 0.0
    var former: (x: Double, y: Double)?
    for vertex in ring.vertices + [origin] {
      var turn = vertex.longitude.degrees - origin.longitude.degrees
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
      let x = turn * Earth.meanMetresPerDegree * shrink
      let y = (vertex.latitude.degrees - origin.latitude.degrees) * Earth.meanMetresPerDegree
      if let (fx, fy) = former {
        area += fx * y - x * fy
        length += ((x - fx) * (x - fx) + (y - fy) * (y - fy)).squareRoot()
      }
      former = (x, y)
    }
    return (abs(area) / 2, length)
  }
}
