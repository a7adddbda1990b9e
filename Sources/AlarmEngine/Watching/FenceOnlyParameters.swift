import Geometry

/// The constants of tracking with one moving fence (S173-S186), as published in 2012.
public struct FenceOnlyParameters: Hashable, Sendable {
  /// Limits the fence to the largest radius the phone allows, where the original registered fences that could
  /// fail, and falls back to significant changes where the original gave up (S186).
  public var isCorrected = false
  /// The duration of one search for a position (S173, S174, S183).
  public var polling = TimeSpan.seconds(45)
  /// The part of the background time that is kept in reserve (S181).
  public var buffer = TimeSpan.seconds(30)
  /// The increase of the fence's radius after a search without a position: the farthest travel in ten minutes
  /// (S175).
  public var growth = Distance.kilometres(32)
  /// The greatest age of a usable position; older ones are dropped (S176).
  public var oldestPosition = TimeSpan.seconds(5)
  /// A position with at most this error ends the search (S177).
  public var fineAccuracy = Distance.metres(100)
  /// The new fence's radius is the greater of accuracy + `margin` and accuracy * `accuracyFactor` (S178).
  public var margin = Distance.metres(450)
  public var accuracyFactor = 2.0
  /// If the phone leaves the fence and no background time remains, the new radius is the greater of the old
  /// one times `leftFactor` and `leftRadius` (S182).
  public var leftFactor = 2.0
  public var leftRadius = Distance.metres(5000)
  /// The distance between two updates (S173).
  public var distanceFilter = Distance.metres(100)
  public var accuracy = DesiredAccuracy.bestForNavigation
  // S179 asked the system to monitor a fence to the nearest ten metres; current systems have no such option.

  public init() {}
  public static var asWritten: Self { Self() }
  public static var corrected: Self {
    var parameters = Self()
    parameters.isCorrected = true
    return parameters
  }
}
