/// Parts of topics.
package enum MQTTTopic {
  /// Encodes a name as one level of a topic: characters with a meaning in topics and filters, and control
  /// characters, become `%` and two hexadecimal digits.
  package static func level(_ name: String) -> String {
    var out: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
        0..<0x20, 0x7F:
        let digits = String(byte, radix: 16, uppercase: true)
        out += Array("%\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
      default: out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
