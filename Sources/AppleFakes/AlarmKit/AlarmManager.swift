import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/alarmkit/alarmmanager
public final class AlarmManager: Sendable {
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/shared
  public static let shared = AlarmManager()

  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/authorizationstate-swift.enum
  public enum AuthorizationState: Hashable, Sendable { case notDetermined, denied, authorized }

  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/authorizationstate-swift.property
  public var authorizationState: AuthorizationState {
    MainActor.assumeIsolated {
      switch FakePhone.current.settings.alarms {
      case .undecided: .notDetermined
      case .denied: .denied
      case .granted: .authorized
      }
    }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/requestauthorization()
  public func requestAuthorization() async throws -> AuthorizationState {
    ask()
    return authorizationState
  }
  private func ask() {
    MainActor.assumeIsolated {
      if case .undecided(let answer) = FakePhone.current.settings.alarms {
        FakePhone.current.settings.alarms = answer ? .granted : .denied
      }
    }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/alarms
  public var alarms: [Alarm] {
    get throws { MainActor.assumeIsolated { FakePhone.current.systemAlarms.all } }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/alarmupdates-swift.property
  public var alarmUpdates: some AsyncSequence<[Alarm], Never> {
    MainActor.assumeIsolated { FakePhone.current.systemAlarms.updates() }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/schedule(id:configuration:)
  public func schedule<Metadata: AlarmMetadata>(
    id: Alarm.ID, configuration: AlarmConfiguration<Metadata>
  ) async throws -> Alarm {
    // "If you don't request authorization explicitly, AlarmKit asks when your app creates its first alarm"; out of view nobody
    // can be asked.
    if Phone.current?.isApplicationInForeground ?? false { ask() }
    guard authorizationState == .authorized else { throw Refusal.notAuthorized }
    return try plan(
      id, configuration.schedule, title: configuration.attributes.presentation.alert.title.key)
  }
  private func plan(_ id: Alarm.ID, _ schedule: Alarm.Schedule?, title: String) throws -> Alarm {
    try MainActor.assumeIsolated {
      try FakePhone.current.systemAlarms.schedule(id, schedule, title: title)
    }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/cancel(id:)
  public func cancel(id: Alarm.ID) throws {
    try MainActor.assumeIsolated { try FakePhone.current.systemAlarms.remove(id) }
  }
  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/stop(id:)
  public func stop(id: Alarm.ID) throws {
    try MainActor.assumeIsolated { try FakePhone.current.systemAlarms.remove(id) }
  }

  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/alarmerror
  public enum AlarmError: Error, Hashable, Sendable { case maximumLimitReached }
  enum Refusal: Error { case unknownAlarm, notAuthorized }

  /// https://developer.apple.com/documentation/alarmkit/alarmmanager/alarmconfiguration
  public struct AlarmConfiguration<Metadata: AlarmMetadata>: Sendable {
    let schedule: Alarm.Schedule?
    let attributes: AlarmAttributes<Metadata>
    let sound: AlertConfiguration.AlertSound
    /// https://developer.apple.com/documentation/alarmkit/alarmmanager/alarmconfiguration/alarm(schedule:attributes:stopintent:secondaryintent:sound:)
    public static func alarm(
      schedule: Alarm.Schedule? = nil, attributes: AlarmAttributes<Metadata>,
      sound: AlertConfiguration.AlertSound = .default
    ) -> Self { Self(schedule: schedule, attributes: attributes, sound: sound) }
  }
}

/// https://developer.apple.com/documentation/alarmkit/alarm
public struct Alarm: Identifiable, Hashable, Sendable {
  public let id: UUID
  /// https://developer.apple.com/documentation/alarmkit/alarm/schedule-swift.property
  public let schedule: Schedule?
  /// https://developer.apple.com/documentation/alarmkit/alarm/state-swift.property
  public var state: State
  /// https://developer.apple.com/documentation/alarmkit/alarm/schedule-swift.enum
  public enum Schedule: Hashable, Sendable {
    /// https://developer.apple.com/documentation/alarmkit/alarm/schedule-swift.enum/fixed(_:)
    case fixed(Date)
  }
  /// https://developer.apple.com/documentation/alarmkit/alarm/state-swift.enum
  public enum State: Hashable, Sendable { case scheduled, countdown, paused, alerting }
}

/// https://developer.apple.com/documentation/alarmkit/alarmmetadata
public protocol AlarmMetadata: Codable, Hashable, Sendable {}

/// https://developer.apple.com/documentation/alarmkit/alarmattributes
public struct AlarmAttributes<Metadata: AlarmMetadata>: Sendable {
  let presentation: AlarmPresentation
  /// https://developer.apple.com/documentation/alarmkit/alarmattributes/init(presentation:metadata:tintcolor:)
  public init(presentation: AlarmPresentation, metadata: Metadata? = nil, tintColor: Color) {
    self.presentation = presentation
  }
}

/// https://developer.apple.com/documentation/alarmkit/alarmpresentation
public struct AlarmPresentation: Sendable {
  let alert: Alert
  /// https://developer.apple.com/documentation/alarmkit/alarmpresentation/init(alert:countdown:paused:)
  public init(alert: Alert) { self.alert = alert }
  /// https://developer.apple.com/documentation/alarmkit/alarmpresentation/alert-swift.struct
  public struct Alert: Sendable {
    let title: LocalizedStringResource
    /// iOS 26.1 and later.
    /// https://developer.apple.com/documentation/alarmkit/alarmpresentation/alert-swift.struct/init(title:secondarybutton:secondarybuttonbehavior:)
    public init(title: LocalizedStringResource) { self.title = title }
  }
}

/// https://developer.apple.com/documentation/activitykit/alertconfiguration
public struct AlertConfiguration: Sendable {
  /// https://developer.apple.com/documentation/activitykit/alertconfiguration/alertsound
  public struct AlertSound: Hashable, Sendable {
    let name: String?
    public static let `default` = Self(name: nil)
    /// https://developer.apple.com/documentation/activitykit/alertconfiguration/alertsound/named(_:)
    public static func named(_ name: String) -> Self { Self(name: name) }
  }
}

/// https://developer.apple.com/documentation/swiftui/color
public struct Color: Hashable, Sendable {
  let name: String
  public static let red = Self(name: "red")
}

/// https://developer.apple.com/documentation/foundation/localizedstringresource
public struct LocalizedStringResource: Hashable, Sendable, ExpressibleByStringInterpolation {
  public let key: String
  public init(stringLiteral value: String) { key = value }
}
