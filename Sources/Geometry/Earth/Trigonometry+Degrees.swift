extension Trigonometry {
  /// Exact at multiples of 90°, and at 30° and its kind as near as can be: the reduction takes place in degrees.
  ///
  /// - Parameter degrees: any size; the reduction is exact.
  public static func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
    sineAndCosine(ofDegrees: degrees, plus: 0)
  }

  /// Returns the sine and cosine of an angle in two parts, the second far smaller.
  static func sineAndCosine(ofDegrees degrees: Double, plus low: Double) -> (sine: Double, cosine: Double) {
    guard abs(degrees) < .infinity else { return (.nan, .nan) }
    let x = abs(degrees) < 0x1p50 ? degrees : withoutFullTurns(degrees)
    let count = nearestInteger(x / 90)
    // Exact: a multiple of x's last place, and smaller than x.
    let rest = DoubleDouble.sum(x - 90 * count, low)
    let r = rest.times(radiansPerDegree)
    let sine = rest.high == 0 ? rest.high : sineKernel(r.high, r.low)
    let turned = turned(sine, cosineKernel(r.high, r.low), by: Int(Int64(count) & 3))
    // A zero sine has the angle's sign, a zero cosine is positive.
    return (turned.sine == 0 ? Double(signOf: degrees, magnitudeOf: 0) : turned.sine, turned.cosine + 0)
  }

  /// The rest of a long division by 360, each step exact; it keeps the sign.
  static func withoutFullTurns(_ x: Double) -> Double {
    var rest = abs(x)
    var turns = 360.0
    while turns <= rest / 2 { turns *= 2 }
    while turns >= 360 {
      if rest >= turns { rest -= turns }
      turns *= 0.5
    }
    return x < 0 ? -rest : rest
  }

  /// ``arctangent(y:x:)`` in degrees, -180 ... 180; exact at multiples of 45°.
  public static func arctangentInDegrees(y: Double, x: Double) -> Double {
    if abs(y) > abs(x) {
      let rest = firstOctantInDegrees(abs(x), abs(y))
      let angle = x < 0 ? 90 + rest : 90 - rest
      return y < 0 ? -angle : angle
    }
    let angle = firstOctantInDegrees(abs(y), abs(x))
    return Double(signOf: y, magnitudeOf: x.sign == .minus ? 180 - angle : angle)
  }

  /// For 0 <= y <= x.
  private static func firstOctantInDegrees(_ y: Double, _ x: Double) -> Double {
    if y == x { return y == 0 ? 0 : 45 }
    // Far from the edges of the range the angle is kept in two parts; near them one will do.
    guard x > 0x1p-400, x < 0x1p400, y > x * 0x1p-60 else {
      return arctangent(y: y, x: x) * degreesPerRadian.high
    }
    let angle = firstQuadrant(DoubleDouble(high: y, low: 0), DoubleDouble(high: x, low: 0))
      .times(degreesPerRadian)
    return angle.high + angle.low
  }
}
