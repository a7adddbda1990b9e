import AlarmEngine
import TestSupport
import Testing

@testable import Formats

@Suite("Received mail")
struct ReceivedMailTests {
  private static let pad =
    "AlertZoneStart,,,\r\nAlertZoneName,Cliff\r\nLocation,1,46.05,14.5\r\nAlertZoneEnd,,,\r\n"

  private func read(_ text: String) throws -> ReceivedMail { try ReceivedMail(Array(text.utf8)) }
  private func names(_ text: String) throws -> [String] {
    try read(text).zones().zones.map { $0.name.string }
  }

  /// The zone above in base64 ("QWxlcnRab25l..."), in lines of 20.
  private static let coded: String = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(pad.utf8)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for index in 0..<4 { text.append(index <= part.count ? alphabet[word >> (18 - 6 * index) & 63] : "=") }
      if start % 15 == 12 { text += "\r\n" }
    }
    return text
  }()

  @Test func `a zone attached in base64 comes out, in a mailbox or not`() throws {
    let mail = """
      From: anna@example.org\r
      MIME-Version: 1.0\r
      Content-Type: multipart/mixed;\r
       boundary="=_x y"\r
      \r
      This is for old programs.\r
      --=_x y\r
      Content-Type: text/plain\r
      \r
      Here is the <kml> I spoke of.\r
      --=_x y\r
      Content-Type: application/octet-stream; name=ignored\r
      Content-Transfer-Encoding: BASE64 \r
      Content-Disposition: attachment; filename*0*=UTF-8''..%2F..%2Fetc%2FGr%C3%BC;\r
       filename*1=n.pad\r
      \r
      \(Self.coded)\r
      --=_x y--\r
      Not a part: AlertZoneStart\r
      """
    for mail in [mail, mail.replacing("\r\n", with: "\n"), "From anna Mon Sep 21\n" + mail] {
      let read = try read(mail)
      #expect(read.parts.map(\.type) == ["text/plain", "application/octet-stream"])
      #expect(read.parts[1].name == "Grün.pad")
      #expect(read.parts[1].bytes == Array(Self.pad.utf8))
      #expect(try names(mail) == ["Cliff"])
    }
  }

  @Test func `a zone in the text itself counts, quoted-printable and in a forwarded mail too`() throws {
    #expect(try names("Subject: x\r\n\r\n" + Self.pad) == ["Cliff"])
    #expect(
      try names(
        "Content-Transfer-Encoding: quoted-printable\r\n\r\nAlertZoneStart,,,=0D=0AAlert=\r\nZoneName,Cl=69ff=   \r\n=0D=0ALocation,1,46.05,14.5\r\nAlertZoneEnd\r\n"
      ) == ["Cliff"])
    #expect(try names("Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\n" + Self.pad) == ["Cliff"])
    #expect(
      try names(
        "A: b\r\nContent-Type: multipart/digest; boundary=x\r\n\r\n--x\r\n\r\nSubject: y\r\n\r\n\(Self.pad)--x--"
      ) == ["Cliff"])
    #expect(try names("Subject: x\r\n\r\nnothing here") == [])
  }

  @Test func `the content tells the format, and the same zone twice is one`() throws {
    let geojson =
      #"{"type":"Feature","properties":{"name":"Square"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}"#
    let mail = """
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Disposition: attachment; filename=lies.kmz

      \(geojson)
      --b
      Content-Disposition: attachment; filename=a.exe

      \(Self.pad)
      --b
      Content-Disposition: attachment; filename=b.pad

      \(Self.pad)
      --b
      Content-Disposition: attachment; filename=photo.jpg

      \u{1}\u{2}
      """
    #expect(try names(mail) == ["Square", "Cliff"])
  }

  @Test func `a part with mistakes yields what it has, and names itself`() throws {
    let mail =
      "A: b\r\nContent-Disposition: attachment; filename=two.pad\r\n\r\n\(Self.pad)AlertZoneStart\r\nLocation,1,99,999\r\nAlertZoneEnd\r\n"
    let file = try read(mail).zones()
    #expect(file.zones.count == 1)
    #expect(
      file.issues.contains { $0.severity == .error && $0.message.hasPrefix("two.pad: ") }, "\(file.issues)")
  }

  @Test func `parts in parts end at the tenth level, and there are no more than a thousand`() throws {
    func nested(_ depth: Int) -> String {
      var mail = "A: b\n\n" + Self.pad
      for level in 0..<depth {
        mail = "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n\(mail)\n--b\(level)--\n"
      }
      return mail
    }
    #expect(try names(nested(10)) == ["Cliff"])
    #expect(throws: MailError.tooDeep(allowed: 10)) { try read(nested(11)) }
    let many = "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: "--b\n\nx\n", count: 1001)
    #expect(throws: MailError.tooManyParts(allowed: 1000)) { try read(many) }
  }

  @Test func `what is no mail or too large is refused`() {
    #expect(throws: MailError.noHeader) { try read("") }
    #expect(throws: MailError.noHeader) { try read("just words") }
    #expect(throws: MailError.tooLarge(given: 26_214_401, allowed: 26_214_400)) {
      try ReceivedMail([UInt8](repeating: 65, count: ReceivedMail.maximumSize + 1))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `lines that look like boundaries until their last byte cost no more than others`() throws {
    let head = Array(
      "A: b\nContent-Type: multipart/mixed; boundary=\(String(repeating: "b", count: 70))\n\n".utf8)
    let line = Array("--\(String(repeating: "b", count: 69))c\n".utf8)
    var bytes = head
    while bytes.count + line.count < ReceivedMail.maximumSize / 8 { bytes += line }
    #expect(try ReceivedMail(bytes).parts.isEmpty)
  }

  @Test(arguments: Seeds.few(10))
  func `broken mails never trap`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let words = [
      "Content-Type: multipart/mixed; boundary=b\n", "Content-Type: message/rfc822\n",
      "Content-Transfer-Encoding: base64\n",
      "Content-Transfer-Encoding: quoted-printable\n", "--b", "--", "\n", "\r\n", "\n\n", "=", "=0", "=\n",
      " \r\n", "====", "QWxl", ":", ";", "\"", "\\",
      "filename*=UTF-8''%", "filename*0*=a", "boundary=\"", "(", "A: b\n", "AlertZoneStart\n",
      "Location,1,2,3\n", "AlertZoneEnd\n", "\u{0}", "ü",
    ]
    for _ in 0..<300 {
      var text = "A: b\n"
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        text += words.randomElement(using: &generator)!
      }
      var bytes = Array(text.utf8)
      if Bool.random(using: &generator), !bytes.isEmpty {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      _ = try? ReceivedMail(bytes).zones()
    }
  }
}
