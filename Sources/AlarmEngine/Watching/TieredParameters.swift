/// Settings of the classic three tiers (S112-S124). Where its documents name no default, one was chosen by us.
public struct TieredParameters: Hashable, Sendable {
  /// Standard Threshold, metres: nearer than this, continuous updates (S113).
  public var standardThreshold = 50.0
  /// Significant Threshold, metres: nearer than this, significant changes (S115). Ours, 500 to 2,000 make sense.
  public var significantThreshold = 1000.0
  /// Metres to move between two continuous updates (S114). Ours, 5 to 50 make sense.
  public var distanceFilter = 10.0
  /// Seconds after which the region tier looks by itself, since a region may never be entered (S123); only runs
  /// while the application does. Ours.
  public var closeRegionTimeout = 900.0
  /// Metres: zones this near are close, whatever the nearest one's distance (S121, S122). Ours.
  public var closeRegionMinimumDistance = 5000.0
  /// Zones within so many times the nearest one's distance are close (S121).
  public var closeFactor = 2.0
  /// A region is so many times as large as the circle that encloses its zone (S118), and at least the Significant
  /// Threshold larger (S117).
  public var regionEnlargement = 1.5
  /// A position older than this, seconds, is not where the phone is. Ours.
  public var freshFor = 60.0
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
