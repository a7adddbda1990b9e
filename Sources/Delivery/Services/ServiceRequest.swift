import Formats
import NIOHTTP1

/// The HTTP request that sends a message to a service.
package struct ServiceRequest: Sendable {
  package let method: HTTPMethod
  package let url: String
  package var headers: [(String, String)]
  package let body: [UInt8]

  /// Makes a request with a JSON object as its body.
  init(
    _ method: HTTPMethod = .POST, _ url: String, headers: [(String, String)] = [], json: [(String, JSONValue)]
  ) {
    self.method = method
    self.url = url
    self.headers = [("Content-Type", "application/json")] + headers
    body = JSONValue.object(json).bytes
  }

  /// Makes a request with the fields of an HTML form as its body.
  init(
    _ method: HTTPMethod = .POST, _ url: String, headers: [(String, String)] = [], form: [(String, String)]
  ) {
    self.method = method
    self.url = url
    self.headers = [("Content-Type", "application/x-www-form-urlencoded")] + headers
    body = Array(
      form.map { "\($0.0.percentEncoded)=\($0.1.percentEncoded)" }.joined(separator: "&").utf8)
  }
}

extension String {
  /// The text with every byte except letters, digits and `-._~` as %XX, for any part of a URL and for a form
  /// (RFC 3986, section 2.3).
  package var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
