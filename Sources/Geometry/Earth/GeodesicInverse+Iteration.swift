extension CanonicalGeodesic {
  /// A line from point 1 at a trial azimuth, where it reaches the latitude of point 2.
  private struct Trial {
    /// The overshoot beyond point 2, radians of longitude.
    var excess: Double
    var alpha2: UnitAngle
    var epsilon: Double
    var sigma1: UnitAngle
    var sigma2: UnitAngle
    var sigma12: Double
    /// d(excess) / dα₁
    var slope: Double
  }

  /// Newton's method with a bracket; about 3 steps, never more than 83.
  func iterated(from first: UnitAngle) -> GeodesicInverse {
    var alpha1 = first
    var below = UnitAngle(sine: 0x1p-511, cosine: 1)
    var above = UnitAngle(sine: 0x1p-511, cosine: -1)
    var isNearly = false
    var isBracketed = false
    var trial = attempt(alpha1)
    for step in 1...83 {
      let v = trial.excess
      if isBracketed || abs(v) < (isNearly ? 8 : 1) * 0x1p-52 { break }
      if v > 0 && (step > 21 || alpha1.cosine / alpha1.sine > above.cosine / above.sine) {
        above = alpha1
      } else if v < 0 && (step > 21 || alpha1.cosine / alpha1.sine < below.cosine / below.sine) {
        below = alpha1
      }
      if step < 20, let next = newton(alpha1, trial) {
        alpha1 = next
        isNearly = abs(v) <= 16 * 0x1p-52
      } else {
        alpha1 = UnitAngle(
          along: (below.sine + above.sine) / 2, (below.cosine + above.cosine) / 2)
        isNearly = false
        isBracketed =
          abs(below.sine - alpha1.sine) + (below.cosine - alpha1.cosine) < 0x1p-52
          || abs(alpha1.sine - above.sine) + (alpha1.cosine - above.cosine) < 0x1p-52
      }
      trial = attempt(alpha1)
    }
    return answer(alpha1, trial)
  }

  private func newton(_ alpha1: UnitAngle, _ trial: Trial) -> UnitAngle? {
    guard trial.slope > 0 else { return nil }
    let change = -trial.excess / trial.slope
    guard abs(change) < Double.pi else { return nil }
    let next = alpha1 + UnitAngle(radians: change)
    return next.sine > 0 ? UnitAngle(along: next.sine, next.cosine) : nil
  }

  private func answer(_ alpha1: UnitAngle, _ trial: Trial) -> GeodesicInverse {
    let m = lengths(
      epsilon: trial.epsilon, sigma12: trial.sigma12, sigma1: trial.sigma1, sigma2: trial.sigma2)
    var answer = GeodesicInverse()
    answer.length = m.distance * WGS84.polarRadius
    answer.reducedLength = m.reduced * WGS84.polarRadius
    answer.scale12 = m.scale12
    answer.scale21 = m.scale21
    answer.alpha1 = alpha1
    answer.alpha2 = trial.alpha2
    return answer
  }

  /// The hybrid problem: φ₁, φ₂, α₁ to λ₁₂ (section 4, equations 5, 8, 11, 12, 45 and 46).
  private func attempt(_ given: UnitAngle) -> Trial {
    // Along the equator there is no node: one is taken a hair's breadth away.
    let alpha1 =
      beta1.sine == 0 && given.cosine == 0 ? UnitAngle(sine: given.sine, cosine: -0x1p-511) : given
    let alpha0 = UnitAngle(
      sine: alpha1.sine * beta1.cosine,
      cosine: UnitAngle.hypotenuse(alpha1.cosine, alpha1.sine * beta1.sine))
    let alpha2 = azimuthAtSecond(alpha1, alpha0)

    let along1 = alpha1.cosine * beta1.cosine
    let along2 = alpha2.cosine * beta2.cosine
    let sigma1 = UnitAngle(along: beta1.sine, along1)
    let sigma2 = UnitAngle(along: beta2.sine, along2)
    let sigma12 = Trigonometry.arctangent(
      y: max(0, sigma1.cosine * sigma2.sine - sigma1.sine * sigma2.cosine) + 0,
      x: sigma1.cosine * sigma2.cosine + sigma1.sine * sigma2.sine)

    let omega1 = UnitAngle(sine: alpha0.sine * beta1.sine, cosine: along1)
    let omega2 = UnitAngle(sine: alpha0.sine * beta2.sine, cosine: along2)
    let sine = max(0, omega1.cosine * omega2.sine - omega1.sine * omega2.cosine) + 0
    let cosine = omega1.cosine * omega2.cosine + omega1.sine * omega2.sine
    let eta = Trigonometry.arctangent(
      y: sine * lambdaAngle.cosine - cosine * lambdaAngle.sine,
      x: cosine * lambdaAngle.cosine + sine * lambdaAngle.sine)

    let epsilon = GeodesicSeries.epsilon(cosineOfAlpha0: alpha0.cosine)
    let b3 = GeodesicSeries.c3(epsilon).difference(from: sigma1, to: sigma2)
    let excess =
      eta - WGS84.flattening * GeodesicSeries.a3(epsilon) * alpha0.sine * (sigma12 + b3)
    return Trial(
      excess: excess, alpha2: alpha2, epsilon: epsilon, sigma1: sigma1, sigma2: sigma2, sigma12: sigma12,
      slope: slope(alpha2, epsilon, sigma12, sigma1, sigma2))
  }

  /// α₂, northward, from Clairaut's relation (equation 5) in the form that loses least (equation 45).
  private func azimuthAtSecond(_ alpha1: UnitAngle, _ alpha0: UnitAngle) -> UnitAngle {
    let isSameLatitude = beta2.cosine == beta1.cosine
    let sine = isSameLatitude ? alpha1.sine : alpha0.sine / beta2.cosine
    if isSameLatitude && abs(beta2.sine) == -beta1.sine {
      return UnitAngle(sine: sine, cosine: abs(alpha1.cosine))
    }
    let along = alpha1.cosine * beta1.cosine
    let difference =
      beta1.cosine < -beta1.sine
      ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
      : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
    return UnitAngle(sine: sine, cosine: (along * along + difference).squareRoot() / beta2.cosine)
  }

  private func slope(
    _ alpha2: UnitAngle, _ epsilon: Double, _ sigma12: Double, _ sigma1: UnitAngle, _ sigma2: UnitAngle
  ) -> Double {
    if alpha2.cosine == 0 { return -2 * (1 - WGS84.flattening) * dn1 / beta1.sine }
    let m = lengths(epsilon: epsilon, sigma12: sigma12, sigma1: sigma1, sigma2: sigma2)
    return m.reduced * (1 - WGS84.flattening) / (alpha2.cosine * beta2.cosine)
  }
}
