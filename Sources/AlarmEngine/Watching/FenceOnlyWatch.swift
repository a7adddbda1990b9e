import Geometry

/// Tracks the phone with one fence around it. When the phone leaves the fence, a short search for a position
/// moves it (S169-S186).
///
/// As published, the policy can end up without a fence: the system refuses a fence beyond its largest radius
/// after the old fence was removed, and a launch without a position registers none.
/// `FenceOnlyParameters.corrected` fixes both.
public struct FenceOnlyWatch: WatchDecisions, Hashable {
  /// One line of the log (S170); the host writes it.
  public enum Line: Hashable, Sendable {
    case launched
    case searches(for: TimeSpan)
    case position(Fix)
    case dropped(Fix)
    case fence(Fence)
    case left(FenceID)
    case waits(for: TimeSpan)
    case foundNothing
    case refused(FenceID)
    case terminates
  }
  private enum Activity: Hashable {
    case none
    /// `since`: the fence when the search began.
    case searching(since: Fence?)
    /// Waits before a search of this duration.
    case waiting(search: TimeSpan)
  }

  public let parameters: FenceOnlyParameters
  public private(set) var reason = WatchReason(.notStarted)
  /// The log lines of the last event.
  public private(set) var lines: [Line] = []
  private var capabilities = Capabilities.suspended
  private var activity = Activity.none
  private var isStarted = false
  private var isInBackground = false
  private var wishes = PhoneWishes()
  private var told: PhoneWishes?
  private var requests: [WatchCommand] = []

  public init(parameters: FenceOnlyParameters = .corrected) { self.parameters = parameters }

  /// The fence around the phone; nil if there is none.
  public var fence: Fence? { wishes.fences.first }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    lines = []
    requests = []
    if case .started = event {} else if !isStarted { return [] }
    react(to: event, at: now)
    let commands = wishes.commands(since: told) + requests
    told = isStarted ? wishes : nil
    return commands
  }

  private mutating func react(to event: WatchEvent, at now: Instant) {
    switch event {
    case .started(let start, let capabilities, _):
      let fence = fence
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      if let fence { wishes.fences = [fence] }
      isStarted = true
      isInBackground = start != .person
      launch(at: now)
    case .stopped:
      isStarted = false
      activity = .none
      wishes = PhoneWishes()
      reason = WatchReason(.notStarted)
      requests.append(.releaseBackground)
    case .capabilitiesChanged(let capabilities): self.capabilities = capabilities
    case .fix(let fix): take(fix, at: now)
    case .significantChange: launch(at: now)
    case .fenceExited(let id): leave(id, at: now)
    case .fenceFailed(let id):
      lines.append(.refused(id))
      wishes.fences = []
      reason = WatchReason(.fenceLost)
      if parameters.isCorrected { wishes.significantChanges = capabilities.significantChanges }
    case .timer: wake(at: now)
    case .clockJumped(let span):
      wishes.timer = wishes.timer.map { ClockJump(at: now, by: span).shifted($0) }
      reason.due = reason.due.map { ClockJump(at: now, by: span).shifted($0) }
      told?.timer = nil
    case .cameToForeground:
      isInBackground = false
      requests.append(.holdBackground)
      search(for: parameters.polling, at: now)
    case .wentToBackground: isInBackground = true
    case .willTerminate:
      lines.append(.terminates)
      if isInBackground { wishes.significantChanges = capabilities.significantChanges }
    case .fixFailed, .fenceEntered, .fenceState, .visitArrived, .visitDeparted, .motion, .zonesChanged: break
    }
  }

  private mutating func launch(at now: Instant) {
    lines.append(.launched)
    requests.append(.holdBackground)
    search(for: parameters.polling, at: now)
  }

  private mutating func search(for span: TimeSpan, at now: Instant) {
    lines.append(.searches(for: span))
    activity = .searching(since: fence)
    wishes.session = Session(accuracy: parameters.accuracy, distanceFilter: parameters.distanceFilter)
    wishes.timer = now + span
    reason = WatchReason(.pollsFence, margin: fence?.radius, due: wishes.timer)
  }

  private mutating func take(_ fix: Fix, at now: Instant) {
    requests.append(.holdBackground)
    guard case .radius(let accuracy) = fix.accuracy,
      now - fix.measuredAt <= parameters.oldestPosition
    else {
      lines.append(.dropped(fix))
      return
    }
    lines.append(.position(fix))
    if accuracy <= parameters.fineAccuracy { wishes.session = nil }
    lay(
      fix.position,
      max(accuracy + parameters.margin, accuracy * parameters.accuracyFactor))
  }

  private mutating func leave(_ id: FenceID, at now: Instant) {
    lines.append(.left(id))
    requests.append(.holdBackground)
    let available = capabilities.backgroundTime - parameters.buffer
    guard available > .zero else {
      guard let fence else { return }
      return lay(fence.center, max(fence.radius * parameters.leftFactor, parameters.leftRadius))
    }
    let search = min(available, parameters.polling)
    let wait = available - search
    lines.append(.waits(for: wait))
    activity = .waiting(search: search)
    wishes.timer = now + wait
    reason = WatchReason(.waitsBeforePolling, margin: fence?.radius, due: wishes.timer)
  }

  private mutating func wake(at now: Instant) {
    wishes.timer = nil
    told?.timer = nil
    switch activity {
    case .none: break
    case .waiting(let span): search(for: span, at: now)
    case .searching(let former):
      activity = .none
      wishes.session = nil
      if let former, former == fence {
        lines.append(.foundNothing)
        lay(former.center, former.radius + parameters.growth)
      } else if fence == nil {
        lines.append(.foundNothing)
        reason = WatchReason(.fenceLost)
        if parameters.isCorrected { wishes.significantChanges = capabilities.significantChanges }
      }
      requests.append(.releaseBackground)
    }
  }

  private mutating func lay(_ center: Coordinate, _ radius: Distance) {
    let radius = parameters.isCorrected ? min(radius, capabilities.largestFence) : radius
    let fence = Fence(id: .movement, center: center, radius: radius, onEntry: false)
    lines.append(.fence(fence))
    wishes.fences = [fence]
    wishes.significantChanges = false
    reason = WatchReason(.fenceTier, margin: radius)
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    if !isStarted { return .notWatched(.stopped) }
    return capabilities.authorized ? .bestEffort(.policyHasNoBound) : .notWatched(.notAuthorized)
  }
}
