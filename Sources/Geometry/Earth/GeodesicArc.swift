/// An arc around a centre over the ellipsoid, its radius growing evenly from start to end.
public struct GeodesicArc: Sendable {
  public let center: Coordinate
  /// Azimuths clockwise from north.
  public let from: Angle
  public let to: Angle
  public let startRadius: Distance
  public let endRadius: Distance
  public let clockwise: Bool
  /// As they were given, so that neighbours touch.
  private let ends: (first: Coordinate, last: Coordinate)?

  /// - Parameters:
  ///   - from: an azimuth clockwise from north; where it equals `to`, the arc is a whole circle.
  public init(around center: Coordinate, from: Angle, to: Angle, radius: Distance, clockwise: Bool) {
    self.center = center
    self.from = from
    self.to = to
    startRadius = radius
    endRadius = radius
    self.clockwise = clockwise
    ends = nil
  }

  /// From one place to another, which need not be equally far from the centre.
  public init(around center: Coordinate, from first: Coordinate, to last: Coordinate, clockwise: Bool) {
    let toFirst = Geodesic(from: center, to: first)
    let toLast = Geodesic(from: center, to: last)
    self.center = center
    from = toFirst.azimuthAtStart
    to = toLast.azimuthAtStart
    startRadius = toFirst.length
    endRadius = toLast.length
    self.clockwise = clockwise
    ends = (first, last)
  }

  /// Places on the arc, ends included, so close that no straight edge is more than half a metre off.
  public var places: [Coordinate] {
    var sweep = (to.degrees - from.degrees) * (clockwise ? 1 : -1)
    sweep -= 360 * (sweep / 360).rounded(.down)
    if sweep == 0 { sweep = 360 }
    let radius = max(startRadius, endRadius)
    // Half a chord's angle a has its sagitta r (1 - cos a) at half a metre.
    let step = radius.metres > 1 ? 2 * Trigonometry.arccosine(1 - 0.5 / radius.metres) * 180 / .pi : 45
    let count = max(2, Int((sweep / step).rounded(.up)))
    return (0...count).map { index in
      if let ends, index == 0 || index == count { return index == 0 ? ends.first : ends.last }
      let share = Double(index) / Double(count)
      let azimuth = from.degrees + sweep * share * (clockwise ? 1 : -1)
      return Geodesic.destination(
        from: center, azimuth: .degrees(azimuth),
        distance: .metres(startRadius.metres + (endRadius.metres - startRadius.metres) * share))
    }
  }
}
