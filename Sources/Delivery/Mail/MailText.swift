import AlarmEngine
import Formats
import Foundation

/// The parts of a mail, encoded so that every line is short and plain.
enum MailText {
  /// Returns text for a header's value: unchanged if it is short plain ASCII, else as encoded words of at
  /// most 75 bytes (RFC 2047).
  package static func header(_ text: String) -> String {
    let line = text.excerpt(200)
    let isPlain = line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && !line.contains("=?")
    if isPlain, line.utf8.count <= 60 { return line }
    var words: [String] = []
    var part = ""
    // 39 bytes are 52 characters of base64, with the frame and "Subject: " 73. Characters are not split.
    for scalar in line.unicodeScalars {
      if part.utf8.count + UTF8.width(scalar) > 39 {
        words.append(part)
        part = ""
      }
      part.unicodeScalars.append(scalar)
    }
    words.append(part)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
  }

  /// Returns "Sat, 21 Nov 2026 11:32:05 +0000" (RFC 5322, section 3.3).
  package static func date(_ instant: Instant) -> String {
    let text = Array(
      RFC3339.string(from: min(max(instant, Instant.allowed.lowerBound), Instant.allowed.upperBound)))
    let days = Int((Double(instant.millisecondsSince1970) / 86_400_000).rounded(.down))
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = months[(Int(String(text[5...6])) ?? 1) - 1]
    return "\(weekday), \(String(text[8...9])) \(month) \(String(text[0...3])) \(String(text[11...18])) +0000"
  }

  /// Returns text as quoted-printable (RFC 2045, section 6.7): lines of at most 76 bytes, CRLF between them.
  static func quotedPrintable(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var lines: [String] = []
    let plain = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    for source in plain.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      let bytes = Array(source.utf8)
      for (index, byte) in bytes.enumerated() {
        let isLast = index == bytes.count - 1
        let isPlain = (byte >= 33 && byte < 127 && byte != 61) || ((byte == 32 || byte == 9) && !isLast)
        let piece =
          isPlain ? String(UnicodeScalar(byte)) : "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        // Leaves room for the "=" that marks a line as continued.
        if line.utf8.count + piece.utf8.count > 75 {
          lines.append(line + "=")
          line = ""
        }
        line += piece
      }
      lines.append(line)
    }
    return lines.joined(separator: "\r\n")
  }

  /// Returns the headers of a zone in a mail, with the name in ASCII and in full (RFC 2231).
  static func attachmentHead(named name: String) -> [String] {
    let full = name.excerpt(60).cut(90).replacing("/", with: "-").replacing("\\", with: "-") + ".pad"
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".unicodeScalars)
    let ascii = String(
      full.unicodeScalars.map { unreserved.contains($0) || $0 == " " ? Character($0) : "_" })
    let encoded = full.utf8.map { byte -> String in
      let scalar = UnicodeScalar(byte)
      return byte < 0x80 && unreserved.contains(scalar)
        ? String(scalar) : "%" + String(UInt16(byte) + 256, radix: 16).dropFirst().uppercased()
    }.joined()
    return [
      // A type of its own, so that a phone offers our app and no spreadsheet.
      "Content-Type: application/vnd.proximity.pad; charset=utf-8;", " name=\"\(ascii)\"",
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment;", " filename*=UTF-8''\(encoded);", " filename=\"\(ascii)\"",
    ]
  }
}
