/// The present stage of the certified policy, with its data.
public enum CertifiedStage: Hashable, Sendable {
  case stopped
  /// No zone is on duty, or positions are not allowed.
  case idle
  /// A fix of this accuracy was requested.
  case asking(for: DesiredAccuracy)
  /// Between single fixes. The next one is requested when it is due; nil if no zone needs one.
  case sleeping(due: Instant?)
  /// A session reports every step.
  case following(FollowedSession)
  /// A coarse session keeps a suspended application awake between single fixes.
  case ring(due: Instant?)
  /// A fence was registered. The application stays awake until the system reports that the phone is inside.
  case fencing(Fence, isParking: Bool)
  /// Suspended inside one large fence.
  case fenced(Fence)
  /// Suspended inside a small fence, near a zone, at rest.
  case parked(Fence)
  /// Suspended far from all zones; only significant changes wake the application.
  case coarse

  /// True if the application does not run until the system wakes it.
  var isSuspended: Bool {
    switch self {
    case .fenced, .parked, .coarse: true
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .fencing: false
    }
  }

  /// True if the phone is parked or about to be.
  var isParking: Bool {
    switch self {
    case .parked, .fencing(_, isParking: true): true
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .fencing, .fenced, .coarse: false
    }
  }

  func shifted(by jump: ClockJump) -> Self {
    switch self {
    case .sleeping(let due): .sleeping(due: due.map { jump.shifted($0) })
    case .ring(let due): .ring(due: due.map { jump.shifted($0) })
    case .following(let session): .following(session.shifted(by: jump))
    case .stopped, .idle, .asking, .fencing, .fenced, .parked, .coarse: self
    }
  }
}

/// A session that reports every step.
public struct FollowedSession: Hashable, Sendable {
  public let began: Instant
  /// The number of fixes in a row with deadlines that did not need the session.
  private var relaxedFixes = 0

  init(began: Instant) { self.began = began }

  /// Notes how long the zones can wait for the next fix; nil if they need none.
  ///
  /// - Parameters:
  ///   - isFix: the event is a fix.
  ///   - isUrgent: the phone may be about to enter; otherwise single fixes suffice.
  /// - Returns: true if the session may end.
  mutating func note(wait: TimeSpan?, isFix: Bool, isUrgent: Bool, _ known: PhoneKnowledge) -> Bool {
    let isRelaxed = wait.map { $0 > known.parameters.sessionBreakEvenWarm * 2 } ?? true
    if isFix { relaxedFixes = isRelaxed ? relaxedFixes + 1 : 0 }
    // At rest a session reports no fix, and none is needed.
    let isAtRest = known.budget.motion == .still && isRelaxed || !isUrgent && known.isSettled
    return relaxedFixes >= known.parameters.fixesToLeaveSession || isAtRest
  }

  /// True if satellites should have given a fix by now.
  func missesSatellites(at now: Instant, _ known: PhoneKnowledge) -> Bool {
    // A session is silent at rest, whatever can be received.
    let since = [known.satellites.usedAt, known.satellites.setOffAt].compactMap { $0 }.reduce(began, max)
    return now - since > known.parameters.coldFix + known.parameters.handling
  }

  /// True if any fix should have come by now.
  func isSilent(at now: Instant, _ known: PhoneKnowledge) -> Bool {
    let parameters = known.parameters
    let silent = now - max(began, known.lastFixAt ?? began)
    let isStarting = known.satellites.usedAt.map { $0 < began } ?? true
    return silent >= (isStarting ? min(parameters.sessionFix, parameters.hotFix) : parameters.sessionFix)
  }

  func shifted(by jump: ClockJump) -> Self {
    var session = Self(began: jump.shifted(began))
    session.relaxedFixes = relaxedFixes
    return session
  }
}
