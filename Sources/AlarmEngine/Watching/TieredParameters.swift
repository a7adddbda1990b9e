import Geometry

/// Settings of the classic three tiers (S112-S124). "Our choice" marks a default that its documents do not
/// name.
public struct TieredParameters: Hashable, Sendable {
  /// Standard Threshold: continuous updates below this distance (S113).
  public var standardThreshold = Distance.metres(50)
  /// Significant Threshold: significant changes below this distance (S115). Our choice; 500 to 2,000 m make
  /// sense.
  public var significantThreshold = Distance.metres(1000)
  /// The distance between two continuous updates (S114). Our choice; 5 to 50 m make sense.
  public var distanceFilter = Distance.metres(10)
  /// The time after which the region tier checks the position without an event, since a region may never be
  /// entered (S123). Runs only while the application does. Our choice.
  public var closeRegionTimeout = TimeSpan.seconds(900)
  /// Zones within this distance are close, however near the nearest one is (S121, S122). Our choice.
  public var closeRegionMinimumDistance = Distance.metres(5000)
  /// Zones within this multiple of the nearest one's distance are close (S121).
  public var closeFactor = 2.0
  /// The radius of a region as a multiple of its zone's enclosing circle (S118). It is larger than the circle
  /// by at least the Significant Threshold (S117).
  public var regionEnlargement = 1.5
  /// The greatest age of a position that still counts as the phone's. Our choice.
  public var freshFor = TimeSpan.seconds(60)
  public var accuracy = DesiredAccuracy.best
  /// True: continuous updates also in the background, as the disclaimer allows. False: significant changes
  /// instead, as the main text says.
  public var followsInBackground = true

  public init() {}
  /// The main text's reading.
  public static var significantInBackground: Self {
    var parameters = Self()
    parameters.followsInBackground = false
    return parameters
  }
}
