import AlarmEngine
import TestSupport
import Testing

@testable import AlarmService

@Suite("Codes of an authenticator app")
struct TimeCodeTests {
  /// Appendix B of RFC 6238, the last six of its eight digits.
  @Test(arguments: [
    (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
    (2_000_000_000, "279037"), (20_000_000_000, "353130"),
  ])
  func `codes are those of the standard`(seconds: Int64, code: String) {
    let now = Instant(millisecondsSince1970: seconds * 1000)
    #expect(TimeCode.code(secret: Array("12345678901234567890".utf8), step: TimeCode.step(at: now)) == code)
  }

  /// Section 10 of RFC 4648.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func `secrets are written as the standard says`(text: String, written: String) {
    #expect(TimeCode.base32(Array(text.utf8)) == written)
  }

  @Test func `a code is good for its half minute and the ones beside it, once`() {
    let secret = TimeCode.newSecret()
    let now = Instant(millisecondsSince1970: 1_795_000_000_000)
    let step = TimeCode.step(at: now)
    for off: Int64 in -3...3 {
      let code = TimeCode.code(secret: secret, step: step + off)
      let found = TimeCode.step(of: code, secret: secret, at: now, after: 0)
      #expect(found == (abs(off) <= 1 ? step + off : nil))
      #expect(TimeCode.step(of: code, secret: secret, at: now, after: step + off) == nil)
    }
    let code = TimeCode.code(secret: secret, step: step)
    #expect(
      TimeCode.step(of: "\(code.prefix(3)) \(code.suffix(3))", secret: secret, at: now, after: 0) == step)
    for wrong in ["", "1", "abcdef", code + "0", String(code.dropLast())] {
      #expect(TimeCode.step(of: wrong, secret: secret, at: now, after: 0) == nil)
    }
  }

  @Test func `the link has what an app needs, whatever the login`() {
    let link = TimeCode.link(secret: Array("foobar".utf8), login: "anna b@x&y")
    #expect(
      link == "otpauth://totp/Proximity%20Alarm:anna%20b%40x%26y?secret=MZXW6YTBOI&issuer=Proximity%20Alarm")
  }
}
