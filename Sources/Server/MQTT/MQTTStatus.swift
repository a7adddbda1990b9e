import AlarmEngine
import AlarmService
import NIOConcurrencyHelpers

/// The state of the connection to the operator's MQTT broker, for the log, the metrics and the page.
final class MQTTStatus: Sendable {
  enum State: Equatable, Sendable {
    /// No broker is set.
    case off
    /// Another process of this database has the connection.
    case standby
    case connecting
    case connected(since: Instant)
    /// The reason why there is no connection, for people.
    case away(since: Instant, reason: String)

    var word: String {
      switch self {
      case .off: "off"
      case .standby: "standby"
      case .connecting: "connecting"
      case .connected: "connected"
      case .away: "away"
      }
    }
  }

  /// The reason why a message was not accepted.
  enum Refusal: String, CaseIterable, Sendable {
    /// No device has that user and name.
    case unknown
    case oversize
    /// Not encrypted, of a device that has a key.
    case unencrypted
  }

  /// A topic whose messages are not accepted.
  struct Unknown: Equatable, Sendable {
    let user: String
    let device: String
    var at: Instant
    var count: Int
  }

  private struct Book {
    var state = State.off
    var received = 0
    var unknown: [Unknown] = []
  }
  /// The most topics that are remembered; the oldest are dropped.
  static let mostUnknown = 50
  private let book = NIOLockedValueBox(Book())
  private let metrics: Metrics

  init(metrics: Metrics) { self.metrics = metrics }

  var state: State { book.withLockedValue { $0.state } }
  /// The number of messages stored since the start.
  var received: Int { book.withLockedValue { $0.received } }
  /// The latest first.
  var unknown: [Unknown] { book.withLockedValue { $0.unknown.reversed() } }

  /// - Returns: the previous state.
  @discardableResult
  func become(_ state: State) -> State {
    if case .connected = state {
      metrics.set("proximity_mqtt_connected", to: 1)
    } else {
      metrics.set("proximity_mqtt_connected", to: 0)
    }
    return book.withLockedValue { book in
      defer { book.state = state }
      return book.state
    }
  }

  func noteReceived() {
    metrics.count("proximity_mqtt_received_total")
    book.withLockedValue { $0.received += 1 }
  }

  /// Counts retained messages that were published or removed.
  func notePublished(states: Int) { metrics.count("proximity_mqtt_states_total", by: Double(states)) }

  /// Sets the number of messages that the broker retains.
  func stands(_ count: Int) { metrics.set("proximity_mqtt_retained", to: Double(count)) }

  func note(_ refusal: Refusal) {
    metrics.count("proximity_mqtt_refused_total", ["reason": refusal.rawValue])
  }

  /// - Returns: true if the topic is not among those remembered.
  func noteUnknown(_ topic: OwnTracksTopic, at now: Instant) -> Bool {
    note(.unknown)
    return book.withLockedValue { book in
      let known = book.unknown.firstIndex { $0.user == topic.user && $0.device == topic.device }
      var entry = Unknown(user: topic.user, device: topic.device, at: now, count: 0)
      if let known { entry.count = book.unknown.remove(at: known).count }
      entry.count += 1
      book.unknown.append(entry)
      if book.unknown.count > Self.mostUnknown { book.unknown.removeFirst() }
      return known == nil
    }
  }

  /// Forgets a topic, since a device with that name has been set up.
  func forgetUnknown(_ topic: OwnTracksTopic) {
    book.withLockedValue { $0.unknown.removeAll { $0.user == topic.user && $0.device == topic.device } }
  }
}
