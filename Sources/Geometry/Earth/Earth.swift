/// Figures of the earth that follow from ``WGS84``, and the spheres that stand in for it where that is exact enough. Every
/// figure of the earth in the project is here or there.
public enum Earth {
  /// No two places are farther apart than this, from pole to pole.
  static let halfMeridian = 20_003_931.458_625_45
  /// Fewer metres than any degree of latitude has.
  public static let leastMetresPerDegree = 110_574.0
  /// More metres than any degree of latitude, or of longitude on the equator, has.
  public static let mostMetresPerDegree = 111_695.0
  /// Fewer metres than a degree of longitude has on the equator: 111,319.49.
  public static let leastMetresPerDegreeOfEquator = 111_319.0
  /// Metres per degree of latitude on the sphere of the mean radius, to a metre; within 0.56 % of every
  /// degree of latitude.
  public static let meanMetresPerDegree = 111_195.0
  /// R₁ = (2a + b) / 3, metres. H. Moritz, "Geodetic Reference System 1980", J. Geodesy 74 (2000).
  public static let meanRadius = 6_371_008.8
  /// R₂, metres: the radius of the sphere with the ellipsoid's area. Same source.
  public static let areaRadius = 6_371_007.18

  /// Metres for a radian of latitude and for a radian of longitude, at a latitude given by its sine.
  static func scales(sine: Double, cosine: Double) -> (north: Double, east: Double) {
    let w = 1 - WGS84.eccentricitySquared * sine * sine
    let n = WGS84.equatorialRadius / w.squareRoot()
    return (n * (1 - WGS84.eccentricitySquared) / w, n * cosine)
  }
}
