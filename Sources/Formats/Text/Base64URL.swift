import Foundation

/// Base64 with the alphabet of URLs and no padding (RFC 4648, section 5).
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  /// Decodes a text, with or without padding; nil for other characters or an impossible length.
  package static func decode(_ text: String) -> [UInt8]? {
    var plain = text
    while plain.hasSuffix("=") { plain.removeLast() }
    guard
      plain.utf8.allSatisfy({
        ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 122) || $0 == 45 || $0 == 95
      }),
      plain.utf8.count % 4 != 1
    else { return nil }
    plain = plain.replacing("-", with: "+").replacing("_", with: "/")
    plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain).map { Array($0) }
  }
}
