import AlarmEngine
import Cryptography
import Foundation

/// The codes of an authenticator app: six digits of HMAC-SHA-1 over the half minutes since 1970 (RFC 6238,
/// with RFC 4226).
package enum TimeCode {
  /// The length of a secret in bytes, as RFC 4226 recommends.
  package static let secretLength = 20
  private static let periodMilliseconds: Int64 = 30_000
  /// The number of half minutes by which a code may be early or late, for clock error and typing.
  private static let tolerance: Int64 = 1

  package static func newSecret() -> [UInt8] { Array(Secrets.randomBytes().prefix(secretLength)) }

  package static func step(at now: Instant) -> Int64 {
    now.millisecondsSince1970 / periodMilliseconds
  }

  package static func code(secret: [UInt8], step: Int64) -> String {
    let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> Int64(56 - 8 * $0)) }
    let hash = HMAC.sha1(message, key: secret)
    let offset = Int(hash[hash.count - 1] & 15)
    let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Returns the half minute that a code belongs to.
  /// - Parameter last: the half minute of the last used code. This code and earlier ones are refused.
  /// - Returns: nil for a code that is wrong, too old or already used.
  package static func step(of code: String, secret: [UInt8], at now: Instant, after last: Int64) -> Int64? {
    let given = code.filter { $0 != " " }
    let current = step(at: now)
    return (current - tolerance...current + tolerance).first {
      $0 > last && Self.code(secret: secret, step: $0) == given
    }
  }

  /// Returns the link that an authenticator app reads from a QR code (the key URI format of Google
  /// Authenticator).
  package static func link(secret: [UInt8], login: String) -> String {
    let name = login.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "otpauth://totp/Proximity%20Alarm:\(name)?secret=\(base32(secret))&issuer=Proximity%20Alarm"
  }

  /// Encodes bytes as base32 (RFC 4648), without padding.
  package static func base32(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var text = ""
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[Int(bits >> UInt32(count) & 31)])
      }
    }
    if count > 0 { text.append(letters[Int(bits << UInt32(5 - count) & 31)]) }
    return text
  }
}
