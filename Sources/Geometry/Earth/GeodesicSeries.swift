/// An angle as its sine and cosine: exact near every right angle, and free to turn.
struct UnitAngle: Equatable, Sendable {
  var sine: Double
  var cosine: Double

  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }
  /// The direction of a vector that isn't zero.
  init(along sine: Double, _ cosine: Double) {
    let length = Self.hypotenuse(sine, cosine)
    self.init(sine: sine / length, cosine: cosine / length)
  }
  init(degrees: Double) {
    let pair = Trigonometry.sineAndCosine(ofDegrees: degrees)
    self.init(sine: pair.sine, cosine: pair.cosine)
  }
  init(radians: Double) {
    let pair = Trigonometry.sineAndCosine(radians)
    self.init(sine: pair.sine, cosine: pair.cosine)
  }

  /// Returns the hypotenuse for numbers whose squares neither overflow nor vanish; others need
  /// ``Trigonometry/hypotenuse(_:_:)``.
  static func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  var degrees: Double { Trigonometry.arctangentInDegrees(y: sine, x: cosine) }
  /// This angle and another.
  static func + (a: Self, b: Self) -> Self {
    Self(sine: a.sine * b.cosine + a.cosine * b.sine, cosine: a.cosine * b.cosine - a.sine * b.sine)
  }
}

/// c₁ sin 2σ + c₂ sin 4σ + ... + c₆ sin 12σ
struct SineSeries: Equatable, Sendable {
  var c1, c2, c3, c4, c5, c6: Double

  /// C. W. Clenshaw, "A note on the summation of Chebyshev series", Math. Tables Aids Comput. 9 (1955).
  func value(at sigma: UnitAngle) -> Double {
    let x = 2 * (sigma.cosine - sigma.sine) * (sigma.cosine + sigma.sine)  // 2 cos 2σ
    let b5 = x * c6 + c5
    let b4 = x * b5 - c6 + c4
    let b3 = x * b4 - b5 + c3
    let b2 = x * b3 - b4 + c2
    let b1 = x * b2 - b3 + c1
    return 2 * sigma.sine * sigma.cosine * b1
  }

  func difference(from a: UnitAngle, to b: UnitAngle) -> Double { value(at: b) - value(at: a) }
}

/// The integrals of a geodesic as series of sixth order.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87, 43-55 (2013), https://doi.org/10.1007/s00190-012-0578-z.
/// Equations are given with each; ε is the small parameter of equation 16, at most 0.0017 on this ellipsoid.
enum GeodesicSeries {
  /// ε of the geodesic that leaves the equator at azimuth α₀ (equations 9 and 16).
  static func epsilon(cosineOfAlpha0: Double) -> Double {
    let kSquared = WGS84.secondEccentricitySquared * cosineOfAlpha0 * cosineOfAlpha0
    return kSquared / (2 * (1 + (1 + kSquared).squareRoot()) + kSquared)
  }

  /// A₁ - 1 (equation 17).
  static func a1MinusOne(_ e: Double) -> Double {
    let q = e * e
    return (q * (1.0 / 4 + q * (1.0 / 64 + q / 256)) + e) / (1 - e)
  }

  /// C₁ (equation 18).
  static func c1(_ e: Double) -> SineSeries {
    let q = e * e
    let e3 = e * q
    return SineSeries(
      c1: e * (-1.0 / 2 + q * (3.0 / 16 - q / 32)),
      c2: q * (-1.0 / 16 + q * (1.0 / 32 - q * (9.0 / 2048))),
      c3: e3 * (-1.0 / 48 + q * (3.0 / 256)),
      c4: q * q * (-5.0 / 512 + q * (3.0 / 512)),
      c5: q * e3 * (-7.0 / 1280),
      c6: e3 * e3 * (-7.0 / 2048))
  }

  /// C'₁, which turns τ back to σ (equation 21).
  static func c1Reverted(_ e: Double) -> SineSeries {
    let q = e * e
    let e3 = e * q
    return SineSeries(
      c1: e * (1.0 / 2 + q * (-9.0 / 32 + q * (205.0 / 1536))),
      c2: q * (5.0 / 16 + q * (-37.0 / 96 + q * (1335.0 / 4096))),
      c3: e3 * (29.0 / 96 - q * (75.0 / 128)),
      c4: q * q * (539.0 / 1536 - q * (2391.0 / 2560)),
      c5: q * e3 * (3467.0 / 7680),
      c6: e3 * e3 * (38081.0 / 61440))
  }

  /// A₂ - 1 (equation 42, with 1 + ε taken out below as GeographicLib does).
  static func a2MinusOne(_ e: Double) -> Double {
    let q = e * e
    return (-q * (3.0 / 4 + q * (7.0 / 64 + q * (11.0 / 256))) - e) / (1 + e)
  }

  /// C₂ (equation 43).
  static func c2(_ e: Double) -> SineSeries {
    let q = e * e
    let e3 = e * q
    return SineSeries(
      c1: e * (1.0 / 2 + q * (1.0 / 16 + q / 32)),
      c2: q * (3.0 / 16 + q * (1.0 / 32 + q * (35.0 / 2048))),
      c3: e3 * (5.0 / 48 + q * (5.0 / 256)),
      c4: q * q * (35.0 / 512 + q * (7.0 / 512)),
      c5: q * e3 * (63.0 / 1280),
      c6: e3 * e3 * (77.0 / 2048))
  }

  /// A₃ (equation 24), its polynomials in n worked out for this ellipsoid by `Tests/Oracles/geodesics.py`.
  static func a3(_ e: Double) -> Double {
    1 + e
      * (-0.49916038980680816 + e
        * (-0.2502088451303832 + e
          * (-0.06281503005876607 + e * (-0.046927475637074494 + e * -0.0234375))))
  }

  /// C₃ (equation 25), likewise.
  static func c3(_ e: Double) -> SineSeries {
    let q = e * e
    let e3 = e * q
    return SineSeries(
      c1: e
        * (0.24958019490340408 + e
          * (0.12499964752736174 + e
            * (0.04695366939653196 + e * (0.03908873781853724 + e * 0.0234375)))),
      c2: q
        * (0.062342661206936094 + e
          * (0.046822392185686165 + e * (0.02345061890926862 + e * 0.01953125))),
      c3: e3 * (0.02596302664285457 + e * (0.023393770302437923 + e * 0.013671875)),
      c4: q * q * (0.01362595881755982 + e * 0.013671875),
      c5: q * e3 * 0.008203125,
      c6: 0)
  }
}
