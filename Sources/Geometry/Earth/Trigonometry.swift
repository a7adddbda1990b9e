/// The elementary functions, to the bit the same natively and in WebAssembly.
///
/// Only add, subtract, multiply, divide, square root and bit patterns are used, never a fused multiply-add and
/// never the C library: IEEE 754 leaves those operations a single answer. Angles are radians unless a name says
/// degrees. Every function takes every `Double`; NaN, infinities and signed zeros go through as C99 annex F says.
///
/// Accuracy: less than 1 ulp (unit in the last place) from the true value over the whole range, so at most one
/// step away from the C library. Where a doc comment promises something else, that holds.
///
/// The coefficients of the kernels are those of fdlibm 5.3 (Sun Microsystems, 1993): files `k_sin.c`, `k_cos.c`,
/// `s_atan.c`, `e_exp.c` and `e_log.c`, where each polynomial's error is given.
public enum Trigonometry {
  /// - Parameter x: radians, any size: beyond 2²⁰ the reduction carries all bits of 2/π it needs.
  public static func sine(_ x: Double) -> Double {
    let r = reduced(x)
    switch r.quadrant {
    case 0: return sineKernel(r.high, r.low)
    case 1: return cosineKernel(r.high, r.low)
    case 2: return -sineKernel(r.high, r.low)
    default: return -cosineKernel(r.high, r.low)
    }
  }

  /// - Parameter x: radians, any size.
  public static func cosine(_ x: Double) -> Double {
    let r = reduced(x)
    switch r.quadrant {
    case 0: return cosineKernel(r.high, r.low)
    case 1: return -sineKernel(r.high, r.low)
    case 2: return -cosineKernel(r.high, r.low)
    default: return sineKernel(r.high, r.low)
    }
  }

  /// Both at the price of one reduction; the same bits as ``sine(_:)`` and ``cosine(_:)``.
  public static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
    let r = reduced(x)
    return turned(sineKernel(r.high, r.low), cosineKernel(r.high, r.low), by: r.quadrant)
  }

  /// - Parameter x: radians, any size.
  public static func tangent(_ x: Double) -> Double {
    let r = reduced(x)
    let s = sineParts(r.high, r.low)
    let c = cosineParts(r.high, r.low)
    if s.high == 0 { return r.quadrant & 1 == 0 ? s.high : -c.high / s.high }
    return r.quadrant & 1 == 0 ? quotient(s, c) : -quotient(c, s)
  }

  /// Sine and cosine of an angle, `quadrant` right angles on.
  static func turned(_ sine: Double, _ cosine: Double, by quadrant: Int) -> (sine: Double, cosine: Double) {
    switch quadrant {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  // MARK: Kernels, for |high| <= π/4 and |low| below an ulp of it

  static func sineKernel(_ high: Double, _ low: Double) -> Double {
    if abs(high) < 0x1p-27 { return high }
    return high + sineCorrection(high, low)
  }

  static func cosineKernel(_ high: Double, _ low: Double) -> Double {
    let parts = cosineLeading(high, low)
    return parts.high + parts.low
  }

  /// The sine as an unevaluated sum, good to about 2⁻⁵⁶ of it.
  static func sineParts(_ high: Double, _ low: Double) -> DoubleDouble {
    if abs(high) < 0x1p-27 { return DoubleDouble(high: high, low: low) }
    return .fastSum(high, sineCorrection(high, low))
  }

  static func cosineParts(_ high: Double, _ low: Double) -> DoubleDouble {
    let parts = cosineLeading(high, low)
    return .fastSum(parts.high, parts.low)
  }

  /// sin(high + low) - high
  private static func sineCorrection(_ high: Double, _ low: Double) -> Double {
    let z = high * high
    let w = z * z
    let tail =
      8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)
      + z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    let cube = z * high
    // The derivative 1 - z/2 carries the low part along.
    return cube * -1.66666666666666324348e-01 + (z * (cube * tail - 0.5 * low) + low)
  }

  private static func cosineLeading(_ high: Double, _ low: Double) -> (high: Double, low: Double) {
    let z = high * high
    let w = z * z
    let tail =
      z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
      + w * w
      * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
    let leading = 1 - 0.5 * z
    return (leading, ((1 - leading) - 0.5 * z) + (z * tail - high * low))
  }
}
