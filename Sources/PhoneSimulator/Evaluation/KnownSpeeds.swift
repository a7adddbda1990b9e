/// What the observer of a bound knows of how fast the phone may be, metres a second.
public enum KnownSpeeds: Hashable, Sendable {
  /// So fast, whatever the phone does.
  case always(Double)
  /// So fast while it moves, and that it is still while it is, as if motion hardware told so at once.
  case moving(Double)
  /// By its true motion; nothing while it is still.
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
