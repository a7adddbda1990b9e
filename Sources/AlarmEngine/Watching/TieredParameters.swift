import Geometry

/// Settings of the classic three tiers (S112-S124). Where its documents name no default, one was chosen by us.
public struct TieredParameters: Hashable, Sendable {
  /// Standard Threshold: nearer than this, continuous updates (S113).
  public var standardThreshold = Distance.metres(50)
  /// Significant Threshold: nearer than this, significant changes (S115). Ours, 500 to 2,000 m make sense.
  public var significantThreshold = Distance.metres(1000)
  /// To move between two continuous updates (S114). Ours, 5 to 50 m make sense.
  public var distanceFilter = Distance.metres(10)
  /// The time after which the region tier looks by itself, since a region may never be entered (S123); only runs
  /// while the application does. Ours.
  public var closeRegionTimeout = TimeSpan.seconds(900)
  /// Zones this near are close, whatever the nearest one's distance (S121, S122). Ours.
  public var closeRegionMinimumDistance = Distance.metres(5000)
  /// Zones within so many times the nearest one's distance are close (S121).
  public var closeFactor = 2.0
  /// A region is so many times as large as the circle that encloses its zone (S118), and at least the Significant
  /// Threshold larger (S117).
  public var regionEnlargement = 1.5
  /// A position older than this is not where the phone is. Ours.
  public var freshFor = TimeSpan.seconds(60)
  public var accuracy = DesiredAccuracy.best
  /// The disclaimer's reading allows continuous updates in the background; the main text's replaces them there by
  /// significant changes.
  public var followsInBackground = true

  public init() {}
  /// As the main text has it.
  public static var significantInBackground: Self {
    var parameters = Self()
    parameters.followsInBackground = false
    return parameters
  }
}
