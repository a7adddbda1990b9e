/// A geodesic made ready to answer where it is after any distance.
///
/// One value answers many points; each costs a quarter of ``Geodesic/init(from:to:)`` or less.
/// Agrees with GeographicLib within 1e-8 m up to 20,000 km; longer lines go on around the earth.
/// After C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), section 3.
public struct GeodesicLine: Equatable, Sendable {
  public let start: Coordinate
  /// Azimuth at the start, clockwise from north, -180° to 180°.
  public let azimuth: Angle

  /// α₀, the azimuth at which the line crosses the equator northwards.
  private let alpha0: UnitAngle
  private let sigma1: UnitAngle
  private let omega1: UnitAngle
  private let dn1: Double
  private let a1, a2, a3c: Double
  private let c1, c1Reverted, c2, c3: SineSeries
  private let b11, b21, b31: Double
  private let tau1: UnitAngle

  public init(from start: Coordinate, azimuth: Angle) {
    self.init(from: start, azimuth: azimuth, direction: UnitAngle(degrees: azimuth.degrees))
  }

  init(from start: Coordinate, azimuth: Angle, direction alpha1: UnitAngle) {
    self.start = start
    self.azimuth = azimuth
    let beta1 = reducedLatitude(ofDegrees: start.latitude.degrees)
    dn1 = (1 + WGS84.secondEccentricitySquared * beta1.sine * beta1.sine).squareRoot()

    // Equation 10, in a form that stays good near the poles and the equator; then 11 and 12.
    alpha0 = UnitAngle(
      sine: alpha1.sine * beta1.cosine,
      cosine: UnitAngle.hypotenuse(alpha1.cosine, alpha1.sine * beta1.sine))
    let isAtVertex = beta1.sine == 0 && alpha1.cosine == 0
    let along = isAtVertex ? 1 : beta1.cosine * alpha1.cosine
    sigma1 = UnitAngle(along: beta1.sine, along)
    omega1 = UnitAngle(sine: alpha0.sine * beta1.sine, cosine: along)

    let epsilon = GeodesicSeries.epsilon(cosineOfAlpha0: alpha0.cosine)
    a1 = 1 + GeodesicSeries.a1MinusOne(epsilon)
    a2 = 1 + GeodesicSeries.a2MinusOne(epsilon)
    a3c = -WGS84.flattening * alpha0.sine * GeodesicSeries.a3(epsilon)
    c1 = GeodesicSeries.c1(epsilon)
    c1Reverted = GeodesicSeries.c1Reverted(epsilon)
    c2 = GeodesicSeries.c2(epsilon)
    c3 = GeodesicSeries.c3(epsilon)
    b11 = c1.value(at: sigma1)
    b21 = c2.value(at: sigma1)
    b31 = c3.value(at: sigma1)
    tau1 = sigma1 + UnitAngle(radians: b11)
  }

  /// A place on the line, with the line's azimuth and scales there.
  public struct Position: Equatable, Sendable {
    public let coordinate: Coordinate
    /// The azimuth of the line there, clockwise from north, -180° to 180°.
    public let azimuth: Angle
    /// m₁₂: how far apart two lines are here per radian between them at the start.
    public let reducedLength: Distance
    /// M₁₂: how far apart two lines are here that started parallel, per metre between them at the start.
    public let scale: Double
    /// M₂₁: the same for lines that are parallel here, at the start.
    public let scaleAtStart: Double
  }

  /// The point `distance` from the start, backwards when negative.
  public func point(at distance: Distance) -> Coordinate { place(at: distance).coordinate }

  /// The point `distance` from the start, backwards when negative, and how the line lies there.
  public func position(at distance: Distance) -> Position {
    let p = place(at: distance)
    let j12 =
      (a1 - a2) * p.sigma12 + a1 * (c1.value(at: p.sigma2) - b11) - a2 * (c2.value(at: p.sigma2) - b21)
    let reduced =
      p.dn2 * (sigma1.cosine * p.sigma2.sine) - dn1 * (sigma1.sine * p.sigma2.cosine)
      - sigma1.cosine * p.sigma2.cosine * j12
    let cosine = sigma1.cosine * p.sigma2.cosine + sigma1.sine * p.sigma2.sine
    let k2 = WGS84.secondEccentricitySquared * alpha0.cosine * alpha0.cosine
    let t = k2 * (p.sigma2.sine - sigma1.sine) * (p.sigma2.sine + sigma1.sine) / (dn1 + p.dn2)
    return Position(
      coordinate: p.coordinate,
      azimuth: .degrees(Trigonometry.arctangentInDegrees(y: alpha0.sine, x: alpha0.cosine * p.sigma2.cosine)),
      reducedLength: .metres(WGS84.polarRadius * reduced),
      scale: cosine + (t * p.sigma2.sine - p.sigma2.cosine * j12) * sigma1.sine / dn1,
      scaleAtStart: cosine - (t * sigma1.sine - sigma1.cosine * j12) * p.sigma2.sine / p.dn2)
  }

  private struct Place {
    let coordinate: Coordinate
    let sigma2: UnitAngle
    let sigma12: Double
    let dn2: Double
  }

  private func place(at distance: Distance) -> Place {
    // Distance to τ, τ to σ (equations 7 and 20), σ to latitude and longitude (8, 11 to 14).
    let tau12 = distance.metres / (WGS84.polarRadius * a1)
    let tau2 = tau1 + UnitAngle(radians: tau12)
    let b12 = -c1Reverted.value(at: tau2)
    let sigma12 = tau12 - (b12 - b11)
    let sigma2 = sigma1 + UnitAngle(radians: sigma12)

    let beta2Sine = alpha0.cosine * sigma2.sine
    let beta2Cosine = UnitAngle.hypotenuse(alpha0.sine, alpha0.cosine * sigma2.cosine)
    let latitude = Trigonometry.arctangentInDegrees(
      y: beta2Sine, x: (1 - WGS84.flattening) * beta2Cosine)

    let omega2 = UnitAngle(sine: alpha0.sine * sigma2.sine, cosine: sigma2.cosine)
    let omega12 = Trigonometry.arctangent(
      y: omega2.sine * omega1.cosine - omega2.cosine * omega1.sine,
      x: omega2.cosine * omega1.cosine + omega2.sine * omega1.sine)
    let lambda12 = omega12 + a3c * (sigma12 + (c3.value(at: sigma2) - b31))
    let longitude = start.longitude.degrees + lambda12 * Trigonometry.degreesPerRadian.high
    return Place(
      coordinate: Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude)),
      sigma2: sigma2, sigma12: sigma12,
      dn2: (1 + WGS84.secondEccentricitySquared * beta2Sine * beta2Sine).squareRoot())
  }
}

/// β of equation 6. Its cosine is never zero, so that the directions at a pole keep a meaning.
func reducedLatitude(ofDegrees latitude: Double) -> UnitAngle {
  let phi = UnitAngle(degrees: withoutDust(latitude))
  let beta = UnitAngle(along: (1 - WGS84.flattening) * phi.sine, phi.cosine)
  return UnitAngle(sine: beta.sine, cosine: max(0x1p-511, beta.cosine))
}

/// Degrees, those below 2⁻⁵⁷ (a picometre) brought to a multiple of it, so that no product underflows.
func withoutDust(_ degrees: Double) -> Double {
  let size = abs(degrees)
  guard size < 0.0625 else { return degrees }
  return Double(signOf: degrees, magnitudeOf: 0.0625 - (0.0625 - size))
}
