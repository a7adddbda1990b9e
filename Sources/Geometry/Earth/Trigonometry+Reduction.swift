extension Trigonometry {
  /// `x` less a whole number of right angles, in two parts; |high| <= π/4, but for a rounding.
  ///
  /// NaN for NaN and infinities. The quadrant is 0 ... 3.
  static func reduced(_ x: Double) -> (high: Double, low: Double, quadrant: Int) {
    let size = abs(x)
    if size <= 0x1.921fb54442d18p-1 { return (x, 0, 0) }
    if size < 0x1p20 { return reducedInThreeSteps(x) }
    guard size < .infinity else { return (.nan, .nan, 0) }
    let r = reducedByLongProduct(size)
    return x < 0 ? (-r.high, -r.low, -r.quadrant & 3) : r
  }

  /// W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980): π/2 is cut in pieces of 33
  /// bits, so that each piece times the number of right angles (20 bits) is exact. 152 bits of π/2 in all; no
  /// double below 2²⁰ comes closer than 2⁻⁶² to a multiple of π/2.
  private static func reducedInThreeSteps(_ x: Double) -> (high: Double, low: Double, quadrant: Int) {
    let count = nearestInteger(x * 0x1.45f306dc9c883p-1)
    let first = x - count * 0x1.921fb544p+0
    let second = DoubleDouble.sum(first, -(count * 0x1.0b4611a6p-34))
    let third = DoubleDouble.sum(second.high, -(count * 0x1.3198a2ep-69))
    let low = second.low + (third.low - count * 0x1.b839a252049c1p-104)
    let r = DoubleDouble.fastSum(third.high, low)
    return (r.high, r.low, Int(count) & 3)
  }

  /// Halves go to the even one. For |x| < 2⁵¹.
  static func nearestInteger(_ x: Double) -> Double {
    // At 1.5 * 2⁵² the ulp is 1.
    (x + 0x1.8p52) - 0x1.8p52
  }

  /// M. Payne and R. Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18 (1983).
  ///
  /// `x = m * 2^e` with an integer m. Bits of 2/π whose product with m is a multiple of four right angles are
  /// left out; the next 224 bits leave an error below 2⁻¹³⁸ right angles, and no double is closer than 2⁻⁶⁴ to
  /// a multiple of π/2. Limbs of 32 bits: WebAssembly has no 128-bit product.
  /// - Parameter x: 2²⁰ and more, finite.
  private static func reducedByLongProduct(_ x: Double) -> (high: Double, low: Double, quadrant: Int) {
    let bits = x.bitPattern
    let exponent = Int(bits >> 52) - 1075
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000
    let skipped = max(0, (exponent - 2) / 32)

    var product = [UInt32](repeating: 0, count: 9)  // Least limb first.
    add(product: m & 0xffff_ffff, from: skipped, to: &product, at: 0)
    add(product: m >> 32, from: skipped, to: &product, at: 1)

    let point = 224 + 32 * skipped - exponent  // So many bits are the fraction.
    var quadrant = Int(limb(of: product, at: point) & 3)
    var fraction = (
      limb(of: product, at: point - 32), limb(of: product, at: point - 64),
      limb(of: product, at: point - 96), limb(of: product, at: point - 128)
    )
    let isAboveHalf = fraction.0 >> 31 == 1
    if isAboveHalf {
      quadrant = (quadrant + 1) & 3
      fraction = (~fraction.0, ~fraction.1, ~fraction.2, ~fraction.3)
    }
    let upper = DoubleDouble.sum(Double(fraction.0) * 0x1p-32, Double(fraction.1) * 0x1p-64)
    let lower = DoubleDouble.sum(upper.high, Double(fraction.2) * 0x1p-96)
    let sum = DoubleDouble.fastSum(lower.high, upper.low + lower.low + Double(fraction.3) * 0x1p-128)
    let r = sum.times(halfPi)
    return isAboveHalf ? (-r.high, -r.low, quadrant) : (r.high, r.low, quadrant)
  }

  /// Adds `factor` times seven limbs of 2/π to `sum`, `at` limbs up.
  private static func add(product factor: UInt64, from first: Int, to sum: inout [UInt32], at: Int) {
    var carry: UInt64 = 0
    for i in 0..<7 {
      let t = factor &* UInt64(twoOverPi[first + 6 - i]) &+ UInt64(sum[at + i]) &+ carry
      sum[at + i] = UInt32(truncatingIfNeeded: t)
      carry = t >> 32
    }
    sum[at + 7] = UInt32(truncatingIfNeeded: carry)
  }

  /// 32 bits from bit `at` on.
  private static func limb(of number: [UInt32], at: Int) -> UInt32 {
    let i = at >> 5
    let upper = i + 1 < number.count ? UInt64(number[i + 1]) : 0
    return UInt32(truncatingIfNeeded: (upper << 32 | UInt64(number[i])) >> UInt64(at & 31))
  }

  /// The first 1280 bits of 2/π after the point, most significant first.
  private static let twoOverPi: [UInt32] = [
    0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab, 0xdebb_c561,
    0xb724_6e3a, 0x424d_d2e0, 0x0649_2eea, 0x09d1_921c, 0xfe1d_eb1c, 0xb129_a73e, 0xe882_35f5, 0x2ebb_4484,
    0xe99c_7026, 0xb45f_7e41, 0x3991_d639, 0x8353_39f4, 0x9c84_5f8b, 0xbdf9_283b, 0x1ff8_97ff, 0xde05_980f,
    0xef2f_118b, 0x5a0a_6d1f, 0x6d36_7ecf, 0x27cb_09b7, 0x4f46_3f66, 0x9e5f_ea2d, 0x7527_bac7, 0xebe5_f17b,
    0x3d07_39f7, 0x8a52_92ea, 0x6bfb_5fb1, 0x1f8d_5d08, 0x5603_3046, 0xfc7b_6bab, 0xf0cf_bc20, 0x9af4_361d,
  ]
}
