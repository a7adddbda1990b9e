/// The ellipsoid of GPS: NGA.STND.0036, "Department of Defense World Geodetic System 1984" (2014), table 3.1.
public enum WGS84 {
  /// a, metres.
  public static let equatorialRadius = 6_378_137.0
  /// f
  public static let flattening = 1 / 298.257223563
  /// b = a (1 - f), metres.
  public static let polarRadius = 6_378_137.0 * (1 - 1 / 298.257223563)
  /// e² = f (2 - f)
  public static let eccentricitySquared = 1 / 298.257223563 * (2 - 1 / 298.257223563)
  /// e'² = e² / (1 - e²)
  static let secondEccentricitySquared =
    1 / 298.257223563 * (2 - 1 / 298.257223563)
    / ((1 - 1 / 298.257223563) * (1 - 1 / 298.257223563))
  /// n = f / (2 - f)
  static let thirdFlattening = 1 / 298.257223563 / (2 - 1 / 298.257223563)
}
