/// The inverse problem between two points, brought to its canonical form and solved.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), sections 4 and 5: Newton's method on the
/// azimuth at the first point, from a start that is good even near the antipode, bracketed so that it cannot
/// get lost. Canonical: -90° <= φ₁ <= 0, φ₁ <= φ₂ <= -φ₁, 0 <= λ₁₂ <= 180°.
struct GeodesicInverse {
  /// Metres.
  var length = 0.0
  /// m₁₂, metres.
  var reducedLength = 0.0
  /// M₁₂
  var scale12 = 1.0
  /// M₂₁
  var scale21 = 1.0
  /// Azimuths at the points, forward.
  var alpha1 = UnitAngle(sine: 0, cosine: 1)
  var alpha2 = UnitAngle(sine: 0, cosine: 1)

  init(from a: Coordinate, to b: Coordinate) {
    // The difference of longitudes in two parts, exactly, within ±180°.
    let raw = Trigonometry.DoubleDouble.sum(b.longitude.degrees, -a.longitude.degrees)
    let turned = raw.high > 180 ? raw.high - 360 : raw.high < -180 ? raw.high + 360 : raw.high
    var lambda = Trigonometry.DoubleDouble.sum(turned, raw.low)
    let east = lambda.high < 0 ? -1.0 : 1.0
    if east < 0 { lambda = -lambda }

    var phi1 = withoutDust(a.latitude.degrees)
    var phi2 = withoutDust(b.latitude.degrees)
    let swapped = abs(phi1) < abs(phi2)
    if swapped { (phi1, phi2) = (phi2, phi1) }
    // On the equator the northern of two equal ways, as GeographicLib takes it.
    let signOfLatitude = phi1 >= 0 ? -1.0 : 1.0

    self = CanonicalGeodesic(phi1: phi1 * signOfLatitude, phi2: phi2 * signOfLatitude, lambda: lambda)
      .solved()
    if length == 0 {
      alpha1 = UnitAngle(sine: 0, cosine: 1)
      alpha2 = alpha1
      return
    }

    if swapped {
      (alpha1, alpha2) = (alpha2, alpha1)
      (scale12, scale21) = (scale21, scale12)
    }
    let north = swapped ? -signOfLatitude : signOfLatitude
    alpha1 = UnitAngle(sine: alpha1.sine * east, cosine: alpha1.cosine * north)
    alpha2 = UnitAngle(sine: alpha2.sine * east, cosine: alpha2.cosine * north)
  }

  init() {}
}
