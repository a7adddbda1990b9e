import Geometry

/// What is believed about where the phone is: the last accepted fix, and one suspect.
///
/// A fix that needs more than the allowed speed is quarantined. The next fix decides, however long after: if it
/// agrees with the suspect (up to 340 m/s between the two, and no more than from the last accepted one), both are
/// accepted, and the speed they show is allowed until a fix needs no more than the stated maximum; if it agrees
/// with the last accepted one, the suspect was wild; else it is the new suspect.
struct Tracking: Hashable, Sendable {
  private(set) var anchor: Fix?
  /// The accepted fix before the last.
  private(set) var previous: Fix?
  private(set) var suspect: Fix?
  /// Metres a second.
  private(set) var allowedSpeed: Double

  /// Speed of sound: no phone that this is for moves faster over the ground.
  static let greatestSpeed = 340.0
  /// Time stamps are cut to whole seconds by many loggers.
  static let clockGrain = 1.0
  /// Metres that two fixes may lie apart whatever their accuracies say.
  static let slack = 50.0

  init(settings: Settings) { allowedSpeed = settings.maximumSpeed.metresPerSecond }

  init(anchor: Fix?, previous: Fix?, suspect: Fix?, allowedSpeed: Double) {
    self.anchor = anchor
    self.previous = previous
    self.suspect = suspect
    self.allowedSpeed = allowedSpeed
  }

  enum Outcome: Hashable, Sendable {
    /// To be processed, in this order; a released suspect comes first.
    case accepted([Fix])
    case quarantined
    case ignored(Ignored)
  }

  /// - Parameter apart: no less than the way from the last accepted fix, metres; nil where that is not known.
  /// - Returns: what to do with the fix, and a former suspect that turned out wild.
  mutating func take(
    _ fix: Fix, atMost apart: Double? = nil, settings: Settings
  ) -> (outcome: Outcome, wild: Fix?) {
    if case .radius(let radius) = fix.accuracy, radius < .zero { return (.ignored(.invalidAccuracy), nil) }
    if fix.measuredAt - fix.receivedAt > settings.clockAllowance { return (.ignored(.fromTheFuture), nil) }
    guard let anchor else { return (accept([fix]), nil) }
    if isCoarser(fix, than: anchor, settings) { return (.ignored(.tooCoarse), nil) }
    if suspect == nil, let apart {
      // Slow enough however long the way is: it need not be measured.
      let stated = settings.maximumSpeed.metresPerSecond
      if Self.neededSpeed(from: anchor, to: fix, apart: apart, settings) <= min(allowedSpeed, stated) {
        allowedSpeed = stated
        return (accept([fix]), nil)
      }
    }
    let needed = Self.neededSpeed(from: anchor, to: fix, settings)
    if let suspect {
      let between = Self.neededSpeed(from: suspect, to: fix, settings)
      // A fix that agrees with both speaks for the one it is nearer to in speed: a missed alarm is worse.
      if between < Self.greatestSpeed, between <= needed || needed > allowedSpeed {
        allow(between, settings)
        return (accept([suspect, fix]), nil)
      }
    }
    if needed <= allowedSpeed {
      if needed <= settings.maximumSpeed.metresPerSecond { allow(needed, settings) }
      let wild = suspect
      return (accept([fix]), wild)
    }
    let wild = suspect
    suspect = fix
    return (.quarantined, wild)
  }

  /// From now on, up to a quarter more than `shown` or the stated maximum, whichever is more.
  private mutating func allow(_ shown: Double, _ settings: Settings) {
    let stated = settings.maximumSpeed.metresPerSecond
    allowedSpeed = shown <= stated ? stated : min(Self.greatestSpeed, shown * 1.25)
  }

  private mutating func accept(_ fixes: [Fix]) -> Outcome {
    previous = fixes.count > 1 ? fixes[fixes.count - 2] : anchor
    anchor = fixes.last
    suspect = nil
    return .accepted(fixes)
  }

  /// The old position, grown by what the phone can have moved since, is the tighter knowledge.
  private func isCoarser(_ fix: Fix, than anchor: Fix, _ settings: Settings) -> Bool {
    let elapsed = max(0, (fix.measuredAt - anchor.measuredAt).seconds)
    return fix.radius(settings) > anchor.radius(settings) + allowedSpeed * elapsed + Self.slack
  }

  private static func neededSpeed(from a: Fix, to b: Fix, _ settings: Settings) -> Double {
    neededSpeed(from: a, to: b, apart: a.position.distance(to: b.position).metres, settings)
  }

  private static func neededSpeed(from a: Fix, to b: Fix, apart: Double, _ settings: Settings) -> Double {
    let factor = Rule.errorFactor(.normal)
    let errors = factor * (a.radius(settings) + b.radius(settings)) + slack
    return max(0, apart - errors) / (max(0, (b.measuredAt - a.measuredAt).seconds) + clockGrain)
  }
}

extension Fix {
  /// Metres, 68 times in 100; zero for an exact fix, and never less.
  func radius(_ settings: Settings) -> Double {
    switch accuracy {
    case .radius(let radius): max(0, min(radius.metres, Self.widestRadius))
    case .unstated: max(0, min(settings.unstatedAccuracy.metres, Self.widestRadius))
    }
  }

  /// Metres, five times half the way round the earth: a larger radius says no less, and sums of it stay finite.
  private static let widestRadius = 1e8
}
