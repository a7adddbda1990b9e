import Geometry

/// Decides which fixes are accepted. Remembers the last accepted fix and one suspected outlier.
///
/// A fix that can only be reached at more than the allowed speed is quarantined as a suspect. The next fix
/// decides about it, however much later it comes:
///
/// - It agrees with the suspect: the speed between the two is below 340 m/s, and either not higher than the
///   speed from the last accepted fix, or the latter is not allowed. Then both are accepted. A quarter more
///   than the speed that they show is allowed until a fix needs no more than the stated maximum.
/// - It agrees with the last accepted fix only. Then the suspect was an outlier.
/// - It agrees with neither. Then it is the new suspect, and the previous one was an outlier.
struct Tracking: Hashable, Sendable {
  private(set) var anchor: Fix?
  /// The accepted fix before the last.
  private(set) var previous: Fix?
  /// The storage of `suspect`, which most phones never have.
  private var heldSuspect = Seldom<Fix>.nothing
  /// Metres per second.
  private(set) var allowedSpeed: Double
  private(set) var sensors: SensorMemory
  private(set) var movement: Movement
  /// Empty if no zone has a lead time.
  var course = Course()

  /// The speed of sound: nothing that people travel in over the ground is faster.
  static let greatestSpeed = Speed.metresPerSecond(340)
  /// Seconds. Many loggers cut time stamps to whole seconds.
  static let clockGrain = 1.0
  /// The distance in metres that two fixes may be apart, in addition to their errors.
  static let slack = 50.0

  init(settings: Settings) {
    allowedSpeed = settings.maximumSpeed.metresPerSecond
    sensors = SensorMemory()
    movement = Movement()
  }

  init(
    anchor: Fix?, previous: Fix?, suspect: Fix?, allowedSpeed: Double, sensors: SensorMemory,
    movement: Movement
  ) {
    self.anchor = anchor
    self.previous = previous
    self.allowedSpeed = allowedSpeed
    self.sensors = sensors
    self.movement = movement
    self.suspect = suspect
  }

  /// A fix that may be an outlier.
  private(set) var suspect: Fix? {
    get { heldSuspect.value }
    set { heldSuspect = Seldom(newValue) }
  }

  enum Outcome: Hashable, Sendable {
    /// The fix is to be processed, after the suspect that it confirms, if there is one.
    case accepted(after: Fix?)
    case quarantined
    case ignored(Ignored)
  }

  /// - Parameter apart: an upper bound of the distance from the last accepted fix; nil if it is not known.
  /// - Returns: what to do with the fix, and the earlier suspect if it turned out to be an outlier.
  mutating func take(
    _ fix: Fix, atMost apart: Distance? = nil, settings: Settings
  ) -> (outcome: Outcome, outlier: Fix?) {
    if case .invalid = fix.accuracy { return (.ignored(.invalidAccuracy), nil) }
    if fix.measuredAt - fix.receivedAt > settings.clockAllowance { return (.ignored(.fromTheFuture), nil) }
    guard let anchor else { return (accept(fix, settings), nil) }
    if isCoarser(fix, than: anchor, settings) { return (.ignored(.tooCoarse), nil) }
    if suspect == nil, let apart {
      // Even the upper bound is slow enough, so the distance need not be measured.
      let stated = settings.maximumSpeed.metresPerSecond
      if Self.neededSpeed(from: anchor, to: fix, apart: apart, settings) <= min(allowedSpeed, stated) {
        allowedSpeed = stated
        return (accept(fix, settings), nil)
      }
    }
    let needed = Self.neededSpeed(from: anchor, to: fix, settings)
    if let suspect {
      let between = Self.neededSpeed(from: suspect, to: fix, settings)
      // A fix that agrees with both confirms the one that needs less speed: a missed alarm is worse than a
      // false one.
      if between < Self.greatestSpeed.metresPerSecond, between <= needed || needed > allowedSpeed {
        allow(between, settings)
        return (accept(fix, after: suspect, settings), nil)
      }
    }
    if needed <= allowedSpeed {
      if needed <= settings.maximumSpeed.metresPerSecond { allow(needed, settings) }
      let outlier = suspect
      return (accept(fix, settings), outlier)
    }
    let outlier = suspect
    suspect = fix
    return (.quarantined, outlier)
  }

  /// Sets the allowed speed: the stated maximum or, if `shown` is above it, a quarter more than `shown`, at
  /// most `greatestSpeed`.
  private mutating func allow(_ shown: Double, _ settings: Settings) {
    let stated = settings.maximumSpeed.metresPerSecond
    allowedSpeed = shown <= stated ? stated : min(Self.greatestSpeed.metresPerSecond, shown * 1.25)
  }

  private mutating func accept(_ fix: Fix, after released: Fix? = nil, _ settings: Settings) -> Outcome {
    if let released {
      sensors.note(released, after: anchor, settings)
      movement.note(released, settings)
    }
    sensors.note(fix, after: released ?? anchor, settings)
    movement.note(fix, settings)
    previous = released ?? anchor
    anchor = fix
    suspect = nil
    return .accepted(after: released)
  }

  /// True if the fix is less accurate than the last position, enlarged by the distance that the phone can
  /// have moved since.
  private func isCoarser(_ fix: Fix, than anchor: Fix, _ settings: Settings) -> Bool {
    let elapsed = max(0, (fix.measuredAt - anchor.measuredAt).seconds)
    return fix.radius(settings).metres > anchor.radius(settings).metres + allowedSpeed * elapsed + Self.slack
  }

  private static func neededSpeed(from a: Fix, to b: Fix, _ settings: Settings) -> Double {
    neededSpeed(from: a, to: b, apart: a.position.distance(to: b.position), settings)
  }

  private static func neededSpeed(from a: Fix, to b: Fix, apart: Distance, _ settings: Settings) -> Double {
    let factor = Rule.errorFactor(.normal)
    let errors = factor * (a.radius(settings) + b.radius(settings)).metres + slack
    return max(0, apart.metres - errors) / (max(0, (b.measuredAt - a.measuredAt).seconds) + clockGrain)
  }
}

extension Fix {
  /// The radius that holds the phone with a probability of 68 %; zero for an exact fix, never
  /// negative.
  func radius(_ settings: Settings) -> Distance {
    switch accuracy {
    case .radius(let radius): min(radius, Self.widestRadius)
    case .invalid: .zero
    case .unstated: max(.zero, min(settings.unstatedAccuracy, Self.widestRadius))
    }
  }

  /// The largest radius, five times half the circumference of the earth. A larger one has no more
  /// meaning, and sums stay finite.
  private static let widestRadius = Distance.metres(1e8)
}
