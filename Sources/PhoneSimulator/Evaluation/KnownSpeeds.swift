/// Speed limits known to the observer of a bound, metres a second.
public enum KnownSpeeds: Hashable, Sendable {
  /// One limit, whatever the phone does.
  case always(Double)
  /// A limit while the phone moves; at rest the observer knows it is still, as if motion hardware reported it
  /// at once.
  case moving(Double)
  /// A limit for each true motion; zero while the phone is still.
  case modes(walking: Double, cycling: Double, vehicle: Double)

  func limit(_ motion: Journey.Motion) -> Double {
    switch (self, motion) {
    case (.always(let speed), _): speed
    case (.moving, .still), (.modes, .still): 0
    case (.moving(let speed), .walking), (.moving(let speed), .cycling), (.moving(let speed), .vehicle): speed
    case (.modes(let speed, _, _), .walking): speed
    case (.modes(_, let speed, _), .cycling): speed
    case (.modes(_, _, let speed), .vehicle): speed
    }
  }
}
