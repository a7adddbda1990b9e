/// Constants of tracking by one moving fence (S173-S186), as published in 2012.
public struct FenceOnlyParameters: Hashable, Sendable {
  /// Clamps a fence to the largest the phone allows, where the original registered what could fail, and goes on by
  /// significant changes where the original gave up (S186).
  public var isCorrected = false
  /// Seconds of one search for a position (S173, S174, S183).
  public var polling = 45.0
  /// Seconds of background time that are never used (S181).
  public var buffer = 30.0
  /// Metres by which the fence grows when no position came: the farthest travel in ten minutes (S175).
  public var growth = 32_000.0
  /// Seconds: older positions are dropped (S176).
  public var oldestPosition = 5.0
  /// Metres: so accurate a position ends the search (S177).
  public var fineAccuracy = 100.0
  /// The new fence is the greater of accuracy plus this, metres, and the accuracy times the factor (S178).
  public var margin = 450.0
  public var accuracyFactor = 2.0
  /// Left with no background time, the fence becomes the greater of its radius times the factor and this, metres
  /// (S182).
  public var leftFactor = 2.0
  public var leftRadius = 5000.0
  /// Metres (S173).
  public var distanceFilter = 100.0
  public var accuracy = DesiredAccuracy.bestForNavigation
  // S179 asked the system to see a fence to the nearest ten metres; systems of today cannot be asked.

  public init() {}
  public static var asWritten: Self { Self() }
  public static var corrected: Self {
    var parameters = Self()
    parameters.isCorrected = true
    return parameters
  }
}
