import Geometry

/// Constants of tracking by one moving fence (S173-S186), as published in 2012.
public struct FenceOnlyParameters: Hashable, Sendable {
  /// Clamps a fence to the largest the phone allows, where the original registered what could fail, and goes on by
  /// significant changes where the original gave up (S186).
  public var isCorrected = false
  /// The length of one search for a position (S173, S174, S183).
  public var polling = TimeSpan.seconds(45)
  /// Background time that is never used (S181).
  public var buffer = TimeSpan.seconds(30)
  /// By how much the fence grows when no position came: the farthest travel in ten minutes (S175).
  public var growth = Distance.kilometres(32)
  /// Older positions are dropped (S176).
  public var oldestPosition = TimeSpan.seconds(5)
  /// So accurate a position ends the search (S177).
  public var fineAccuracy = Distance.metres(100)
  /// The new fence is the greater of accuracy plus this and the accuracy times the factor (S178).
  public var margin = Distance.metres(450)
  public var accuracyFactor = 2.0
  /// Left with no background time, the fence becomes the greater of its radius times the factor and this
  /// (S182).
  public var leftFactor = 2.0
  public var leftRadius = Distance.metres(5000)
  /// To move between two updates (S173).
  public var distanceFilter = Distance.metres(100)
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
