import AlarmEngine

/// Runs a rebuilt policy with its own ring rule.
public struct PlainWatch: WatchDecisions {
  private var policy: any Baseline
  private let bell: PlainBell

  public init(_ policy: any Baseline, bell: PlainBell) {
    self.policy = policy
    self.bell = bell
  }

  public var reason: WatchReason { policy.reason }

  /// - Parameter zones: those of the silent record, which has none; the bell has the real ones.
  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    let zones = bell.surroundings(at: now)
    let commands = policy.handle(event, at: now, zones: zones)
    for cause in policy.causes { bell.take(cause, zones) }
    return commands
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    policy.guarantee(ofWatched: zone, zones)
  }
}

extension Trial.Contender {
  /// A rebuilt policy on a host that can run at any time.
  public init(
    baseline name: String, host: Capabilities.Host = .timed, policy: @escaping @Sendable () -> any Baseline
  ) {
    self.init(name: name, host: host) { phone, record in
      let bell = PlainBell(phone, record)
      let silent = bell.silentRecord
      phone.install {
        TimedWatch($0, host: host, record: silent, policy: PlainWatch(policy(), bell: bell))
      }
      phone.openApplication()
      if host != .visibleOnly { phone.leaveApplication() }
    }
  }
}
