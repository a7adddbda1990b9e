import Geometry

/// The probability that a phone is inside a zone, given what is known of its position.
///
/// The error of a position is assumed to be normal, the same in all directions. A phone's stated accuracy is the
/// radius that holds it with a probability of 63 to 68 %, which is a deviation of accuracy / √2 along each axis;
/// what a phone's own fixes have shown of its errors can make that smaller or larger (`SensorMemory`).
public enum Probability {
  /// The probability, from 0 to 1, that the phone is inside a circle.
  ///
  /// The integral over chords of the circle, by Gauss's rule in the angle; within 2e-6 of the exact value (Rice's
  /// distribution, the complement of Marcum's Q function of order 1) for radii up to 1,000 deviations.
  /// - Parameters:
  ///   - radius: the circle's radius; at zero or less the probability is 0.
  ///   - distance: from the circle's centre to the phone's most likely position.
  ///   - deviation: the standard deviation of that position along each axis; zero or less for an exact
  ///     position.
  public static func insideCircle(radius: Distance, distance: Distance, deviation: Distance) -> Double {
    guard radius > .zero else { return 0 }
    guard deviation > .zero else { return distance <= radius ? 1 : 0 }
    let (r, d) = (radius.metres / deviation.metres, abs(distance.metres / deviation.metres))
    // The density beyond nine deviations adds less than 1e-18.
    if d - r > 9 { return 0 }
    if r - d > 9 { return 1 }
    let from = max(-1, (d - 9) / r)
    let to = min(1, (d + 9) / r)
    let (low, high) = (Trigonometry.arcsine(from), Trigonometry.arcsine(to))
    let steps = 48
    let step = (high - low) / Double(steps)
    var sum = 0.0
    for number in 0..<steps {
      for node in [-0.7745966692414834, 0, 0.7745966692414834] {
        let angle = low + step * (Double(number) + 0.5 + node / 2)
        let (sine, cosine) = Trigonometry.sineAndCosine(angle)
        let beside = r * sine - d
        let chord = 1 - 2 * Trigonometry.normalCumulative(-r * cosine)
        let weight = node == 0 ? 8.0 / 18 : 5.0 / 18
        sum += weight * Trigonometry.exponential(-beside * beside / 2) * chord * r * cosine
      }
    }
    // 1 / √(2π)
    return max(0, min(1, sum * step * 0.3989422804014327))
  }

  /// The probability, from 0 to 1, that the phone is inside any area, given its signed distance: a mean over
  /// points that stand for equal shares of the probability.
  ///
  /// Twelve rings of twelve points, each smoothed over its share of the ring. Within 0.03 of the exact value
  /// for areas whose parts are wider than half a deviation. Thinner parts are smoothed; at most their own
  /// probability is lost.
  /// - Parameters:
  ///   - position: the most likely position.
  ///   - deviation: its standard deviation along each axis; more than zero.
  ///   - signedDistance: from a point to the area, negative inside.
  public static func inside(
    around position: Coordinate, deviation: Distance, signedDistance: (Coordinate) -> Distance
  ) -> Double {
    let rings = 12
    let points = 12
    var sum = 0.0
    for ring in 0..<rings {
      let share = (Double(ring) + 0.5) / Double(rings)
      let radius = deviation * (-2 * Trigonometry.naturalLogarithm(1 - share)).squareRoot()
      let width = radius.metres * 2 * .pi / Double(points)
      for point in 0..<points {
        // Turned from ring to ring, so that no direction is preferred.
        let azimuth = (Double(point) + Double(ring % 3) / 3) * 360 / Double(points)
        let place = Geodesic.destination(from: position, azimuth: .degrees(azimuth), distance: radius)
        sum += max(0, min(1, 0.5 - signedDistance(place).metres / width))
      }
    }
    return sum / Double(rings * points)
  }
}

extension Evidence {
  /// The probability that the phone is within the level of a zone, 0 to 1, given all that is known of its
  /// position.
  ///
  /// An integral over chords for circles, a mean over points for other areas (``Probability``). A probability
  /// surely below 1 % is not computed: the result is then an upper bound.
  static func probability(
    of zone: ZoneSlot, _ belief: Belief, level: Distance, in zones: WatchedZones
  ) -> Double {
    let entry = zones.entry(of: zone)
    let bounds = entry.outline.boundingCircle
    // The radius of the effective zone (inset applied), extended to the level.
    let radius = bounds.radius - entry.inset + level
    guard radius > .zero else { return 0 }
    guard belief.deviation > .zero else {
      return zones.distance(from: belief.position, to: zone) <= level ? 1 : 0
    }
    let size = radius.metres / belief.deviation.metres
    // The density is greatest at its centre.
    if size * size / 2 < 0.01 { return size * size / 2 }
    let all = Probability.insideCircle(
      radius: radius, distance: bounds.center.distance(to: belief.position), deviation: belief.deviation)
    if case .circle = entry.outline.shape { return all }
    if all < 0.01 { return all }
    return min(
      all,
      Probability.inside(around: belief.position, deviation: belief.deviation) {
        zones.distance(from: $0, to: zone) - level
      })
  }
}
