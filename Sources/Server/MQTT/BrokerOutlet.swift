import Delivery
import MQTTClient
import NIOConcurrencyHelpers

/// Publishes alarms on the connection that `MQTTLink` keeps, as long as this process has it.
final class BrokerOutlet: MQTTOutlet {
  /// The first level of the server's topics.
  let root: String
  private let session = NIOLockedValueBox<MQTTSession?>(nil)

  init(root: String) { self.root = root }

  var isOpen: Bool { session.withLockedValue { $0 != nil } }

  func open(_ session: MQTTSession) { self.session.withLockedValue { $0 = session } }

  /// Does nothing if another session has been opened since.
  func close(_ session: MQTTSession) {
    self.session.withLockedValue { if $0 === session { $0 = nil } }
  }

  func publish(_ levels: [String], _ payload: [UInt8]) async throws(DeliveryFailure) -> String {
    guard let session = session.withLockedValue({ $0 }) else {
      throw .unreachable("this process of the server has no connection to the MQTT broker")
    }
    let topic = ([root] + levels.map(MQTTTopic.level)).joined(separator: "/")
    do { try await session.publish(topic, payload) } catch {
      switch error {
      case .timedOut(let step): throw .timedOut(during: step)
      case .unreachable, .insecure, .refused, .subscriptionRefused, .garbled, .connectionLost, .unusable:
        throw .connectionLost
      }
    }
    return topic
  }
}
