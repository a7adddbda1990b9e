import AlarmEngine
import AlarmService
import Delivery
import Formats
import Logging
import MQTTClient
import Store

/// Takes the messages that OwnTracks phones publish on the operator's broker, in the same way as their HTTP
/// posts.
///
/// A message is acknowledged when it is on the disk; until then the server tries again. A message that can
/// never be stored is acknowledged at once, since the broker would otherwise send it forever: one of a phone
/// that nobody has set up, or one that is too large.
struct MQTTIntake: Sendable {
  let core: ServerCore
  let alarms: AlarmParts
  let status: MQTTStatus
  /// The pause between two attempts to store a message.
  var pause = Duration.seconds(1)

  /// - Returns: whether the message is to be acknowledged.
  func take(_ event: MQTTConnector.Event, _ session: MQTTSession) async -> Bool {
    switch event {
    case .oversize(let topic, let bytes):
      status.note(.oversize)
      core.logger.notice(
        "an MQTT message is too large", metadata: ["topic": .string(topic.excerpt()), "bytes": "\(bytes)"])
      return true
    case .message(let message):
      // An empty message only removes a retained one.
      guard let topic = OwnTracksTopic(message.topic), !message.payload.isEmpty else { return true }
      var failures = 0
      while !Task.isCancelled {
        do {
          guard let answer = try await store(message, of: topic) else { return true }
          await tell(answer, topic, session)
          return true
        } catch {
          failures += 1
          // The broker and this task still have the message, whatever the error.
          if failures == 1 { core.logger.error("MQTT", metadata: ["error": "\(error)"]) }
          try? await Task.sleep(for: pause)
        }
      }
      return false
    }
  }

  struct Answer: Equatable {
    let device: DeviceID
    /// The reply to the phone; nil if there is none.
    let command: [UInt8]?
  }

  /// The topic of an MQTT identity; nil for an identity of another scheme, and for a value that is not
  /// USER/DEVICE.
  static func topic(of identity: DeviceIdentity) -> OwnTracksTopic? {
    guard identity.scheme == .mqtt, let slash = identity.value.firstIndex(of: "/") else { return nil }
    return OwnTracksTopic(
      user: String(identity.value[..<slash]),
      device: String(identity.value[identity.value.index(after: slash)...]))
  }

  /// Stores a message, in one transaction.
  /// - Returns: nil if the message was refused.
  func store(_ message: MQTTMessage, of topic: OwnTracksTopic) async throws -> Answer? {
    for _ in 0..<2 {
      let now = core.clock.now()
      guard let device = try await alarms.phones.device(publishingAs: topic.user, topic.device) else {
        if status.noteUnknown(topic, at: now) {
          core.logger.notice(
            "an MQTT message of a phone that nobody has set up was passed over",
            metadata: ["topic": .string(topic.name.excerpt())])
        }
        return nil
      }
      let request = PhoneRequest(
        endpoint: .owntracks, limitUser: topic.user, limitDevice: topic.device, body: message.payload,
        receivedAt: now)
      let report = PhoneReport.read(request)
      // This holds for a last will, too: it would reveal when the broker's user of that name is away.
      guard try await isProven(report, request, device) else {
        if status.noteUnknown(topic, at: now) {
          core.logger.notice(
            "an MQTT message was passed over that is not encrypted with the phone's key; only a phone of an administrator needs none",
            metadata: ["topic": .string(topic.name.excerpt())])
        }
        return nil
      }
      let isLastWill = report.messages.contains { if case .lastWill = $0 { true } else { false } }
      do {
        // The broker knows who may publish, but its operator could forge the reports of a phone with a key.
        // The last will is written by the broker itself.
        let read = try await PhoneRoutes.report(report, request, device, isProven: isLastWill, core.store)
        guard var read else {
          status.note(.unencrypted)
          return nil
        }
        // A last will or a retained message does not show that the phone is there now.
        if isLastWill || message.isRetained {
          read.taken.isHeard = false
          read.taken.malformed = nil
        }
        let outcome = try await alarms.ingest.submit(.report(read.taken))
        status.noteReceived()
        let command = message.isRetained ? nil : alarms.answers.command(to: read.report, request, outcome)
        return Answer(device: device, command: command)
      } catch StoreError.privateAccount {
        // Acknowledged, so that the broker does not keep it.
        if status.noteUnknown(topic, at: now) {
          core.logger.notice(
            "an MQTT message of a private account was passed over",
            metadata: ["topic": .string(topic.name.excerpt())])
        }
        return nil
      } catch is DeviceGone {
        // The device was deleted since its last message. It is looked up again.
        alarms.phones.forget(device)
      }
    }
    throw StoreError.notFound
  }

  /// Returns whether a message comes from the device that its topic names: either the owner is an
  /// administrator, who is trusted with the broker's names, or the device's key decrypts it.
  private func isProven(
    _ report: PhoneReport, _ request: PhoneRequest, _ device: DeviceID
  ) async throws -> Bool {
    let record = try await found { try await core.store.device(device) }
    guard let record, let owner = record.account else { return true }
    if try await core.store.account(owner).isAdministrator { return true }
    let boxes = report.messages.compactMap { if case .sealed(let box) = $0 { box } else { nil } }
    return !boxes.isEmpty && PhoneRoutes.opened(boxes, request, record.passphrase) != nil
  }

  private func tell(_ answer: Answer, _ topic: OwnTracksTopic, _ session: MQTTSession) async {
    guard let command = answer.command else { return }
    do { try await session.publish(topic.commands, command) } catch {
      alarms.answers.forgetFences(of: answer.device)
    }
  }
}
