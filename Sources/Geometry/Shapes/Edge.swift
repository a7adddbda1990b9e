/// The line between two vertices, measured exactly.
///
/// Stored from the south-western end to the other whichever way its ring runs, so that an edge walked both
/// ways gives the same results, to the bit. Places on it are named by a fraction: 0 at `start`, 1 at `end`.
struct Edge: Sendable {
  let start: Coordinate
  let end: Coordinate
  /// Degrees of longitude from start to end, east positive: within ±180, or ±360 for a line all around.
  let sweep: Double
  let kind: EdgeKind

  /// The place of the edge at a fraction, with its velocity and its bend there, in metres per fraction.
  struct Position {
    let place: Coordinate
    let north: Double
    let east: Double
    /// Away from the geodesic that starts the same way; metres per fraction squared.
    let northwardBend: Double
    let eastwardBend: Double

    var speedSquared: Double { north * north + east * east }
  }

  /// The edge prepared for computing positions.
  enum Track {
    case geodesic(line: GeodesicLine, length: Double)
    case lonLat
  }

  func track() -> Track {
    switch kind {
    case .geodesic:
      let geodesic = Geodesic(from: start, to: end)
      return .geodesic(line: geodesic.line, length: geodesic.length.metres)
    case .lonLat:
      return .lonLat
    }
  }

  func place(at fraction: Double, on track: Track) -> Coordinate {
    if fraction <= 0 { return start }
    if fraction >= 1 { return end }
    switch track {
    case .geodesic(let line, let length):
      return line.point(at: .metres(fraction * length))
    case .lonLat:
      return Coordinate(
        latitude: .degrees(
          start.latitude.degrees + fraction * (end.latitude.degrees - start.latitude.degrees)),
        longitude: .degrees(start.longitude.degrees + fraction * sweep))
    }
  }

  private func position(at fraction: Double, on track: Track) -> Position {
    switch track {
    case .geodesic(let line, let length):
      let there = line.position(at: .metres(fraction * length))
      let direction = Trigonometry.sineAndCosine(ofDegrees: there.azimuth.degrees)
      return Position(
        place: there.coordinate, north: direction.cosine * length, east: direction.sine * length,
        northwardBend: 0, eastwardBend: 0)
    case .lonLat:
      let place = place(at: fraction, on: track)
      let latitude = Trigonometry.sineAndCosine(ofDegrees: place.latitude.degrees)
      let scales = Earth.scales(sine: latitude.sine, cosine: latitude.cosine)
      let dLatitude = (end.latitude.degrees - start.latitude.degrees) * (Double.pi / 180)
      let dLongitude = sweep * (Double.pi / 180)
      // The acceleration of straight motion in (φ, λ) on a surface of revolution, the meridian's small change
      // of curvature left out: it steers the iteration and is not part of the result.
      return Position(
        place: place, north: scales.north * dLatitude, east: scales.east * dLongitude,
        northwardBend: scales.east * latitude.sine * dLongitude * dLongitude,
        eastwardBend: -2 * scales.north * latitude.sine * dLatitude * dLongitude)
    }
  }

  /// Returns the distance from `p` to the stretch of this edge between two fractions.
  ///
  /// Newton's method on half the square of the distance, kept between the ends. It stops when the foot is known
  /// so well that the rest can be taken off by Pythagoras: the error left is below a nanometre near, and grows
  /// with the distance to no more than 1e-6 m at 1,000 km.
  /// - Parameter guess: a fraction between the two; the nearer the foot, the faster.
  func distance(from p: Coordinate, low: Double, high: Double, guess: Double) -> Double {
    let track = track()
    var (from, to) = (low, high)
    var (fromIsKnown, toIsKnown) = (false, false)
    var fraction = guess
    var isBentAround = false
    for _ in 0..<60 {
      let here = position(at: fraction, on: track)
      let foot = Foot(of: p, at: here)
      if foot.slope > 0 { (from, fromIsKnown) = (fraction, true) } else { (to, toIsKnown) = (fraction, true) }
      if fraction == low, foot.slope <= 0 { return least(foot.distance, p, low, high, isBentAround, track) }
      if fraction == high, foot.slope >= 0 { return least(foot.distance, p, low, high, isBentAround, track) }

      guard foot.curvature > 0.01 * here.speedSquared, here.speedSquared > 0 else {
        // Beyond the centre of a bend, or a quarter of the way round the earth: halve.
        isBentAround = true
        if to - from < 1e-13 { break }
        fraction = (from + to) / 2
        continue
      }
      let next = fraction + foot.step
      if abs(foot.step) * foot.curvature.squareRoot() <= closeEnough, next >= low, next <= high {
        let square = foot.distance * foot.distance - foot.step * foot.step * foot.curvature
        return least(max(0, square).squareRoot(), p, low, high, isBentAround, track)
      }
      if next <= low, !fromIsKnown {
        fraction = low
      } else if next >= high, !toIsKnown {
        fraction = high
      } else if next > from, next < to {
        fraction = next
      } else {
        if to - from < 1e-13 { break }
        fraction = (from + to) / 2
      }
    }
    return least(p.distance(to: place(at: fraction, on: track)).metres, p, low, high, true, track)
  }

  /// A step this short, in metres, leaves nothing that counts: a geodesic is straight, the other lines are not.
  private var closeEnough: Double { kind == .geodesic ? 100 : 0.01 }

  private func least(
    _ d: Double, _ p: Coordinate, _ low: Double, _ high: Double, _ isBentAround: Bool, _ track: Track
  ) -> Double {
    guard isBentAround else { return d }
    return min(
      d, p.distance(to: place(at: low, on: track)).metres, p.distance(to: place(at: high, on: track)).metres)
  }

  /// The distance from a point, with its derivatives along the edge.
  private struct Foot {
    let distance: Double
    /// Metres nearer per fraction.
    let slope: Double
    /// Second derivative of half the square of the distance.
    let curvature: Double
    /// Newton's step, in fractions.
    var step: Double { distance * slope / curvature }

    init(of p: Coordinate, at here: Position) {
      let way = Geodesic(from: here.place, to: p)
      let direction = Trigonometry.sineAndCosine(ofDegrees: way.azimuthAtStart.degrees)
      distance = way.length.metres
      slope = here.north * direction.cosine + here.east * direction.sine
      let across = here.east * direction.cosine - here.north * direction.sine
      let bend = here.northwardBend * direction.cosine + here.eastwardBend * direction.sine
      let reduced = way.reducedLength.metres
      let spread = reduced > 0 ? distance * way.scaleAtEnd / reduced : 1
      curvature = slope * slope + across * across * spread - distance * bend
    }
  }
}
