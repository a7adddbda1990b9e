// How far a piece of an edge can stray from what is kept of it: the two ends.

extension BoundaryTree {
  /// From the straight line through the earth between the ends, metres. A line that bends no more than a circle of
  /// radius r keeps within c²/8r of its chord, and a little: for pieces of 20 km one part in a million.
  static func geodesicSag(_ chord: Double) -> Double {
    chord * chord / (8 * Chord.leastRadius) * 1.001 + Chord.rounding
  }

  /// The same for a piece straight in longitude and latitude: an eighth of the greatest second derivative of its
  /// place in space by the fraction walked.
  static func lonLatSag(_ from: Coordinate, _ to: Coordinate) -> Double {
    let radian = Double.pi / 180
    let sweep = abs(Coordinate.wrapped(to.longitude.degrees - from.longitude.degrees)) * radian
    let rise = abs(to.latitude.degrees - from.latitude.degrees) * radian
    let (a, b) = (abs(from.latitude.degrees), abs(to.latitude.degrees))
    let least = from.latitude.degrees * to.latitude.degrees < 0 ? 0 : min(a, b)
    let cosine = Trigonometry.sineAndCosine(ofDegrees: least).cosine
    let sine = Trigonometry.sineAndCosine(ofDegrees: max(a, b)).sine
    // 6.5e6 exceeds every derivative of the ellipsoid by latitude, first, second and mixed, over its angle's.
    let bend = 6.5e6 * (rise * rise + 2 * sine * rise * sweep + cosine * sweep * sweep)
    return bend / 8 + Chord.rounding
  }

  /// Beyond the latitudes of the ends, degrees: c² tan φ / 8r, and half the chord in any case.
  static func bulge(_ chord: Double, latitude: Double) -> Double {
    let half = chord / 2
    let highest = latitude + half / Earth.leastMetresPerDegree
    var metres = half
    if highest < 89.9 {
      let angle = Trigonometry.sineAndCosine(ofDegrees: highest)
      metres = min(half, 1.1 * chord * chord / (8 * Chord.leastRadius) * angle.sine / angle.cosine)
    }
    return (metres + 1e-6) / Earth.leastMetresPerDegree
  }
}
