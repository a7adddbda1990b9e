extension CanonicalGeodesic {
  /// The start of Newton's method, or the result itself if the points are close together.
  enum Start {
    case short(GeodesicInverse)
    case azimuth(UnitAngle)
  }

  /// Section 4 for short lines (equation 48 and after), section 5 near the antipode, else a great circle.
  func start() -> Start {
    let sine12 = beta2.sine * beta1.cosine - beta2.cosine * beta1.sine
    let cosine12 = beta2.cosine * beta1.cosine + beta2.sine * beta1.sine
    /// sin(β₂ + β₁)
    let sumSine = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine

    let isShort = cosine12 >= 0 && sine12 < 0.5 && beta2.cosine * lambda < 0.5
    var omega = lambdaAngle
    var meanDn = 1.0
    if isShort {
      var meanSquare = (beta1.sine + beta2.sine) * (beta1.sine + beta2.sine)
      let cosines = beta1.cosine + beta2.cosine
      meanSquare /= meanSquare + cosines * cosines
      meanDn = (1 + WGS84.secondEccentricitySquared * meanSquare).squareRoot()
      omega = UnitAngle(radians: lambda / ((1 - WGS84.flattening) * meanDn))
    }
    var along = beta2.cosine * omega.sine
    var up =
      omega.cosine >= 0
      ? sine12 + beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 + omega.cosine)
      : sumSine - beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 - omega.cosine)
    let sigmaSine = UnitAngle.hypotenuse(along, up)
    let sigmaCosine = beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega.cosine

    if isShort && sigmaSine < shortArc {
      let sigma12 = Trigonometry.arctangent(y: sigmaSine, x: sigmaCosine)
      let back =
        sine12 - beta1.cosine * beta2.sine
        * (omega.cosine >= 0 ? omega.sine * omega.sine / (1 + omega.cosine) : 1 - omega.cosine)
      return .short(
        shortAnswer(
          sigma12: sigma12, meanDn: meanDn, alpha1: UnitAngle(along: along, up),
          alpha2: UnitAngle(along: beta1.cosine * omega.sine, back)))
    }
    let isNearAntipode =
      sigmaCosine < 0
      && sigmaSine < 6 * WGS84.thirdFlattening * Double.pi * beta1.cosine * beta1.cosine
    if isNearAntipode { (along, up) = nearAntipode(sumSine: sumSine) }
    guard along > 0 else { return .azimuth(UnitAngle(sine: 1, cosine: 0)) }
    return .azimuth(UnitAngle(along: along, up))
  }

  /// Arcs below this are answered at once; Karney's choice 0.1 √ε / √(max(0.001, f) (1 - f/2) / 2).
  private var shortArc: Double { 3.6e-8 }

  private func shortAnswer(
    sigma12: Double, meanDn: Double, alpha1: UnitAngle, alpha2: UnitAngle
  ) -> GeodesicInverse {
    var answer = GeodesicInverse()
    let arc = UnitAngle(radians: sigma12 / meanDn)
    answer.length = sigma12 * WGS84.polarRadius * meanDn
    answer.reducedLength = meanDn * meanDn * WGS84.polarRadius * arc.sine
    answer.scale12 = arc.cosine
    answer.scale21 = arc.cosine
    answer.alpha1 = alpha1
    answer.alpha2 = alpha2
    return answer
  }

  /// The azimuth, not yet of length 1, from the position of point 2 relative to the antipode of point 1.
  ///
  /// In units of the astroid that the geodesics from point 1 envelop there (equations 51 to 57).
  private func nearAntipode(sumSine: Double) -> (sine: Double, cosine: Double) {
    let supplement = Trigonometry.arctangent(y: -lambdaAngle.sine, x: -lambdaAngle.cosine)
    let epsilon = GeodesicSeries.epsilon(cosineOfAlpha0: abs(beta1.sine))
    let lambdaScale =
      WGS84.flattening * beta1.cosine * GeodesicSeries.a3(epsilon) * Double.pi
    let x = supplement / lambdaScale
    let y = sumSine / (lambdaScale * beta1.cosine)

    let isBetweenCusps = y > -200 * 0x1p-52 && x > -1 - 1000 * 0x1p-26
    if isBetweenCusps {
      let sine = min(1, -x)
      return (sine, -(1 - sine * sine).squareRoot())
    }
    let kappa = Self.astroidRoot(x, y)
    let omega = UnitAngle(radians: lambdaScale * (-x * kappa / (1 + kappa)))
    // ω₁₂ = π less that.
    return (
      beta2.cosine * omega.sine,
      sumSine - beta2.cosine * beta1.sine * omega.sine * omega.sine / (1 + omega.cosine)
    )
  }

  /// The positive root of κ⁴ + 2κ³ - (x² + y² - 1)κ² - 2y²κ - y² (equations 55 and 56 and appendix B).
  static func astroidRoot(_ x: Double, _ y: Double) -> Double {
    let p = x * x
    let q = y * y
    let r = (p + q - 1) / 6
    if q == 0 && r <= 0 { return 0 }
    let s = p * q / 4
    let r3 = r * r * r
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      let cube = s + r3
      let t = Trigonometry.cubeRoot(
        cube + (cube < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()))
      u += t + (t == 0 ? 0 : r * r / t)
    } else {
      let angle = Trigonometry.arctangent(y: (-discriminant).squareRoot(), x: -(s + r3))
      u += 2 * r * Trigonometry.cosine(angle / 3)
    }
    let v = (u * u + q).squareRoot()
    let uv = u < 0 ? q / (v - u) : u + v
    let w = (uv - q) / (2 * v)
    return uv / ((uv + w * w).squareRoot() + w)
  }
}
