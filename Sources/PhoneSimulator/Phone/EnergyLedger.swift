import AlarmEngine

/// Energy use: joules by component, and the times and counts behind them.
///
/// Every joule is entered once, under one component; ``total`` is kept separately and must equal their sum.
public struct EnergyLedger: Sendable {
  public enum Component: UInt8, CaseIterable, Sendable {
    /// The phone without the application; not part of ``marginal``.
    case base
    /// Location sessions without their satellites.
    case session
    /// The satellite receiver while in use.
    case satellites
    /// The receiver after its last use.
    case satelliteTail
    /// Single positions by Wi-Fi or cell.
    case networkFix
    /// Lookups of unknown networks.
    case lookup
    /// Bringing a suspended or ended application back.
    case wake
    /// Running in the background without a session.
    case processor
    /// Regions, significant changes, visits.
    case monitoring
    /// The motion coprocessor.
    case motion
    /// The application's own use of the cellular network.
    case cellular
    /// Alerts to the user.
    case alert
  }

  private var joules = [Double](repeating: 0, count: Component.allCases.count)
  private var milliwatts = [Double](repeating: 0, count: Component.allCases.count)
  private var activeMilliseconds = [Int64](repeating: 0, count: Component.allCases.count)
  private var charges = [Int](repeating: 0, count: Component.allCases.count)
  private var until: Instant

  /// All components together, in joules, base included.
  public private(set) var total = 0.0

  init(start: Instant) { until = start }

  public subscript(component: Component) -> Double { joules[Int(component.rawValue)] }

  /// The application's energy in joules: everything but the base.
  public var marginal: Double { total - self[.base] }

  /// The time for which a component drew power: session hours, satellite seconds.
  public func time(_ component: Component) -> TimeSpan {
    .milliseconds(activeMilliseconds[Int(component.rawValue)])
  }

  /// The number of single charges of a component: wakes, network fixes, alerts.
  public func count(_ component: Component) -> Int { charges[Int(component.rawValue)] }

  /// The power drawn now.
  func power(_ component: Component) -> Double { milliwatts[Int(component.rawValue)] }

  mutating func setPower(_ component: Component, milliwatts power: Double, at now: Instant) {
    settle(at: now)
    milliwatts[Int(component.rawValue)] = power
  }

  mutating func charge(_ component: Component, joules amount: Double) {
    joules[Int(component.rawValue)] += amount
    charges[Int(component.rawValue)] += 1
    total += amount
  }

  /// Enters the energy drawn up to `now`.
  mutating func settle(at now: Instant) {
    let span = now - until
    guard span > .zero else { return }
    until = now
    var sum = 0.0
    for place in joules.indices where milliwatts[place] > 0 {
      let amount = milliwatts[place] * span.seconds / 1000
      joules[place] += amount
      activeMilliseconds[place] += span.milliseconds
      sum += amount
    }
    total += sum
  }
}
