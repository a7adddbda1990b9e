import AlarmEngine
import Geometry
import PhoneHost

/// The services of a phone, besides location, that the watch needs. An application connects them to timers,
/// Core Motion and background tasks; on the simulator they come from the application's environment.
public struct PhoneServices {
  public var now: () -> Instant
  /// The reading of a clock that is never set and runs while the phone sleeps (`ContinuousClock`), with any
  /// zero. A jump of `now` against it shows that the clock was set. Nil if there is none; then the
  /// application has to call ``LocationWatch/clockJumped(by:)``.
  public var uptime: (() -> TimeSpan)?
  /// Runs the action after the span if the process still runs; the returned closure cancels it.
  public var after: (TimeSpan, @escaping () -> Void) -> () -> Void
  /// Calls the handler at every change of motion, with the time that the hardware states for the change if it states one,
  /// until it is called with nil.
  public var watchMotion: (((Motion, Instant?) -> Void)?) -> Void
  /// True if the phone has motion hardware.
  public var hasMotion: Bool
  public var holdBackground: () -> Void
  public var releaseBackground: () -> Void
  /// Schedules a local notification that the alarm clock is not running, in place of the previous one; nil
  /// cancels it.
  public var warnIfSilent: (Instant?) -> Void
  /// Carries out `PhoneCommand.append` and `.replace`: the data must be on the disk when it returns.
  public var keep: (PhoneCommand) -> Void
  /// The queue of accepted positions for a server: stores lines on the disk, and sends the oldest. Nil:
  /// nothing is reported.
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
  /// The battery's charge for the journal; nil where it is unknown.
  public var batteryLevel: () -> BatteryLevel?

  public init(
    now: @escaping () -> Instant, uptime: (() -> TimeSpan)? = nil,
    after: @escaping (TimeSpan, @escaping () -> Void) -> () -> Void,
    hasMotion: Bool = false, watchMotion: @escaping (((Motion, Instant?) -> Void)?) -> Void = { _ in },
    holdBackground: @escaping () -> Void = {}, releaseBackground: @escaping () -> Void = {},
    warnIfSilent: @escaping (Instant?) -> Void = { _ in },
    keep: @escaping (PhoneCommand) -> Void, reports: Reports? = nil, hasWifi: @escaping () -> Bool = { true },
    battery: @escaping () -> Capabilities.Battery = { .full },
    batteryLevel: @escaping () -> BatteryLevel? = { nil }
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
    self.batteryLevel = batteryLevel
  }
}

/// Any policy as one type, for hosts that receive the policy at run time.
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
