import AlarmEngine
import CurlClient
import Formats
import Foundation
import Store
import TestSupport
import Testing

@testable import Delivery
@testable import Server

@Suite("Mail messages")
struct MailMessageTests {
  private let sender = try! MailAddress("alarm@example.org")
  private let anna = try! MailAddress("anna@example.org")

  private func text(_ message: MailMessage) throws -> String {
    String(decoding: try message.bytes(from: sender), as: UTF8.self)
  }

  @Test func `a first alarm names itself, a repeat answers it`() throws {
    let first = try text(MailMessage(notice(), to: anna))
    #expect(first.contains("\r\nMessage-ID: <000000000000001f-0@example.org>\r\n"))
    #expect(first.contains("\r\nSubject: Alarm: Cliff edge\r\n") && !first.contains("In-Reply-To"))
    #expect(first.contains("\r\nDate: Mon, 21 Sep 2026 14:13:22 +0000\r\n"))
    let second = try text(MailMessage(notice(.repeat, sequence: 2), to: anna))
    #expect(second.contains("\r\nMessage-ID: <000000000000001f-2@example.org>\r\n"))
    #expect(second.contains("\r\nIn-Reply-To: <000000000000001f-0@example.org>\r\n"))
  }

  @Test(arguments: [
    "a\r\nBcc: eve@example.org", "a\nBcc: eve@example.org", "a\rBcc: eve@example.org", "a\u{2028}Bcc: x",
    "a\u{85}Bcc: x",
    "=?utf-8?Q?a=0D=0ABcc:_x?=", "a\u{0}b", "\u{202e}evil", "a\u{b}Bcc: x",
  ])
  func `no name can begin a header`(name: String) throws {
    let message = try text(
      MailMessage(notice(zone: name, pad: [1], device: name, messages: [name]), to: anna))
    let head = try #require(message.components(separatedBy: "\r\n\r\n").first)
    let names = head.components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }.map {
      $0.prefix { $0 != ":" }
    }
    #expect(
      names == [
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Importance",
        "X-Priority",
        "Content-Type",
      ])
    #expect(message.utf8.allSatisfy { $0 < 127 && ($0 >= 32 || $0 == 13 || $0 == 10) })
    #expect(!message.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
  }

  @Test func `lines are short, whatever the texts`() throws {
    let name = String(repeating: "Überlänge 🏔 ", count: 30)
    let message = try text(
      MailMessage(
        notice(
          zone: name, pad: Array(repeating: 9, count: 5000),
          messages: [name + name, String(repeating: "x", count: 900)]), to: anna))
    for line in message.components(separatedBy: "\r\n") where !line.contains("filename*") {
      #expect(line.utf8.count <= 78, "\(line)")
    }
    #expect(message.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
  }

  @Test func `more zones than a mail carries are refused`() throws {
    let message = MailMessage(
      notice(pad: [UInt8](repeating: 65, count: MailMessage.maximumAttachments + 1)), to: anna)
    #expect(throws: DeliveryFailure.tooLarge(given: 10_485_761, allowed: 10_485_760)) {
      try message.bytes(from: sender)
    }
  }

  @Test(arguments: Seeds.few(20))
  func `what we write is what our reader reads`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let letters = Array("ab =.\r\n\t_?üß🏔-")
    let words = String(
      (0..<Int.random(in: 0...300, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
    let pad = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    let message = MailMessage(
      sharing: [.init(name: "Zone", pad: pad)], to: anna, subject: words, text: words, date: someTime,
      identifier: "a-1")
    let mail = try ReceivedMail(message.bytes(from: sender))
    #expect(mail.parts.count == 2, "seed \(seed)")
    let expected = words.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing(
      "\n", with: "\r\n")
    #expect(String(decoding: mail.parts[0].bytes, as: UTF8.self) == expected, "seed \(seed)")
    #expect(mail.parts[1].bytes == pad && mail.parts[1].name == "Zone.pad", "seed \(seed)")
  }

  @Test func `lines end as SMTP wants, and no CR or LF stands alone in front of a dot`() {
    func lines(_ text: String) -> String {
      String(decoding: SMTPClient.withLineEnds(Array(text.utf8)), as: UTF8.self)
    }
    #expect(lines(".a\r\n..b\r\n.\r\nc.") == ".a\r\n..b\r\n.\r\nc.\r\n")
    #expect(lines("a\n.\nb\r.\rc") == "a\r\n.\r\nb\r\n.\r\nc\r\n")
    #expect(lines("") == "")
  }

  /// A dot alone on a line would end the mail, and the following lines would be commands.
  @Test func `dots at the beginning of lines are doubled on the way`() async throws {
    let mail = try await LocalMailServer.run { server in
      let request = CurlRequest(
        url: "smtp://127.0.0.1:\(server.port)/example.org",
        content: .mail(
          .init(
            sender: "a@b.c", recipient: "d@e.f",
            message: SMTPClient.withLineEnds(Array("a\n.\n..b\r.\rc.".utf8)), login: nil,
            needsSTARTTLS: false, acceptanceLimit: .seconds(20))),
        connectLimit: .seconds(10), limit: .seconds(20), trustRoots: nil)
      _ = try await CurlClient().run(request)
      return try #require(server.mails.first)
    }
    #expect(mail.text == "a\n.\n..b\n.\nc." && mail.to == "d@e.f")
  }

  @Test(arguments: [
    "", "a", "@b.c", "a@", "a@b@c", "a b@c.d", "a@b..c", "a@-b.c", "a.@b.c", "a@b.c\r\n", "<a@b.c>", "ä@b.c",
    "\"a\"@b.c", "a@[127.0.0.1]", String(repeating: "a", count: 65) + "@b.c",
  ])
  func `what is no plain address is refused`(text: String) {
    #expect(throws: MailAddress.Refusal.self) { try MailAddress(text) }
  }
}
