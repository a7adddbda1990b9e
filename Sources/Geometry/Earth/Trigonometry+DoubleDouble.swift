extension Trigonometry {
  /// An unevaluated sum of two numbers, the second below an ulp of the first.
  ///
  /// T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971);
  /// the sum of any two: D. E. Knuth, The Art of Computer Programming 2, 4.2.2.
  struct DoubleDouble {
    var high: Double
    var low: Double

    /// `a + b` exactly.
    static func sum(_ a: Double, _ b: Double) -> Self {
      let s = a + b
      let bRounded = s - a
      return Self(high: s, low: (a - (s - bRounded)) + (b - bRounded))
    }

    /// `a + b` exactly, for |a| >= |b|.
    static func fastSum(_ a: Double, _ b: Double) -> Self {
      let s = a + b
      return Self(high: s, low: b - (s - a))
    }

    /// `a * b` exactly, while both stay below 2⁹⁷⁰ and the product above 2⁻⁹⁶⁰.
    static func product(_ a: Double, _ b: Double) -> Self {
      let p = a * b
      let (ah, al) = halves(a)
      let (bh, bl) = halves(b)
      return Self(high: p, low: ((ah * bh - p) + ah * bl + al * bh) + al * bl)
    }

    /// The upper 26 and the lower 26 bits.
    private static func halves(_ a: Double) -> (Double, Double) {
      let t = a * 0x1.000002p27
      let high = t - (t - a)
      return (high, a - high)
    }

    /// This times a constant given in two parts.
    func times(_ b: Self) -> Self {
      let p = Self.product(high, b.high)
      return .fastSum(p.high, p.low + (high * b.low + low * b.high))
    }

    static prefix func - (a: Self) -> Self { Self(high: -a.high, low: -a.low) }
  }

  static let pi = DoubleDouble(high: 0x1.921fb54442d18p+1, low: 0x1.1a62633145c07p-53)
  static let halfPi = DoubleDouble(high: 0x1.921fb54442d18p+0, low: 0x1.1a62633145c07p-54)
  static let radiansPerDegree = DoubleDouble(high: 0x1.1df46a2529d39p-6, low: 0x1.5c1d8becdd291p-62)
  static let degreesPerRadian = DoubleDouble(high: 0x1.ca5dc1a63c1f8p+5, low: -0x1.1e7ab456405f9p-49)

  /// `a / b`, rounded once but for about 2⁻⁵³ of an ulp.
  static func quotient(_ a: DoubleDouble, _ b: DoubleDouble) -> Double {
    let parts = quotientParts(a, b)
    return parts.high + parts.low
  }

  static func quotientParts(_ a: DoubleDouble, _ b: DoubleDouble) -> DoubleDouble {
    let q = a.high / b.high
    let p = DoubleDouble.product(q, b.high)
    let rest = ((a.high - p.high) - p.low) + (a.low - q * b.low)
    return DoubleDouble(high: q, low: rest / b.high)
  }

  /// The root of a number above 2⁻⁹⁰⁰.
  static func rootParts(_ a: DoubleDouble) -> DoubleDouble {
    let root = a.high.squareRoot()
    guard root > 0 else { return DoubleDouble(high: root, low: 0) }
    let p = DoubleDouble.product(root, root)
    return DoubleDouble(high: root, low: (((a.high - p.high) - p.low) + a.low) / (2 * root))
  }
}
