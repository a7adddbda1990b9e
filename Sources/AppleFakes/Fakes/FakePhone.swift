import AlarmEngine
import Foundation
import PhoneSimulator

/// State of one simulated iPhone beyond that of `Phone`: settings, notification centre, system alarms, sounds
/// played. It outlives the application's process.
///
/// Tests change the settings that a person would change and read the results that a person would see.
@MainActor
public final class FakePhone {
  /// A person's answers and settings.
  public struct Settings {
    /// Answered to the prompt for notifications; changed later in the settings by ``FakePhone/change(_:)``.
    public var notifications = Permission.undecided(answer: true)
    public var timeSensitive = true
    public var alarms = Permission.undecided(answer: true)
    public var lowPower = false
    public var backgroundRefresh = true
    /// 0 to 1.
    public var batteryLevel: Float = 0.8
    public var hasMotion = true
    /// As tags, the best first.
    public var languages = ["en-GB"]
  }
  public enum Permission: Hashable, Sendable {
    case undecided(answer: Bool)
    case granted, denied
  }

  public internal(set) var settings = Settings()
  public let notificationCentre = NotificationCentre()
  public let systemAlarms = SystemAlarms()
  public let network = FakeNetwork()
  public let keychain = FakeKeychain()
  public internal(set) var sounding: [Sounding] = []
  /// URLs opened outside the application.
  public internal(set) var opened: [URL] = []
  /// Share sheets that the application presented and nobody has answered yet.
  public internal(set) var sharing: [UIActivityViewController] = []
  /// The folder of the application's files.
  public var folder = URL(fileURLWithPath: "/nowhere")
  /// Called after each write of the application to its files; a test can end the process here.
  public var onWritten: () -> Void = {}
  let tasks = PlannedTasks()
  /// The application object of the running process.
  var application: UIApplication?
  var isBatteryMonitored = false

  /// A stretch of sound that the application itself played.
  public struct Sounding {
    public let began: Instant
    public var ended: Instant?
    public let file: URL
    /// The volume from then on, 0 to 1, each time that it was set.
    public var volumes: [(at: Instant, volume: Float)] = []
    weak var player: AVAudioPlayer?
  }

  nonisolated init() {}

  /// The fake of the phone whose application is running.
  static var current: FakePhone {
    guard let phone = Phone.current else {
      preconditionFailure("fakes of UIKit and its neighbours belong to an application that runs on a phone")
    }
    return phone.fake
  }

  /// True if the calling code belongs to a process that has not ended. Code of an ended process does nothing.
  static var isRunning: Bool { Phone.current?.environment != nil }

  static func after(_ seconds: Double, _ action: @escaping @MainActor () -> Void) {
    guard let phone = Phone.current else { return }
    phone.at(phone.now + .seconds(max(0, seconds))) { _ in MainActor.assumeIsolated { action() } }
  }

  /// Does it on another thread, as frameworks of Objective-C call back, while this one waits: the order of events is the phone's.
  nonisolated static func offMain(_ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    let phone = Phone.current
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Phone.$current.withValue(phone) { action() }
      isDone.signal()
    }
    isDone.wait()
  }

  static var now: Instant {
    guard let phone = Phone.current else { preconditionFailure("no phone is running") }
    return phone.now
  }
}

extension Phone {
  /// The fakes' state of this phone.
  public var fake: FakePhone { kept { FakePhone() } }

  /// Changes settings as a person does. As on an iPhone, the application is notified of some changes and
  /// finds the others when it next reads the settings.
  @MainActor
  public func change(_ change: @escaping @MainActor (inout FakePhone.Settings) -> Void) {
    perform { phone in
      MainActor.assumeIsolated {
        let fake = phone.fake
        let before = fake.settings
        change(&fake.settings)
        guard phone.isApplicationExecuting else { return }
        let centre = NotificationCenter.default
        if before.lowPower != fake.settings.lowPower {
          centre.post(name: .NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
        }
        if before.backgroundRefresh != fake.settings.backgroundRefresh {
          centre.post(name: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil)
        }
        if before.batteryLevel != fake.settings.batteryLevel, fake.isBatteryMonitored {
          centre.post(name: UIDevice.batteryLevelDidChangeNotification, object: nil)
        }
      }
    }
  }
}
