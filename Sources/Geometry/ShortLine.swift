/// Lines over the ground of no more than 20 km, measured through the earth: in a few multiplications, where a geodesic
/// takes microseconds.
///
/// A geodesic bends in the plane of the vertical with the curvature κ that the ellipsoid has in its direction, and hardly
/// leaves that plane. With chord c it is c (1 + κ²c²/24 + 3κ⁴c⁴/640) long when κ is that of its middle. Within 1.2e-8 m of
/// the geodesic up to 20 km, most of it the rounding of places in space; the change of κ along the line, which is left
/// out, grows with the fifth power of the length.
enum ShortLine {
  /// Squared metres, through the earth.
  static let longestSquared = 20_000.0 * 20_000
  /// Nearer than a metre, squared, nanometres count: only the geodesic itself says who is on a boundary.
  static let shortestSquared = 1.0

  /// Metres over the ground between two places of the surface that are `square.squareRoot()` apart through the earth.
  @inline(__always) static func ground(from a: Cartesian, to b: Cartesian, square: Double) -> Double {
    // Where the middle of the chord is, below the surface, the ellipsoid through it is bent a little more.
    let bend = Curve.squaredBend(along: b - a, middle: a + b)
    return square.squareRoot() * (1 + bend * (1 / 24.0 + bend * (3 / 640.0 - 1 / 96.0)))
  }

  /// The ground distance from `p` to a piece of boundary, nil where only the geodesic can say.
  ///
  /// Between its ends the piece is a parabola, with the twist that a geodesic has: to 1e-8 m aside, up to 20 km. How high it
  /// lies matters far less. One straight in longitude and latitude follows the bend of the parallels, up to 300 m cos φ and
  /// 84° N and S.
  /// - Parameter square: squared distance of the straight segment.
  static func distance(
    from p: Cartesian, to from: BoundaryTree.Station, _ to: BoundaryTree.Station, square: Double
  ) -> Double? {
    guard square < longestSquared, square > shortestSquared else { return nil }
    // As the edge is kept, whichever way the ring runs: the same answer, to the bit.
    let (a, b) = from.fractionAtStart <= from.fractionAtEnd ? (from, to) : (to, from)
    let way = b.place - a.place
    let length = way.squaredLength
    guard length > 0 else { return ground(from: p, to: a.place, square: square) }
    guard length < 1e9 else { return nil }
    let up = Curve.normal(at: a.place + b.place)
    let normal = up.squaredLength
    // The height of the surface over the chord, four times that in the middle.
    var lift = up * (Curve.form(way) / normal)
    var twist = Cartesian(x: 0, y: 0, z: 0)
    switch a.kind {
    case .geodesic:
      twist = Curve.twist(along: way, up)
    case .lonLat:
      let sine = up.z / normal.squareRoot()
      let cosine = max(0, 1 - sine * sine)
      guard cosine > 0.01, length < 90_000 * cosine else { return nil }
      lift = lift + Curve.bendOfParallels(a, b, up, sine: sine, cosineSquared: cosine)
    }
    let toPlace = p - a.place
    var share = clamped(toPlace.dot(way) / length)
    let rest = toPlace - way * share - lift * (share * (1 - share))
    let slope = way + lift * (1 - 2 * share)
    share = clamped(share + rest.dot(slope) / (length + 2 * rest.dot(lift)))
    let foot = a.place + way * share + (lift + twist * (share - 0.5)) * (share * (1 - share))
    let chord = p.squaredDistance(to: foot)
    guard chord > shortestSquared else { return nil }
    return ground(from: p, to: foot, square: chord)
  }

  private static func clamped(_ share: Double) -> Double { min(1, max(0, share)) }
}

/// How lines on the ellipsoid are bent, from places in space alone.
private enum Curve {
  /// (a/b)².
  private static let oblate = 1 / (1 - WGS84.eccentricitySquared)

  /// Upwards, not of length one, for a place or twice a place.
  @inline(__always) static func normal(at place: Cartesian) -> Cartesian {
    Cartesian(x: place.x, y: place.y, z: place.z * oblate)
  }

  /// The square of a length, as the ellipsoid's equation counts it.
  @inline(__always) static func form(_ way: Cartesian) -> Double {
    way.x * way.x + way.y * way.y + way.z * way.z * oblate
  }

  /// κ²c² of a chord, at its middle.
  /// - Parameter middle: the sum of the ends.
  @inline(__always) static func squaredBend(along way: Cartesian, middle: Cartesian) -> Double {
    let form = form(way)
    let square = way.squaredLength
    // κ = form / (c² |normal|), with the normal of half the sum.
    return square > 0 ? 4 * form * form / (square * normal(at: middle).squaredLength) : 0
  }

  /// By how much a geodesic leaves the plane through its ends and the vertical of its middle: κτL³/6, to one side before the
  /// middle and to the other behind it.
  static func twist(along way: Cartesian, _ up: Cartesian) -> Cartesian {
    let aside = way.cross(up)
    let normal = up.squaredLength
    return aside
      * (2 / 3.0 * form(way) * (oblate - 1) * way.z * aside.z / (way.squaredLength * normal * normal))
  }

  /// By how much a line straight in longitude and latitude leaves the vertical plane through its ends, four times that in
  /// the middle: half of its acceleration over the ground, turned round.
  static func bendOfParallels(
    _ a: BoundaryTree.Station, _ b: BoundaryTree.Station, _ up: Cartesian, sine: Double, cosineSquared: Double
  ) -> Cartesian {
    let rise = (b.latitude - a.latitude) * (Double.pi / 180)
    let sweep = (b.unwrapped - a.unwrapped) * (Double.pi / 180)
    let w = 1 - WGS84.eccentricitySquared * sine * sine
    let n = WGS84.equatorialRadius / w.squareRoot()
    let m = n * (1 - WGS84.eccentricitySquared) / w
    let cosine = cosineSquared.squareRoot()
    let north =
      n * sine * cosine * sweep * sweep + 3 * WGS84.eccentricitySquared * sine * cosine / w * m * rise * rise
    let east = -2 * m * sine * rise * sweep
    let around = (up.x * up.x + up.y * up.y).squareRoot()
    let (x, y) = (up.x / around, up.y / around)
    return Cartesian(
      x: (north * sine * x + east * y) / 2, y: (north * sine * y - east * x) / 2, z: -north * cosine / 2)
  }
}
