import NIOCore

/// Splits incoming bytes into packets.
///
/// The payload of a message larger than `largest` is skipped without being kept. Closing the connection
/// instead would not help: the broker sends an unacknowledged message again after every reconnection.
/// - Throws: `MQTTFailure.garbled` at the first byte that MQTT 3.1.1 does not allow; nothing is read after it.
struct MQTTPacketDecoder: ByteToMessageDecoder {
  typealias InboundOut = MQTTPacket

  /// The largest payload, in bytes.
  let largest: Int
  /// The remaining bytes of an oversize payload.
  private var passingOver = 0

  init(largest: Int) { self.largest = largest }

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    guard let packet = try next(&buffer) else { return .needMoreData }
    context.fireChannelRead(wrapInboundOut(packet))
    return .continue
  }

  /// The next packet; nil if more bytes are needed.
  mutating func next(_ buffer: inout ByteBuffer) throws -> MQTTPacket? {
    if passingOver > 0 {
      let count = min(passingOver, buffer.readableBytes)
      buffer.moveReaderIndex(forwardBy: count)
      passingOver -= count
      guard passingOver == 0 else { return nil }
    }
    var ahead = buffer
    guard let head = ahead.readInteger(as: UInt8.self), let length = try Self.length(&ahead) else {
      return nil
    }
    guard let kind = MQTTPacket.Kind(rawValue: head >> 4) else {
      throw MQTTFailure.garbled("packet kind \(head >> 4)")
    }
    if kind == .publish { return try publish(head & 0x0F, length, &ahead, &buffer) }
    guard length <= 1024 else { throw MQTTFailure.garbled("\(length) bytes of \(kind)") }
    guard var body = ahead.readSlice(length: length) else { return nil }
    buffer = ahead
    return try Self.packet(kind, &body)
  }

  /// Nil if more bytes are needed.
  private static func length(_ buffer: inout ByteBuffer) throws -> Int? {
    var length = 0
    for place in 0..<4 {
      guard let byte = buffer.readInteger(as: UInt8.self) else { return nil }
      length |= Int(byte & 0x7F) << (7 * place)
      if byte & 0x80 == 0 { return length }
    }
    throw MQTTFailure.garbled("a length of more than four bytes")
  }

  private mutating func publish(
    _ flags: UInt8, _ length: Int, _ ahead: inout ByteBuffer, _ buffer: inout ByteBuffer
  ) throws -> MQTTPacket? {
    let quality = flags >> 1 & 3
    guard quality < 2 else {
      throw MQTTFailure.garbled("a message of QoS \(quality), which nobody asked for")
    }
    guard let size = ahead.readInteger(as: UInt16.self) else {
      guard length >= 2 else { throw MQTTFailure.garbled("a message without a topic") }
      return nil
    }
    let front = 2 + Int(size) + (quality == 1 ? 2 : 0)
    guard length >= front else { throw MQTTFailure.garbled("a message that is shorter than its topic") }
    guard let bytes = ahead.readBytes(length: Int(size)) else { return nil }
    guard let topic = String(validating: bytes, as: UTF8.self), !topic.isEmpty else {
      throw MQTTFailure.garbled("a topic that is empty or no UTF-8")
    }
    var id: UInt16?
    if quality == 1 {
      guard let number = ahead.readInteger(as: UInt16.self) else { return nil }
      guard number != 0 else { throw MQTTFailure.garbled("the packet identifier 0") }
      id = number
    }
    let rest = length - front
    guard rest <= largest else {
      let here = min(rest, ahead.readableBytes)
      ahead.moveReaderIndex(forwardBy: here)
      passingOver = rest - here
      buffer = ahead
      return .oversize(topic: topic, id: id, bytes: rest)
    }
    guard let payload = ahead.readBytes(length: rest) else { return nil }
    buffer = ahead
    return .publish(MQTTMessage(topic: topic, payload: payload, isRetained: flags & 1 == 1, id: id))
  }

  private static func packet(_ kind: MQTTPacket.Kind, _ body: inout ByteBuffer) throws -> MQTTPacket {
    func wrong() -> MQTTFailure { .garbled("a \(kind) of \(body.readableBytes) bytes") }
    switch kind {
    case .connack:
      guard body.readableBytes == 2, let flags = body.readInteger(as: UInt8.self),
        let code = body.readInteger(as: UInt8.self)
      else { throw wrong() }
      return .connack(isResumed: flags & 1 == 1, code: code)
    case .puback:
      guard body.readableBytes == 2, let id = body.readInteger(as: UInt16.self) else { throw wrong() }
      return .puback(id)
    case .suback:
      guard body.readableBytes >= 3, let id = body.readInteger(as: UInt16.self) else { throw wrong() }
      return .suback(id, body.readBytes(length: body.readableBytes) ?? [])
    case .pingresp: return .pingresp
    case .connect, .publish, .pubrec, .pubrel, .pubcomp, .subscribe, .unsubscribe, .unsuback, .pingreq,
      .disconnect:
      throw MQTTFailure.garbled("a \(kind), which no broker sends to this client")
    }
  }
}
