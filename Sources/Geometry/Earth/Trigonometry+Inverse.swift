extension Trigonometry {
  /// -π/2 ... π/2.
  public static func arctangent(_ x: Double) -> Double {
    if x.isNaN || abs(x) < 0x1p-27 { return x }
    return arctangent(y: x, x: 1)
  }

  /// The angle of the point (x, y) from the x axis, -π ... π, in all four quadrants.
  public static func arctangent(y: Double, x: Double) -> Double {
    if y.isNaN || x.isNaN { return .nan }
    let half = upperHalf(abs(y), x)
    return y.sign == .minus ? -half : half
  }

  /// -π/2 ... π/2; NaN when |x| > 1.
  public static func arcsine(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    if abs(x) < 0x1p-27 { return x }
    let angle = firstQuadrant(DoubleDouble(high: abs(x), low: 0), complement(of: x))
    return x < 0 ? -(angle.high + angle.low) : angle.high + angle.low
  }

  /// 0 ... π; NaN when |x| > 1.
  public static func arccosine(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    let angle = firstQuadrant(complement(of: x), DoubleDouble(high: abs(x), low: 0))
    return x < 0 ? fromPi(angle) : angle.high + angle.low
  }

  /// √(1 - x²)
  private static func complement(of x: Double) -> DoubleDouble {
    let square = DoubleDouble.product(x, x)
    let rest = DoubleDouble.sum(1, -square.high)
    return rootParts(.fastSum(rest.high, rest.low - square.low))
  }

  /// The angle of (x, y) for y >= 0, infinities and zeros too.
  private static func upperHalf(_ y: Double, _ x: Double) -> Double {
    let turnsBack = x.sign == .minus
    if y == 0 { return turnsBack ? pi.high : 0 }
    let size = abs(x)
    if y == .infinity {
      guard size == .infinity else { return halfPi.high }
      return turnsBack ? 0x1.2d97c7f3321d2p+1 : halfPi.high / 2
    }
    if size == .infinity { return turnsBack ? pi.high : 0 }
    if size == 0 { return halfPi.high }

    let difference = y.exponent - size.exponent
    if difference > 60 { return halfPi.high }
    if difference < -60 { return turnsBack ? pi.high : y / size }
    let scale = y.exponent > 500 || size.exponent > 500 ? 0x1p-600 : y.exponent < -500 ? 0x1p600 : 1
    let angle = firstQuadrant(
      DoubleDouble(high: y * scale, low: 0), DoubleDouble(high: size * scale, low: 0))
    return turnsBack ? fromPi(angle) : angle.high + angle.low
  }

  private static func fromPi(_ angle: DoubleDouble) -> Double {
    let rest = DoubleDouble.fastSum(pi.high, -angle.high)
    return rest.high + (rest.low + (pi.low - angle.low))
  }

  /// The angle of (x, y) for x and y not negative, not both zero and neither huge nor tiny.
  ///
  /// The argument is brought near zero by taking off the nearest of 0, atan 1/2, atan 1, atan 3/2 and π/2; the
  /// new argument is kept in two parts, so that little is left to round but the last sum.
  static func firstQuadrant(_ y: DoubleDouble, _ x: DoubleDouble) -> DoubleDouble {
    if 16 * y.high < 7 * x.high {
      let t = quotientParts(y, x)
      return .fastSum(t.high, arctangentCorrection(t))
    }
    if 16 * y.high >= 39 * x.high {
      let t = quotientParts(-x, y)
      let h = DoubleDouble.fastSum(halfPi.high, t.high)
      return .fastSum(h.high, h.low + (halfPi.low + arctangentCorrection(t)))
    }
    let slope: Double
    let base: DoubleDouble
    if 16 * y.high < 11 * x.high {
      (slope, base) = (0.5, DoubleDouble(high: 0x1.dac670561bb4fp-2, low: 0x1.a2b7f222f65e2p-56))
    } else if 16 * y.high < 19 * x.high {
      (slope, base) = (1, DoubleDouble(high: 0x1.921fb54442d18p-1, low: 0x1.1a62633145c07p-55))
    } else {
      (slope, base) = (1.5, DoubleDouble(high: 0x1.f730bd281f69bp-1, low: 0x1.007887af0cbbdp-56))
    }
    let t = quotientParts(
      linear(y, -slope, x),  // y - slope x
      linear(x, slope, y))
    let h = DoubleDouble.fastSum(base.high, t.high)
    return .fastSum(h.high, h.low + (base.low + arctangentCorrection(t)))
  }

  /// `a + slope * b`
  private static func linear(_ a: DoubleDouble, _ slope: Double, _ b: DoubleDouble) -> DoubleDouble {
    let p = DoubleDouble.product(slope, b.high)
    let s = DoubleDouble.sum(a.high, p.high)
    return .fastSum(s.high, s.low + (p.low + (a.low + slope * b.low)))
  }

  /// atan(t) - t.high, for |t| <= 7/16.
  private static func arctangentCorrection(_ t: DoubleDouble) -> Double {
    let z = t.high * t.high
    let w = z * z
    let odd =
      3.33333333333329318027e-01
      + w
      * (1.42857142725034663711e-01
        + w
        * (9.09088713343650656196e-02
          + w
          * (6.66107313738753120669e-02
            + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02))))
    let even =
      -1.99999999998764832476e-01
      + w
      * (-1.11111104054623557880e-01
        + w
        * (-7.69187620504482999495e-02
          + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)))
    return t.low / (1 + z) - t.high * (z * (odd + z * even))
  }
}
