import Geometry

/// A measured position.
public struct Fix: Hashable, Sendable {
  public let position: Coordinate
  public let accuracy: Accuracy
  /// When the phone measured the position, by its clock.
  public let measuredAt: Instant
  /// When the host received the fix; equal to `measuredAt` if that is not known.
  public let receivedAt: Instant
  /// The speed over the ground; nil if the phone did not state it.
  public let speed: Speed?
  /// The direction of travel, clockwise from north, 0° to 360°; nil if the phone did not state it.
  public let course: Angle?
  /// The height of the phone; nil if the source does not know it.
  public let altitude: Altitude?

  public enum Accuracy: Hashable, Sendable {
    /// Radius of the circle that holds the phone with a probability of 68 %. Never negative in a fix.
    case radius(Distance)
    /// The source states no accuracy.
    case unstated
    /// The phone marks the fix as invalid, with this negative number in place of a radius.
    case invalid(stated: Distance)

    /// The number that the source stated, negative for an invalid fix; nil if it stated none.
    public var stated: Distance? {
      switch self {
      case .radius(let radius): radius
      case .unstated: nil
      case .invalid(let stated): stated
      }
    }
  }

  /// - Parameter accuracy: a negative radius becomes ``Accuracy/invalid(stated:)``, which is what phones mean
  ///   by it.
  public init(
    position: Coordinate, accuracy: Accuracy, measuredAt: Instant, receivedAt: Instant? = nil,
    speed: Speed? = nil, course: Angle? = nil, altitude: Altitude? = nil
  ) {
    self.position = position
    if case .radius(let radius) = accuracy, radius < .zero {
      self.accuracy = .invalid(stated: radius)
    } else {
      self.accuracy = accuracy
    }
    self.measuredAt = measuredAt
    self.receivedAt = receivedAt ?? measuredAt
    self.speed = speed
    self.course = course
    self.altitude = altitude
  }
}

/// The reason why a fix was not used. Every unused fix has one of these.
public enum Ignored: UInt8, Hashable, Sendable {
  /// The phone marks the fix as invalid (negative accuracy).
  case invalidAccuracy
  /// A fix with the same device, time, position and accuracy is known already.
  case duplicate
  /// An outlier: reaching it needs more than the allowed speed, and the next fix did not agree with it.
  case outlier
  /// Measured later than received, by more than the allowance.
  case fromTheFuture
  /// Less accurate than the last position, enlarged by the movement possible since then.
  case tooCoarse
  /// The fix is from a time that has been forgotten.
  case tooOld
}
