import NIOCore

/// A packet of MQTT 3.1.1 (OASIS standard of 2014-10-29), limited to those of a client that uses QoS 0 and 1.
enum MQTTPacket: Equatable, Sendable {
  case connect(MQTTIdentity, user: String?, password: String?, keepAliveSeconds: UInt16)
  /// The return code: 0 is success.
  case connack(isResumed: Bool, code: UInt8)
  case publish(MQTTMessage)
  /// A message whose payload exceeds the limit: only its topic, its identifier and its size are kept.
  case oversize(topic: String, id: UInt16?, bytes: Int)
  case puback(UInt16)
  case subscribe(UInt16, [String], qos: UInt8)
  /// For each filter the QoS, or 0x80 for a refusal.
  case suback(UInt16, [UInt8])
  case pingreq
  case pingresp
  case disconnect
}

/// A published message.
package struct MQTTMessage: Equatable, Sendable {
  package let topic: String
  package let payload: [UInt8]
  /// True if the broker had retained it, and sends it because of a new subscription.
  package let isRetained: Bool
  /// The packet identifier under QoS 1, where the message must be acknowledged; nil for QoS 0.
  package let id: UInt16?

  package init(topic: String, payload: [UInt8], isRetained: Bool = false, id: UInt16? = nil) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.id = id
  }
}

/// The client's identity towards the broker, with the properties of its session.
package struct MQTTIdentity: Equatable, Sendable {
  /// The broker keeps one session per client ID, and closes an older connection with the same ID.
  package var clientID: String
  /// True if the broker keeps subscriptions, and messages of QoS 1, while this client is away.
  package var isPersistent: Bool
  /// The message that the broker publishes, retained, if the connection ends without a DISCONNECT.
  package var will: (topic: String, payload: [UInt8])?

  package init(clientID: String, isPersistent: Bool, will: (topic: String, payload: [UInt8])? = nil) {
    self.clientID = clientID
    self.isPersistent = isPersistent
    self.will = will
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.clientID == b.clientID && a.isPersistent == b.isPersistent && a.will?.topic == b.will?.topic
      && a.will?.payload == b.will?.payload
  }
}

extension MQTTPacket {
  /// The packet types by their numbers (section 2.2.1).
  enum Kind: UInt8 {
    case connect = 1
    case connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback, unsubscribe, unsuback, pingreq
    case pingresp, disconnect
  }

  /// - Precondition: texts have at most 65,535 bytes.
  func write(to out: inout ByteBuffer) {
    var body = ByteBuffer()
    let head: UInt8
    switch self {
    case .connect(let identity, let user, let password, let seconds):
      head = 0x10
      Self.write("MQTT", to: &body)
      body.writeInteger(UInt8(4))
      var flags: UInt8 = identity.isPersistent ? 0 : 0x02
      // The will: retained, QoS 1.
      if identity.will != nil { flags |= 0x04 | 0x08 | 0x20 }
      if user != nil { flags |= 0x80 }
      if user != nil, password != nil { flags |= 0x40 }
      body.writeInteger(flags)
      body.writeInteger(seconds)
      Self.write(identity.clientID, to: &body)
      if let will = identity.will {
        Self.write(will.topic, to: &body)
        body.writeInteger(UInt16(will.payload.count))
        body.writeBytes(will.payload)
      }
      if let user { Self.write(user, to: &body) }
      if user != nil, let password { Self.write(password, to: &body) }
    case .connack(let isResumed, let code):
      head = 0x20
      body.writeBytes([isResumed ? 1 : 0, code])
    case .publish(let message):
      head = 0x30 | (message.isRetained ? 1 : 0) | (message.id == nil ? 0 : 2)
      Self.write(message.topic, to: &body)
      if let id = message.id { body.writeInteger(id) }
      body.writeBytes(message.payload)
    case .oversize: return
    case .puback(let id):
      head = 0x40
      body.writeInteger(id)
    case .subscribe(let id, let filters, let qos):
      head = 0x82
      body.writeInteger(id)
      for filter in filters {
        Self.write(filter, to: &body)
        body.writeInteger(qos)
      }
    case .suback(let id, let answers):
      head = 0x90
      body.writeInteger(id)
      body.writeBytes(answers)
    case .pingreq: head = 0xC0
    case .pingresp: head = 0xD0
    case .disconnect: head = 0xE0
    }
    out.writeInteger(head)
    var rest = body.readableBytes
    repeat {
      let digit = UInt8(rest % 128)
      rest /= 128
      out.writeInteger(rest > 0 ? digit | 0x80 : digit)
    } while rest > 0
    out.writeBuffer(&body)
  }

  private static func write(_ text: String, to body: inout ByteBuffer) {
    body.writeInteger(UInt16(text.utf8.count))
    body.writeString(text)
  }
}

/// Writes packets; `MQTTPacketDecoder` reads them.
struct MQTTPacketEncoder: MessageToByteEncoder {
  func encode(data: MQTTPacket, out: inout ByteBuffer) { data.write(to: &out) }
}
