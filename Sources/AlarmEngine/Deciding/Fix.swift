import Geometry

/// A measured position.
public struct Fix: Hashable, Sendable {
  public let position: Coordinate
  public let accuracy: Accuracy
  /// By the phone.
  public let measuredAt: Instant
  /// By us; equal to `measuredAt` where nothing else is known.
  public let receivedAt: Instant
  /// Over the ground, where the phone said so.
  public let speed: Speed?
  /// Clockwise from north, 0° to 360°, where the phone said so.
  public let course: Angle?

  public enum Accuracy: Hashable, Sendable {
    /// Radius of the circle that holds the phone, 68 times in 100. Negative means the phone called the fix invalid.
    case radius(Distance)
    /// The source states none.
    case unstated
  }

  public init(
    position: Coordinate, accuracy: Accuracy, measuredAt: Instant, receivedAt: Instant? = nil,
    speed: Speed? = nil, course: Angle? = nil
  ) {
    self.position = position
    self.accuracy = accuracy
    self.measuredAt = measuredAt
    self.receivedAt = receivedAt ?? measuredAt
    self.speed = speed
    self.course = course
  }
}

/// Why a fix changed nothing. Every fix that is not used has one of these.
public enum Ignored: UInt8, Hashable, Sendable {
  /// The phone called it invalid (negative accuracy).
  case invalidAccuracy
  /// The same device, time, position and accuracy were there already.
  case duplicate
  /// It needs more than the stated maximum speed and no later fix agreed with it.
  case wild
  /// Measured in the future of the clock that received it, by more than the allowance.
  case fromTheFuture
  /// Worse than what is already known about the same moment.
  case tooCoarse
  /// From a time that has been forgotten.
  case tooOld
}
