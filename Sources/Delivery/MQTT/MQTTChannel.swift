import AlarmEngine
import Formats
import Geometry
import Store

/// Publishes the events of alarms under `ROOT/LOGIN/DEVICE/alarm`, not retained, with QoS 1.
///
/// A message is an object with `event_type`, as in Home Assistant's MQTT events, and `key`. The key is the
/// same for every attempt to publish the message, so that a message received twice is one event.
package struct MQTTChannel: DeliveryChannel {
  /// The device and zone of an alarm. A withdrawal contains only the alarm's id.
  package struct Subject: Sendable {
    package let device: AlarmNotice.Device
    package let zone: AlarmNotice.Place?
    package init(device: AlarmNotice.Device, zone: AlarmNotice.Place?) {
      self.device = device
      self.zone = zone
    }
  }

  package let target: MQTTTarget
  package let outlet: any MQTTOutlet
  /// Returns the present login of the account.
  package let login: @Sendable () async throws -> String
  /// Returns nil if the alarm or its device is gone.
  package let subject: @Sendable (AlarmID) async throws -> Subject?

  package init(
    target: MQTTTarget, outlet: any MQTTOutlet, login: @escaping @Sendable () async throws -> String,
    subject: @escaping @Sendable (AlarmID) async throws -> Subject?
  ) {
    self.target = target
    self.outlet = outlet
    self.login = login
    self.subject = subject
  }

  /// All values of `event_type`, ascending. Home Assistant is told them beforehand.
  package static let eventTypes = Set(
    AlarmNotice.Kind.allCases.filter { $0 != .test }.map(\.rawValue)
      + AlarmWithdrawal.Reason.allCases.map(\.rawValue)
  ).sorted()

  package var description: String { target.description }

  package func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    // The links are left out: a reader of the topic must not be able to answer the alarm.
    var members = NoticeJSON.members(of: notice).filter { $0.0 != "links" }
    if !target.sharesPosition {
      let withheld = NoticeJSON.positions(in: notice.kind)
      members.removeAll { withheld.contains($0.0) }
    }
    // A test concerns no phone.
    let levels = notice.kind == .test ? ["test"] : ["\(notice.device.id)", "alarm"]
    return await publish(levels, notice.kind.rawValue, notice.idempotencyKey, members)
  }

  package func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    do {
      guard let subject = try await subject(withdrawal.alarm) else { return nil }
      var members = NoticeJSON.members(of: withdrawal)
      members += [("device", .string(subject.device.name)), ("device_id", .string("\(subject.device.id)"))]
      if let zone = subject.zone {
        members += [("zone", .string(zone.name)), ("zone_id", .string("\(zone.id)"))]
      }
      return await publish(
        ["\(subject.device.id)", "alarm"], withdrawal.reason.rawValue, withdrawal.idempotencyKey, members)
    } catch { return Self.failed(error) }
  }

  private func publish(
    _ levels: [String], _ event: String, _ key: String, _ members: [(String, JSONValue)]
  ) async -> DeliveryOutcome {
    do {
      let payload = JSONValue.object([("event_type", .string(event)), ("key", .string(key))] + members).bytes
      return .delivered(receipt: try await outlet.publish([try await login()] + levels, payload))
    } catch { return Self.failed(error) }
  }

  private static func failed(_ error: any Error) -> DeliveryOutcome {
    .retry(after: nil, reason: error as? DeliveryFailure ?? .unreachable("the store: \(error)".excerpt()))
  }
}
