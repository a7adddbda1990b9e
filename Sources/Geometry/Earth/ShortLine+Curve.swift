/// How lines on the ellipsoid are bent, from places in space alone.
enum Curve {
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

  /// The sideways offset of a geodesic from the circle through its ends and over its middle. It changes sides
  /// at the middle. Equals a sixth of the third derivative across, times L³.
  static func twist(along way: Cartesian, _ up: Cartesian) -> Cartesian {
    let normal = up.squaredLength
    let across =
      Cartesian(x: 0, y: 0, z: 1) - way * (way.z / way.squaredLength) - up * (4 * up.z / normal)
    return across * (2 / 3.0 * form(way) / normal * flatness * way.z)
  }

  /// Four times the sideways offset, at its midpoint, of a line straight in longitude and latitude from the vertical plane
  /// through its ends. Equals minus half of its acceleration over the ground.
  static func bendOfParallels(
    _ a: BoundaryTree.Vertex, _ b: BoundaryTree.Vertex, _ up: Cartesian, sine: Double, cosineSquared: Double
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
