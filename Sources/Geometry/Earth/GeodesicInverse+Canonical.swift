/// Two points with -90° <= φ₁ <= 0, φ₁ <= φ₂ <= -φ₁, 0 <= λ₁₂ <= 180°.
struct CanonicalGeodesic {
  let beta1: UnitAngle
  let beta2: UnitAngle
  let dn1: Double
  let dn2: Double
  /// λ₁₂ in radians, and the same from its degrees exactly.
  let lambda: Double
  let lambdaAngle: UnitAngle
  /// 180° - λ₁₂
  let supplementDegrees: Double
  let isMeridian: Bool

  init(phi1: Double, phi2: Double, lambda degrees: Trigonometry.DoubleDouble) {
    let first = reducedLatitude(ofDegrees: phi1)
    var second = reducedLatitude(ofDegrees: phi2)
    // Equal latitudes stay equal to the bit, so that the azimuths come out symmetrical.
    if first.cosine < -first.sine {
      if second.cosine == first.cosine { second.sine = Double(signOf: second.sine, magnitudeOf: first.sine) }
    } else if abs(second.sine) == -first.sine {
      second.cosine = first.cosine
    }
    beta1 = first
    beta2 = second
    dn1 = (1 + WGS84.secondEccentricitySquared * first.sine * first.sine).squareRoot()
    dn2 = (1 + WGS84.secondEccentricitySquared * second.sine * second.sine).squareRoot()
    lambda = degrees.high * Trigonometry.radiansPerDegree.high
    let pair = Trigonometry.sineAndCosine(ofDegrees: degrees.high, plus: degrees.low)
    lambdaAngle = UnitAngle(sine: abs(pair.sine), cosine: pair.cosine)
    supplementDegrees = (180 - degrees.high) - degrees.low
    isMeridian = phi1 == -90 || pair.sine == 0
  }

  func solved() -> GeodesicInverse {
    if isMeridian, let answer = alongMeridian() { return answer }
    if beta1.sine == 0 && supplementDegrees >= WGS84.flattening * 180 { return alongEquator() }
    switch start() {
    case .short(let answer): return answer
    case .azimuth(let alpha1): return iterated(from: alpha1)
    }
  }

  /// Along the meridian; nil when that isn't the shortest way, which happens between near-antipodal points.
  private func alongMeridian() -> GeodesicInverse? {
    var answer = GeodesicInverse()
    answer.alpha1 = lambdaAngle  // From a pole, towards the other's longitude.
    answer.alpha2 = UnitAngle(sine: 0, cosine: 1)
    let sigma1 = UnitAngle(sine: beta1.sine, cosine: answer.alpha1.cosine * beta1.cosine)
    let sigma2 = UnitAngle(sine: beta2.sine, cosine: answer.alpha2.cosine * beta2.cosine)
    let sigma12 = Trigonometry.arctangent(
      y: max(0, sigma1.cosine * sigma2.sine - sigma1.sine * sigma2.cosine) + 0,
      x: sigma1.cosine * sigma2.cosine + sigma1.sine * sigma2.sine)
    let m = lengths(
      epsilon: WGS84.thirdFlattening, sigma12: sigma12, sigma1: sigma1, sigma2: sigma2)
    guard sigma12 < 0x1p-26 || m.reduced >= 0 else { return nil }
    let isOnePoint = sigma12 < 3 * 0x1p-511 || (sigma12 < 0x1p-52 && (m.distance < 0 || m.reduced < 0))
    if !isOnePoint {
      answer.length = m.distance * WGS84.polarRadius
      answer.reducedLength = m.reduced * WGS84.polarRadius
    }
    answer.scale12 = m.scale12
    answer.scale21 = m.scale21
    return answer
  }

  private func alongEquator() -> GeodesicInverse {
    var answer = GeodesicInverse()
    answer.alpha1 = UnitAngle(sine: 1, cosine: 0)
    answer.alpha2 = UnitAngle(sine: 1, cosine: 0)
    let sigma12 = UnitAngle(radians: lambda / (1 - WGS84.flattening))
    answer.length = WGS84.equatorialRadius * lambda
    answer.reducedLength = WGS84.polarRadius * sigma12.sine
    answer.scale12 = sigma12.cosine
    answer.scale21 = sigma12.cosine
    return answer
  }

  struct Lengths {
    /// s₁₂ / b, m₁₂ / b, M₁₂, M₂₁
    var distance, reduced, scale12, scale21: Double
  }

  /// Equations 7, 38 to 40.
  func lengths(epsilon: Double, sigma12: Double, sigma1: UnitAngle, sigma2: UnitAngle) -> Lengths {
    let a1Less = GeodesicSeries.a1MinusOne(epsilon)
    let a2Less = GeodesicSeries.a2MinusOne(epsilon)
    let b1 = GeodesicSeries.c1(epsilon).difference(from: sigma1, to: sigma2)
    let b2 = GeodesicSeries.c2(epsilon).difference(from: sigma1, to: sigma2)
    let j12 = (a1Less - a2Less) * sigma12 + ((1 + a1Less) * b1 - (1 + a2Less) * b2)
    let cosine = sigma1.cosine * sigma2.cosine + sigma1.sine * sigma2.sine
    let t =
      WGS84.secondEccentricitySquared * (beta1.cosine - beta2.cosine) * (beta1.cosine + beta2.cosine)
      / (dn1 + dn2)
    return Lengths(
      distance: (1 + a1Less) * (sigma12 + b1),
      reduced: dn2 * (sigma1.cosine * sigma2.sine) - dn1 * (sigma1.sine * sigma2.cosine)
        - sigma1.cosine * sigma2.cosine * j12,
      scale12: cosine + (t * sigma2.sine - sigma2.cosine * j12) * sigma1.sine / dn1,
      scale21: cosine - (t * sigma1.sine - sigma1.cosine * j12) * sigma2.sine / dn2)
  }
}
