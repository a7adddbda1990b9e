import Geometry

/// Keeps a session running at all times. The reference for lateness and energy.
public struct ContinuousWatch: WatchDecisions, Hashable {
  public struct Parameters: Hashable, Sendable {
    public var accuracy = DesiredAccuracy.best
    /// The distance between two updates; nil reports every update. 30 m saves 4 % of the energy (measured,
    /// iPhone 6).
    public var distanceFilter: Distance?
    /// True if the platform may pause the session while the phone lies still. It does so by default, and
    /// resumes the session only in the foreground.
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
      // Resumes a session that the platform paused.
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
