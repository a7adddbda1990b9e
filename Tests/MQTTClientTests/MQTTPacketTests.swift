import NIOCore
import TestSupport
import Testing

@testable import MQTTClient

@Suite("MQTT packets")
struct MQTTPacketTests {
  /// Decodes all packets from bytes that arrive in pieces.
  private static func read(_ bytes: [UInt8], pieces: Int = .max, largest: Int = 1000) throws -> [MQTTPacket] {
    var decoder = MQTTPacketDecoder(largest: largest)
    var (buffer, packets): (ByteBuffer, [MQTTPacket]) = (ByteBuffer(), [])
    var rest = bytes[...]
    while !rest.isEmpty {
      buffer.writeBytes(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let packet = try decoder.next(&buffer) { packets.append(packet) }
    }
    #expect(buffer.readableBytes == 0)
    return packets
  }

  private static func bytes(_ packets: [MQTTPacket]) -> [UInt8] {
    var out = ByteBuffer()
    for packet in packets { packet.write(to: &out) }
    return Array(out.readableBytesView)
  }

  /// The examples of MQTT 3.1.1 by section, written by hand from its figures.
  @Test func `packets have the bytes of the standard's figures`() {
    #expect(
      Self.bytes([
        .connect(
          MQTTIdentity(clientID: "a", isPersistent: true, will: ("w", [0x68, 0x69])), user: "u",
          password: "p",
          keepAliveSeconds: 10)
      ]) == [
        0x10, 0x1A, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0xEC, 0, 10, 0, 1, 0x61, 0, 1, 0x77, 0, 2, 0x68, 0x69, 0,
        1,
        0x75, 0, 1, 0x70,
      ])
    #expect(
      Self.bytes([
        .connect(
          MQTTIdentity(clientID: "", isPersistent: false), user: nil, password: nil, keepAliveSeconds: 0)
      ]) == [0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 2, 0, 0, 0, 0])
    #expect(
      Self.bytes([.publish(MQTTMessage(topic: "a/b", payload: [1], isRetained: true, id: 10))])
        == [0x33, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 10, 1])
    for qos: UInt8 in [0, 1] {
      #expect(
        Self.bytes([.subscribe(10, ["a/b"], qos: qos)]) == [0x82, 8, 0, 10, 0, 3, 0x61, 0x2F, 0x62, qos])
    }
    #expect(
      Self.bytes([.puback(0x1234), .pingreq, .disconnect]) == [0x40, 2, 0x12, 0x34, 0xC0, 0, 0xE0, 0])
  }

  @Test func `what a broker sends is read in whatever pieces it comes`() throws {
    let sent: [MQTTPacket] = [
      .connack(isResumed: true, code: 0), .suback(7, [1, 0x80]),
      .publish(
        MQTTMessage(topic: "owntracks/anna/phone", payload: Array(repeating: 7, count: 300), id: 65_535)),
      .publish(MQTTMessage(topic: "ü", payload: [], isRetained: true)), .puback(1), .pingresp,
    ]
    for pieces in [1, 2, 3, 5, 100, .max] { #expect(try Self.read(Self.bytes(sent), pieces: pieces) == sent) }
  }

  @Test func `the payload of a message that is too large is passed over, and what follows is read`() throws {
    let large = MQTTMessage(topic: "t", payload: Array(repeating: 1, count: 1001), id: 3)
    let sent: [MQTTPacket] = [
      .publish(large), .pingresp, .publish(MQTTMessage(topic: "t", payload: large.payload)),
    ]
    for pieces in [1, 7, 400, .max] {
      #expect(
        try Self.read(Self.bytes(sent), pieces: pieces) == [
          .oversize(topic: "t", id: 3, bytes: 1001), .pingresp, .oversize(topic: "t", id: nil, bytes: 1001),
        ])
    }
  }

  @Test(
    arguments: [
      [0x00, 0], [0xF0, 0], [0x10, 0], [0x36, 5, 0, 1, 0x61, 0, 1], [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [0x30, 1, 0],
      [0x30, 4, 0, 9, 0x61, 0x61], [0x30, 3, 0, 1, 0xFF], [0x30, 2, 0, 0], [0x32, 5, 0, 1, 0x61, 0, 0],
      [0x20, 1, 0],
      [0x40, 3, 0, 1, 2], [0x90, 2, 0, 1], [0x20, 0xFF, 0x7F],
    ] as [[UInt8]])
  func `what is no MQTT ends the connection`(bytes: [UInt8]) {
    #expect(throws: MQTTFailure.self) { try Self.read(bytes) }
  }

  @Test func `arbitrary bytes are read or refused, and never take more than they are`() {
    for seed in UInt64(1)...2000 {
      var random = SeededGenerator(seed: seed)
      let bytes = (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var decoder = MQTTPacketDecoder(largest: 20)
      var buffer = ByteBuffer(bytes: bytes)
      var count = 0
      while (try? decoder.next(&buffer)) != nil {
        count += 1
        #expect(count <= bytes.count, "seed \(seed)")
      }
    }
  }
}

@Suite("MQTT addresses and topics")
struct MQTTAddressTests {
  @Test func `an address has a scheme, a host, and perhaps a port, a user and a password`() throws {
    let full = try #require(MQTTAddress("mqtts://an%40na:p%3Aw@broker.example.org:8884"))
    #expect(full.host == "broker.example.org")
    #expect(full.port == 8884)
    #expect(full.isSecure)
    #expect(full.user == "an@na")
    #expect(full.password == "p:w")
    #expect(full.description == "mqtts://broker.example.org:8884")
    #expect(MQTTAddress("mqtt://127.0.0.1")?.port == 1883)
    #expect(MQTTAddress("mqtts://[::1]/")?.host == "::1")
    #expect(MQTTAddress("mqtts://[::1]")?.description == "mqtts://[::1]:8883")
    #expect(MQTTAddress("mqtt://host")?.user == nil)
  }

  @Test(arguments: [
    "", "broker", "http://broker", "mqtt://", "mqtt://host/path", "mqtt://host?x=1", "mqtt://host#x",
    "mqtt://host:0", "mqtt://host:99999", "mqtt://:secret@host", "mqtt://ho st",
  ])
  func `anything else is refused`(text: String) { #expect(MQTTAddress(text) == nil) }

  @Test func `a name is one level of a topic, whatever is in it`() {
    #expect(MQTTTopic.level("anna") == "anna")
    #expect(MQTTTopic.level("Jürgen") == "Jürgen")
    #expect(MQTTTopic.level("a/b+c#d$e%f\n\u{0}") == "a%2Fb%2Bc%23d%24e%25f%0A%00")
  }
}
