import AlarmEngine
import Foundation

#if canImport(UIKit)
  import CoreMotion
#else
  import AppleFakes
#endif

/// The phone's motion, reported by its motion hardware.
@MainActor
final class MotionWatch {
  static var isAvailable: Bool { CMMotionActivityManager.isActivityAvailable() }
  private let manager = CMMotionActivityManager()
  private var tell: ((Motion, Instant?) -> Void)?

  /// Watches the motion; nil stops.
  func watch(_ tell: ((Motion, Instant?) -> Void)?) {
    self.tell = tell
    guard tell != nil else { return manager.stopActivityUpdates() }
    manager.startActivityUpdates(to: .main) { activity in
      guard let activity else { return }
      let motion = Self.motion(activity)
      let since = Instant(
        millisecondsSince1970: Int64((activity.startDate.timeIntervalSince1970 * 1000).rounded()))
      MainActor.assumeIsolated { [weak self] in self?.tell?(motion, since) }
    }
  }

  nonisolated private static func motion(_ activity: CMMotionActivity) -> Motion {
    if activity.automotive { return .driving }
    if activity.cycling { return .cycling }
    if activity.running { return .running }
    if activity.walking { return .walking }
    return activity.stationary ? .still : .unknown
  }
}
