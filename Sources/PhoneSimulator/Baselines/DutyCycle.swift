import AlarmEngine
import Geometry

/// C12: waits behind a fence of 100 m, tracks at best accuracy once it was left, and waits again after ten
/// minutes within 100 m; e-mission's duty cycle. It rings at every position in a zone that is accurate to 200
/// m.
public struct DutyCycle: Baseline {
  public struct Parameters: Hashable, Sendable {
    public var fence = Distance.metres(100)
    /// A trip is over once the phone has stayed this long within `standing`.
    public var tripEnd = TimeSpan.minutes(10)
    public var standing = Distance.metres(100)
    /// Coarser positions are not used.
    public var coarsest = Distance.metres(200)
    public init() {}
  }

  public let parameters: Parameters
  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var causes: [RingCause] = []
  private var isTracking = false
  private var last: Fix?
  private var anchor: (position: Coordinate, since: Instant)?

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    causes = []
    switch event {
    case .started:
      self = Self(parameters: parameters)
      return [.significantChanges(true), .visits(true)] + track()
    case .stopped:
      return [.fences([]), .significantChanges(false), .visits(false), .timer(nil), .endSession]
    case .fenceExited, .fenceState(_, inside: false): return isTracking ? [] : track()
    case .fix(let fix), .significantChange(let fix): return take(fix, at: now)
    case .timer: return isTracking ? wait(at: now) : []
    default: return []
    }
  }

  private mutating func track() -> [WatchCommand] {
    isTracking = true
    anchor = nil
    reason = WatchReason(.followsContinuously)
    return [.session(Session(accuracy: .best)), .timer(nil)]
  }

  private mutating func take(_ fix: Fix, at now: Instant) -> [WatchCommand] {
    guard case .radius(let accuracy) = fix.accuracy, accuracy <= parameters.coarsest else { return [] }
    causes = [.position(fix)]
    last = fix
    guard isTracking else { return [] }
    if let anchor, anchor.position.distance(to: fix.position) <= parameters.standing { return [] }
    anchor = (fix.position, now)
    return [.timer(now + parameters.tripEnd)]
  }

  /// The trip is over.
  private mutating func wait(at now: Instant) -> [WatchCommand] {
    guard let last, let anchor, now - anchor.since >= parameters.tripEnd else { return [] }
    isTracking = false
    reason = WatchReason(.insideMovementFence, margin: parameters.fence)
    return [
      .fences([Fence(id: .movement, center: last.position, radius: parameters.fence, onEntry: false)]),
      .timer(nil), .endSession,
    ]
  }
}
