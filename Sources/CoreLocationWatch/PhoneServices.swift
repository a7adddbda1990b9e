import AlarmEngine
import Geometry
import PhoneHost

/// What the watch needs of a phone besides location. An application wires it to timers, Core Motion and background
/// tasks; on the simulator it is the application's environment.
public struct PhoneServices {
  public var now: () -> Instant
  /// A clock that nobody sets, from any moment on, and that goes on while the phone sleeps (`ContinuousClock`): where `now`
  /// moves otherwise, it was set. Nil where there is none; then the application says so (`LocationWatch/clockJumped(by:)`).
  public var uptime: (() -> TimeSpan)?
  /// Runs the action after the span, as long as the process runs; the closure that comes back cancels it.
  public var after: (TimeSpan, @escaping () -> Void) -> () -> Void
  /// Tells of every change of motion; nil stops. The phone has no motion hardware where this is nil.
  public var watchMotion: (((Motion) -> Void)?) -> Void
  public var hasMotion: Bool
  public var holdBackground: () -> Void
  public var releaseBackground: () -> Void
  /// Plans a local notification that says that the alarm clock sleeps, in place of the former one; nil takes it
  /// back.
  public var warnIfSilent: (Instant?) -> Void
  /// Carries out `PhoneCommand.append` and `.replace`: what they hold is on the disk when it returns.
  public var keep: (PhoneCommand) -> Void
  /// Where accepted positions wait for a server: keeps lines on the disk, and sends the oldest. Nil: nothing is reported.
  public var reports: Reports?
  public struct Reports {
    public var keep: ([UInt8]) -> Void
    public var send: (@escaping (ReportOutcome) -> Void) -> Void
    public init(
      keep: @escaping ([UInt8]) -> Void, send: @escaping (@escaping (ReportOutcome) -> Void) -> Void
    ) {
      self.keep = keep
      self.send = send
    }
  }
  /// True if Wi-Fi is on, as far as the application can know.
  public var hasWifi: () -> Bool
  public var battery: () -> Capabilities.Battery

  public init(
    now: @escaping () -> Instant, uptime: (() -> TimeSpan)? = nil,
    after: @escaping (TimeSpan, @escaping () -> Void) -> () -> Void,
    hasMotion: Bool = false, watchMotion: @escaping (((Motion) -> Void)?) -> Void = { _ in },
    holdBackground: @escaping () -> Void = {}, releaseBackground: @escaping () -> Void = {},
    warnIfSilent: @escaping (Instant?) -> Void = { _ in },
    keep: @escaping (PhoneCommand) -> Void, reports: Reports? = nil, hasWifi: @escaping () -> Bool = { true },
    battery: @escaping () -> Capabilities.Battery = { .full }
  ) {
    self.now = now
    self.uptime = uptime
    self.after = after
    self.hasMotion = hasMotion
    self.watchMotion = watchMotion
    self.holdBackground = holdBackground
    self.releaseBackground = releaseBackground
    self.warnIfSilent = warnIfSilent
    self.keep = keep
    self.reports = reports
    self.hasWifi = hasWifi
    self.battery = battery
  }
}

/// Any policy as one type, for hosts that are told at run time which one to follow.
public struct AnyWatch: WatchDecisions {
  private var policy: any WatchDecisions
  public init(_ policy: any WatchDecisions) { self.policy = policy }
  public var reason: WatchReason { policy.reason }
  public mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
    policy.handle(event, at: now, zones: zones)
  }
  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    policy.guarantee(ofWatched: zone, zones)
  }
}
