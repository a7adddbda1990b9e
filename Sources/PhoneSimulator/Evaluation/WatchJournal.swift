import AlarmEngine
import Geometry

/// The events and commands between a policy and its phone, as far as a promise's assumptions depend on them.
public struct WatchJournal: Sendable {
  /// A wait for a fix: after a request, or after the last fix of a session.
  struct Wait: Sendable {
    let from: Instant
    let to: Instant
    /// True if the receiver was already running.
    let isFollowing: Bool
    /// True if the receiver had been used a short while before.
    let isHot: Bool
    let isAnswered: Bool
  }
  struct Word: Sendable {
    let at: Instant
    let motion: Motion
  }
  struct StandingFence: Sendable {
    let fence: Fence
    let from: Instant
    fileprivate(set) var to: Instant?
  }

  private(set) var waits: [Wait] = []
  private(set) var words: [Word] = []
  private(set) var fences: [StandingFence] = []
  private var request: Instant?
  private var session: (since: Instant, isFollowing: Bool)?
  private var satellitesUsedAt: Instant?
  private let parameters = CertifiedParameters()

  public init() {}

  mutating func note(_ event: WatchEvent, _ commands: [WatchCommand], at now: Instant) {
    switch event {
    case .fix(let fix): answer(fix, at: now)
    case .fixFailed: endRequest(at: now, isAnswered: false)
    case .motion(let motion): words.append(Word(at: now, motion: motion))
    case .fenceExited(.movement), .visitDeparted, .significantChange: endFence(at: now)
    default: break
    }
    for command in commands {
      switch command {
      case .requestFix:
        endRequest(at: now, isAnswered: false)
        request = now
      case .session(let wish):
        let isForPositions =
          wish.accuracy != .kilometre && wish.accuracy != .threeKilometres && !wish.wakesOnMotion
        if isForPositions, session == nil { session = (now, false) }
        if !isForPositions { endSession(at: now) }
      case .endSession: endSession(at: now)
      case .fences(let wanted):
        endFence(at: now)
        guard let fence = wanted.first(where: { $0.id == .movement }) else { continue }
        fences.append(StandingFence(fence: fence, from: now))
        // From now on the application may be suspended, and gets no motion report.
        words.append(Word(at: now, motion: .unknown))
      default: break
      }
    }
  }

  private func isHot(at time: Instant) -> Bool {
    satellitesUsedAt.map { time - $0 <= parameters.hotFor } ?? false
  }

  private mutating func answer(_ fix: Fix, at now: Instant) {
    endRequest(at: now, isAnswered: true)
    if let session {
      waits.append(
        Wait(
          from: session.since, to: now, isFollowing: session.isFollowing, isHot: isHot(at: session.since),
          isAnswered: true))
    }
    guard case .radius(let radius) = fix.accuracy, radius <= parameters.satelliteAccuracy else {
      return
    }
    satellitesUsedAt = now
    if session != nil { session = (now, true) }
  }

  private mutating func endRequest(at now: Instant, isAnswered: Bool) {
    guard let since = request else { return }
    request = nil
    waits.append(
      Wait(from: since, to: now, isFollowing: false, isHot: isHot(at: since), isAnswered: isAnswered))
  }

  private mutating func endSession(at now: Instant) {
    guard let session else { return }
    self.session = nil
    waits.append(
      Wait(
        from: session.since, to: now, isFollowing: session.isFollowing, isHot: isHot(at: session.since),
        isAnswered: true))
  }

  private mutating func endFence(at now: Instant) {
    if let last = fences.indices.last, fences[last].to == nil { fences[last].to = now }
  }

  /// All waits, including those that still last at `end`.
  func waits(until end: Instant) -> [Wait] {
    var all = waits
    if let request {
      all.append(
        Wait(from: request, to: end, isFollowing: false, isHot: isHot(at: request), isAnswered: false))
    }
    if let session {
      all.append(
        Wait(
          from: session.since, to: end, isFollowing: session.isFollowing, isHot: isHot(at: session.since),
          isAnswered: true))
    }
    return all
  }

  /// The last motion that was reported to the policy.
  func word(at time: Instant) -> Motion { words.last { $0.at <= time }?.motion ?? .unknown }
}

/// A policy whose events and commands are written to a record.
public struct WitnessedWatch: WatchDecisions {
  private var policy: any WatchDecisions
  private nonisolated(unsafe) let record: TrialRecord

  public init(_ policy: any WatchDecisions, record: TrialRecord) {
    self.policy = policy
    self.record = record
  }

  public var reason: WatchReason { policy.reason }

  public mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
    let commands = policy.handle(event, at: now, zones: zones)
    record.journal.note(event, commands, at: now - record.clockError())
    return commands
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    policy.guarantee(ofWatched: zone, zones)
  }
}
