/// The reason why there is no connection, or no answer on it.
package enum MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case unreachable(String)
  /// TLS could not be established, or the certificate is not trusted.
  case insecure(String)
  case timedOut(during: String)
  /// The broker's return code (MQTT 3.1.1, section 3.2.2.3), from 1.
  case refused(UInt8)
  /// The broker does not let this client subscribe to the filter.
  case subscriptionRefused(String)
  case garbled(String)
  /// The broker closed the connection: it shuts down, or another client has connected with the same client
  /// ID.
  case connectionLost
  /// The address cannot be used.
  case unusable(String)

  package var description: String {
    switch self {
    case .unreachable(let what): "the broker cannot be reached: \(what)"
    case .insecure(let what): "no secure connection to the broker: \(what)"
    case .timedOut(let step): "no answer from the broker in time during \(step)"
    case .refused(1): "the broker does not speak MQTT 3.1.1"
    case .refused(2): "the broker refuses the client's name"
    case .refused(3): "the broker is not available"
    case .refused(4): "the broker refuses user and password"
    case .refused(5): "the broker does not let this user connect"
    case .refused(let code): "the broker refuses the connection with code \(code)"
    case .subscriptionRefused(let filter): "the broker does not let this user subscribe to \(filter)"
    case .garbled(let what): "what the broker sends is no MQTT: \(what)"
    case .connectionLost: "the connection to the broker was lost"
    case .unusable(let what): what
    }
  }
}
