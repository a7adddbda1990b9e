extension Trigonometry {
  /// e to the power `x`; infinity above 709.78, subnormal below -708.4, zero below -745.13.
  public static func exponential(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 7.09782712893383973096e+02 { return .infinity }
    if x < -7.45133219101941108420e+02 { return 0 }
    // x = count ln 2 + (high - low); the upper part of ln 2 has 21 zero bits, so count times it is exact.
    let count = nearestInteger(x * 0x1.71547652b82fep+0)
    let high = x - count * 6.93147180369123816490e-01
    let low = count * 1.90821492927058770002e-10
    let r = high - low
    let t = r * r
    let c =
      r - t
      * (1.66666666666666019037e-01
        + t
        * (-2.77777777770155933842e-03
          + t
          * (6.61375632143793436117e-05
            + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))))
    return scaled(1 + (high + (r * c / (2 - c) - low)), by: Int(count))
  }

  /// `x * 2^power`, rounded once; |power| < 1100, and x about 1.
  private static func scaled(_ x: Double, by power: Int) -> Double {
    if power > 1000 { return x * powerOfTwo(power - 100) * 0x1p100 }
    if power < -1000 { return x * powerOfTwo(power + 100) * 0x1p-100 }
    return x * powerOfTwo(power)
  }

  private static func powerOfTwo(_ power: Int) -> Double {
    Double(bitPattern: UInt64(1023 + power) << 52)
  }

  /// NaN below zero, -infinity at zero.
  public static func naturalLogarithm(_ x: Double) -> Double {
    if x.isNaN || x == .infinity { return x }
    if x <= 0 { return x == 0 ? -.infinity : .nan }
    // x = 2^power (1 + f), √½ < 1 + f < √2.
    let isSubnormal = x < 0x1p-1022
    let bits = (isSubnormal ? x * 0x1p54 : x).bitPattern
    var power = Int(bits >> 52) - (isSubnormal ? 1077 : 1023)
    var significand = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
    if significand > 0x1.6a09e667f3bcdp+0 {
      significand *= 0.5
      power += 1
    }
    let f = significand - 1
    let s = f / (2 + f)
    let z = s * s
    let r =
      z
      * (6.666666666666735130e-01
        + z
        * (3.999999999940941908e-01
          + z
          * (2.857142874366239149e-01
            + z
            * (2.222219843214978396e-01
              + z
              * (1.818357216161805012e-01
                + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))))))
    let halfSquare = 0.5 * f * f
    let k = Double(power)
    return k * 6.93147180369123816490e-01
      - ((halfSquare - (s * (halfSquare + r) + k * 1.90821492927058770002e-10)) - f)
  }

  /// √(x² + y²) without overflow or underflow on the way; infinity when either is infinite.
  public static func hypotenuse(_ x: Double, _ y: Double) -> Double {
    if abs(x) == .infinity || abs(y) == .infinity { return .infinity }
    if x.isNaN || y.isNaN { return .nan }
    let long = max(abs(x), abs(y))
    let short = min(abs(x), abs(y))
    if short <= long * 0x1p-60 { return long + short }
    if long > 0x1p450 { return scaledHypotenuse(long, short, by: 0x1p-600) * 0x1p600 }
    if short < 0x1p-420 { return scaledHypotenuse(long, short, by: 0x1p600) * 0x1p-600 }
    return scaledHypotenuse(long, short, by: 1)
  }

  private static func scaledHypotenuse(_ long: Double, _ short: Double, by scale: Double) -> Double {
    let x = DoubleDouble.product(long * scale, long * scale)
    let y = DoubleDouble.product(short * scale, short * scale)
    let sum = DoubleDouble.fastSum(x.high, y.high)
    let root = rootParts(.fastSum(sum.high, sum.low + (x.low + y.low)))
    return root.high + root.low
  }

  /// The real cube root, within 4 ulp where 1e-300 < |x| < 1e300; elsewhere only finite and of the right sign.
  static func cubeRoot(_ x: Double) -> Double {
    guard x != 0, abs(x) < 1e300 else { return x }
    // A third of the exponent comes within 6 %, and Halley's step triples the good digits.
    var bits = abs(x).bitPattern
    bits = bits / 3 + 0x2a9f_7893_0000_0000
    var root = Double(bitPattern: bits)
    for _ in 0..<3 {
      let cube = root * root * root
      root *= (cube + 2 * abs(x)) / (2 * cube + abs(x))
    }
    return x < 0 ? -root : root
  }
}
