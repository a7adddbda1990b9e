/// Lines over the ground of no more than 2,000 km, measured through the earth: in some dozens of multiplications, where a
/// geodesic takes microseconds.
///
/// With A = diag(1, 1, a²/b²) the surface is x·Ax = a², and a geodesic x(s) bends as x'' = -λ Ax, λ = x'·Ax' / |Ax|². So
/// |Ax|² (x'·Ax') stays what it is (Joachimsthal), and the curvature is that number over |Ax|³, where
/// |Ax|² = a² + (a²/b²) (a²/b² - 1) z². A line of curvature κ all along with chord c is (2/κ) asin(κc/2) long; of the
/// square of a curvature that changes, the mean counts which is found a √20th of the length from the middle to both
/// sides. What the change of curvature and the torsion add to that is of second order and found from the middle too.
///
/// What is left out is of third order in the flattening, or of the sixth in length over radius. Against the geodesic,
/// whose own rounding is in these numbers: within 1.2e-8 m up to 300 km, 1e-6 m up to 1,000 km, and 2e-4 m up to
/// 2,000 km (``error(square:)``).
enum ShortLine {
  /// Squared metres, through the earth.
  static let longestSquared = 2_000_000.0 * 2_000_000
  /// Nearer than a metre, squared, nanometres count: only the geodesic itself says who is on a boundary.
  static let shortestSquared = 1.0
  /// Up to 20 km squared the line through the earth is shortest where the line over it is: that costs 1e-13 m.
  private static let levelSquared = 20_000.0 * 20_000

  /// What a length is wrong by at most, metres; it grows with the eighth power.
  /// - Parameter square: of the chord, or of the length.
  static func error(square: Double) -> Double {
    let share = square / longestSquared
    return 3e-8 + 4e-4 * share * share * share * share
  }

  /// Metres over the ground between two places of the surface that are `square.squareRoot()` apart through the earth.
  @inline(__always) static func ground(from a: Cartesian, to b: Cartesian, square: Double) -> Double {
    let quarter = Curve.squaredBend(along: b - a, middle: a + b, square: square) / 4
    // asin x / x, by x².
    let series =
      1
      + quarter
      * (1 / 6.0 + quarter
        * (3 / 40.0 + quarter
          * (5 / 112.0 + quarter * (35 / 1152.0 + quarter * (63 / 2816.0 + quarter * (231 / 13_312.0))))))
    return square.squareRoot() * series
  }

  /// The ground distance from `p` to a piece of boundary, nil where only the geodesic can say.
  ///
  /// Between its ends the piece is an arc, with the twist that a geodesic has: to 1e-8 m, up to 20 km. One straight in
  /// longitude and latitude follows the bend of the parallels, up to 300 m cos φ and 84° N and S.
  /// - Parameter square: squared distance of the straight segment.
  static func distance(
    from p: Cartesian, toPiece piece: Int, of tree: BoundaryTree, square: Double
  ) -> Double? {
    guard square < longestSquared, square > shortestSquared else { return nil }
    let isForward = goesForward(tree.places[piece], tree.places[piece + 1])
    let (a, b) = isForward ? (piece, piece + 1) : (piece + 1, piece)
    let start = tree.places[a]
    let way = tree.places[b] - start
    let length = way.squaredLength
    guard length > 0 else { return ground(from: p, to: start, square: square) }
    guard length < 1e9 else { return nil }
    let up = Curve.normal(at: start + tree.places[b])
    let normal = up.squaredLength
    // The height of the surface over the chord, four times that in the middle; there a parabola is too high by this share
    // of it, a quarter.
    let bent = Curve.form(way) / normal
    var lift = up * bent
    var twist = Cartesian(x: 0, y: 0, z: 0)
    switch tree.kind {
    case .geodesic:
      twist = Curve.twist(along: way, up)
    case .lonLat:
      let sine = up.z / normal.squareRoot()
      let cosine = max(0, 1 - sine * sine)
      guard cosine > 0.01, length < 90_000 * cosine else { return nil }
      lift =
        lift
        + Curve.bendOfParallels(
          tree.station(a), tree.station(b), up, sine: sine, cosineSquared: cosine)
    }
    let toPlace = p - start
    var share = clamped(toPlace.dot(way) / length)
    let rest = toPlace - way * share - lift * (share * (1 - share))
    let slope = way + lift * (1 - 2 * share)
    var gain = rest.dot(slope)
    if square > levelSquared { gain += Curve.tilt(of: rest, slope, middle: p + p - rest, square: square) }
    // Towards the centre of a bend, and beyond it, the foot is not where a step says.
    let steepening = length + 2 * rest.dot(lift)
    guard steepening > 0.5 * length else { return nil }
    share = clamped(share + gain / steepening)
    let rise = share * (1 - share)
    let foot = start + way * share + (lift * (1 - bent * rise) + twist * (share - 0.5)) * rise
    let chord = p.squaredDistance(to: foot)
    guard chord > shortestSquared else { return nil }
    return ground(from: p, to: foot, square: chord)
  }

  /// Whichever way a ring runs, a piece is measured the same way: the same answer, to the bit.
  @inline(__always) private static func goesForward(_ a: Cartesian, _ b: Cartesian) -> Bool {
    a.z != b.z ? a.z < b.z : a.x != b.x ? a.x < b.x : a.y < b.y
  }

  private static func clamped(_ share: Double) -> Double { min(1, max(0, share)) }
}

/// How lines on the ellipsoid are bent, from places in space alone.
private enum Curve {
  /// (a/b)².
  private static let oblate = 1 / (1 - WGS84.eccentricitySquared)
  private static let flatness = oblate - 1
  private static let squaredRadius = WGS84.equatorialRadius * WGS84.equatorialRadius

  /// Upwards, not of length one, for a place or twice a place.
  @inline(__always) static func normal(at place: Cartesian) -> Cartesian {
    Cartesian(x: place.x, y: place.y, z: place.z * oblate)
  }

  /// The square of a length, as the ellipsoid's equation counts it.
  @inline(__always) static func form(_ way: Cartesian) -> Double {
    way.x * way.x + way.y * way.y + way.z * way.z * oblate
  }

  /// κ²c², with the one curvature that a line of the same chord and length has all along.
  /// - Parameter middle: the sum of the ends.
  @inline(__always) static func squaredBend(
    along way: Cartesian, middle: Cartesian, square: Double
  ) -> Double {
    let form = form(way)
    let rise = way.z * way.z
    // z² of the line's middle: of the chord's, led up to the surface along the vertical.
    let below = form / (4 * squaredRadius)
    let outward = middle.z * middle.z / (4 - 4 * below)
    let z = outward * (1 + flatness * below * (1 - oblate / squaredRadius * outward))
    // |Ax|² there, and in the mean.
    let normal = squaredRadius + oblate * flatness * z
    let inverse = 1 / normal
    let steepness = form * form / square
    let change = (rise - oblate * form * inverse * z) * (1 + 3 / 70.0 * steepness * inverse)
    let mean = normal + oblate * flatness / 20 * change
    let second = 1 - rise / square + 2 * oblate * oblate * inverse * z
    return steepness * normal * normal / (mean * mean * mean)
      * (1 + 2 / 15.0 * flatness * flatness * rise * inverse * second)
  }

  /// How the length of the line to a place changes with that place beyond what its chord does, times the length: towards
  /// where it is less.
  /// - Parameters:
  ///   - back: the chord, from the place.
  ///   - slope: how the place moves.
  @inline(__always) static func tilt(
    of back: Cartesian, _ slope: Cartesian, middle: Cartesian, square: Double
  ) -> Double {
    let form = form(back)
    let normal = normal(at: middle).squaredLength / 4
    let bend = form * form / (square * normal)
    return bend * flatness * slope.z / 24
      * (4 * back.z * square / form + oblate * middle.z * square / (2 * normal))
  }

  /// By how much a geodesic leaves the circle through its ends over its middle, to one side before the middle and to the
  /// other behind it: a sixth of its third derivative across, times L³.
  static func twist(along way: Cartesian, _ up: Cartesian) -> Cartesian {
    let normal = up.squaredLength
    let across =
      Cartesian(x: 0, y: 0, z: 1) - way * (way.z / way.squaredLength) - up * (4 * up.z / normal)
    return across * (2 / 3.0 * form(way) / normal * flatness * way.z)
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
