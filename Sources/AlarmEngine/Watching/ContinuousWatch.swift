import Geometry

/// Follows every step with a session, at all times: the yardstick for lateness and for energy.
public struct ContinuousWatch: WatchDecisions, Hashable {
  public struct Parameters: Hashable, Sendable {
    public var accuracy = DesiredAccuracy.best
    /// To move between two updates; nil is every update. Saves 4 % of the energy at 30 m (measured, iPhone 6).
    public var distanceFilter: Distance?
    /// The platform's default pauses a session of a phone that lies still, and resumes it in the foreground only.
    public var mayPause = false
    public init() {}
  }

  public let parameters: Parameters
  public private(set) var reason = WatchReason(.notStarted)
  private var wishes = PhoneWishes()
  private var told: PhoneWishes?
  private var isStarted = false
  private var mayWatch = true

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch event {
    case .started(_, let capabilities, _):
      self = Self(parameters: parameters)
      isStarted = true
      mayWatch = capabilities.authorized
    case .capabilitiesChanged(let capabilities): mayWatch = capabilities.authorized
    case .stopped: isStarted = false
    case .timer, .clockJumped: told?.timer = nil
    case .cameToForeground:
      // A session that the platform paused goes on.
      told?.session = nil
    case .fix, .fixFailed, .fenceEntered, .fenceExited, .fenceState, .fenceFailed, .significantChange,
      .visitArrived,
      .visitDeparted, .motion, .wentToBackground, .zonesChanged, .willTerminate:
      break
    }
    wishes.timer = nil
    if !isStarted {
      reason = WatchReason(.notStarted)
    } else if !mayWatch {
      reason = WatchReason(.mayNotWatch)
    } else if !zones.hasWatchedZones {
      reason = WatchReason(.nothingToWatch)
      wishes.timer = zones.nextScheduleChange
    } else {
      reason = WatchReason(.followsContinuously)
    }
    wishes.session =
      reason.rule == .followsContinuously
      ? Session(
        accuracy: parameters.accuracy, distanceFilter: parameters.distanceFilter,
        mayPause: parameters.mayPause)
      : nil
    guard isStarted || told != nil else { return [] }
    let commands = wishes.commands(since: told)
    told = isStarted ? wishes : nil
    return commands
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    if !isStarted { return .notWatched(.stopped) }
    return mayWatch ? .bestEffort(.policyHasNoBound) : .notWatched(.notAuthorized)
  }
}
