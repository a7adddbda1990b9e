import AlarmEngine

/// C2 and C3: a session at best accuracy all the time; the measure of energy for all others.
public struct AlwaysOn: WatchDecisions {
  public private(set) var reason = WatchReason(.notStarted)
  private let distanceFilter: Double?
  private let mayPause: Bool

  /// - Parameter mayPause: the platform's default, which saves energy and never resumes in the background.
  public init(distanceFilter: Double? = nil, mayPause: Bool = false) {
    self.distanceFilter = distanceFilter
    self.mayPause = mayPause
  }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch event {
    case .started, .capabilitiesChanged:
      reason = WatchReason(.followsContinuously)
      return [.session(Session(accuracy: .best, distanceFilter: distanceFilter, mayPause: mayPause))]
    case .stopped:
      reason = WatchReason(.notStarted)
      return [.endSession]
    default:
      return []
    }
  }
}
