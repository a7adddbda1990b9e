import AlarmEngine
import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/coremotion/cmmotionactivitymanager
public final class CMMotionActivityManager {
  public init() {}
  /// https://developer.apple.com/documentation/coremotion/cmmotionactivitymanager/isactivityavailable()
  public static func isActivityAvailable() -> Bool {
    MainActor.assumeIsolated { FakePhone.current.settings.hasMotion }
  }
  /// https://developer.apple.com/documentation/coremotion/cmmotionactivitymanager/startactivityupdates(to:withhandler:)
  public func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping (CMMotionActivity?) -> Void
  ) {
    guard let environment = Phone.current?.environment else { return }
    environment.watchMotion {
      handler(CMMotionActivity($0, since: environment.motionSince ?? environment.now))
    }
  }
  /// https://developer.apple.com/documentation/coremotion/cmmotionactivitymanager/stopactivityupdates()
  public func stopActivityUpdates() { Phone.current?.environment?.watchMotion(nil) }
}

/// https://developer.apple.com/documentation/coremotion/cmmotionactivity
public final class CMMotionActivity {
  public let stationary: Bool
  public let walking: Bool
  public let running: Bool
  public let cycling: Bool
  public let automotive: Bool
  /// https://developer.apple.com/documentation/coremotion/cmmotionactivity/startdate
  public let startDate: Date
  init(_ motion: Journey.Motion, since: Instant) {
    startDate = Date(timeIntervalSince1970: Double(since.millisecondsSince1970) / 1000)
    stationary = motion == .still
    walking = motion == .walking
    running = false
    cycling = motion == .cycling
    automotive = motion == .vehicle
  }
}
