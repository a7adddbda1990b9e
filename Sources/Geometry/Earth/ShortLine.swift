/// Lines over the ground of no more than 2,000 km, measured through the earth: in some dozens of multiplications, where a
/// geodesic takes microseconds.
///
/// With A = diag(1, 1, a²/b²) the surface is x·Ax = a², and a geodesic x(s) bends as x'' = -λ Ax, λ = x'·Ax' / |Ax|². So
/// |Ax|² (x'·Ax') stays what it is (Joachimsthal), and the curvature is that number over |Ax|³, where
/// |Ax|² = a² + (a²/b²) (a²/b² - 1) z². A line of curvature κ all along with chord c is (2/κ) asin(κc/2) long; of the
/// square of a curvature that changes, the mean counts which is found a √20th of the length from the middle to both
/// sides. What the change of curvature and the torsion add to that is of second order and found from the middle too.
///
/// The terms left out are of third order in the flattening, or of sixth order in length over radius. The
/// difference from the geodesic, including the geodesic's own rounding, is within 1.2e-8 m up to 300 km, 1e-6
/// m up to 1,000 km, and 2e-4 m up to 2,000 km (``error(square:)``).
enum ShortLine {
  /// Squared metres, through the earth.
  static let longestSquared = 2_000_000.0 * 2_000_000
  /// Below one metre, squared, nanometres count: only the geodesic itself decides which points are on a
  /// boundary.
  static let shortestSquared = 1.0
  /// Up to 20 km squared the line through the earth is shortest where the line over it is: that costs 1e-13 m.
  private static let levelSquared = 20_000.0 * 20_000

  /// Returns the greatest error of a length, metres; it grows with the eighth power of the length.
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
    let (from, to) = (tree.places[piece], tree.places[piece + 1])
    guard tree.kind == .lonLat else { return distance(from: p, toGeodesic: from, to, square: square) }
    guard square < longestSquared, square > shortestSquared else { return nil }
    let isForward = goesForward(from, to)
    var arc = isForward ? Arc(from, to) : Arc(to, from)
    guard arc.length > 0 else { return ground(from: p, to: from, square: square) }
    let sine = arc.up.z / arc.up.length
    let cosine = max(0, 1 - sine * sine)
    guard cosine > 0.01, arc.length < 90_000 * cosine else { return nil }
    let (a, b) = (tree.vertex(isForward ? piece : piece + 1), tree.vertex(isForward ? piece + 1 : piece))
    arc.lift = arc.lift + Curve.bendOfParallels(a, b, arc.up, sine: sine, cosineSquared: cosine)
    return distance(from: p, to: arc, square: square)
  }

  /// The same for a piece of a geodesic, from its ends.
  @inline(__always) static func distance(
    from p: Cartesian, toGeodesic from: Cartesian, _ to: Cartesian, square: Double
  ) -> Double? {
    guard square < longestSquared, square > shortestSquared else { return nil }
    var arc = goesForward(from, to) ? Arc(from, to) : Arc(to, from)
    guard arc.length > 0 else { return ground(from: p, to: from, square: square) }
    guard arc.length < 1e9 else { return nil }
    arc.twist = Curve.twist(along: arc.way, arc.up)
    return distance(from: p, to: arc, square: square)
  }

  /// A line between two places, as far up over its chord as the surface is.
  private struct Arc {
    let start: Cartesian
    let way: Cartesian
    /// Squared.
    let length: Double
    let up: Cartesian
    /// Where a parabola is too high, a quarter of this share of the height in the middle.
    let bent: Double
    /// Four times the height in the middle.
    var lift: Cartesian
    var twist = Cartesian(x: 0, y: 0, z: 0)

    @inline(__always) init(_ from: Cartesian, _ to: Cartesian) {
      start = from
      way = to - from
      length = way.squaredLength
      up = Curve.normal(at: from + to)
      bent = Curve.form(way) / up.squaredLength
      lift = up * bent
    }
  }

  @inline(__always) private static func distance(from p: Cartesian, to arc: Arc, square: Double) -> Double? {
    let (way, lift, length) = (arc.way, arc.lift, arc.length)
    let toPlace = p - arc.start
    var share = clamped(toPlace.dot(way) / length)
    let rest = toPlace - way * share - lift * (share * (1 - share))
    let slope = way + lift * (1 - 2 * share)
    var gain = rest.dot(slope)
    if square > levelSquared {
      gain += Curve.tilt(of: rest, slope, middle: p + p - rest, square: square)
    }
    // Towards the centre of a bend, and beyond it, the foot is not where a step says.
    let steepening = length + 2 * rest.dot(lift)
    guard steepening > 0.5 * length else { return nil }
    share = clamped(share + gain / steepening)
    let rise = share * (1 - share)
    let foot =
      arc.start + way * share + (lift * (1 - arc.bent * rise) + arc.twist * (share - 0.5)) * rise
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
