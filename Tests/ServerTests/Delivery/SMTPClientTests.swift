import AlarmEngine
import Formats
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import Delivery
@testable import Server

@Suite("Mail to a real server")
struct SMTPClientTests {
  private static func server(
    _ port: Int, _ security: String = "starttls", password: String = "Schlüssel", host: String = "127.0.0.1"
  ) throws -> MailServer {
    let login = security == "none" ? "" : #","user":"alarm","password":"\#(password)""#
    return try MailServer(
      json: Array(
        #"{"host":"\#(host)","port":\#(port),"security":"\#(security)","sender":"alarm@example.org"\#(login)}"#
          .utf8))
  }

  private static let anna = try! MailAddress("anna@example.org")

  /// The other side is aiosmtpd, which requires TLS and a password.
  @Test(arguments: [("starttls", "LOGIN"), ("starttls", "PLAIN"), ("implicit", "PLAIN")])
  func `an alarm arrives whole, with its zone`(security: String, withoutMechanism: String) async throws {
    let certificates = try await Certificates.made.value
    let arguments =
      [certificates.folder, security, "127.0.0.1"] + (security == "starttls" ? [withoutMechanism] : [])
    try await Peer.run("smtp_receiver.py", arguments) { receiver in
      let port = try #require(try await receiver.next()["port"] as? Int)
      let client = SMTPClient(
        server: try Self.server(port, security), trustRoots: certificates.authority)
      let pad = Array(
        "AlertZoneStart,,,\r\nAlertZoneName,Grüner Hügel\r\nLocation,1,46.05,14.5\r\nAlertZoneEnd,,,\r\n".utf8
      )
      let sent = notice(
        zone: "Grüner Hügel 🏔 mit einem sehr langen Namen, der gefaltet werden muss", pad: pad,
        messages: [".", "..dots", "naïve = 1"])
      let outcome = await client.send(MailMessage(sent, to: Self.anna))
      #expect(outcome == .delivered(receipt: "2.0.0 kept as 4711"))
      let mail = try await receiver.next()
      #expect(mail["tls"] as? Bool == true || security == "implicit")
      #expect(
        mail["from"] as? String == "alarm@example.org" && mail["to"] as? [String] == ["anna@example.org"])
      #expect((mail["defects"] as? [String])?.isEmpty == true)
      let headers = try #require(mail["headers"] as? [String: String])
      #expect(
        headers["Subject"] == "Alarm: Grüner Hügel 🏔 mit einem sehr langen Namen, der gefaltet werden muss")
      #expect(headers["Message-ID"] == "<000000000000001f-0@example.org>")
      #expect(headers["Date"] == "Mon, 21 Sep 2026 14:13:22 +0000" && headers["To"] == "anna@example.org")
      let text = try #require(mail["text"] as? String)
      #expect(
        text.replacing("\r\n", with: "\n").contains(
          "\n.\n..dots\nnaïve = 1\n\nOpen: https://alarm.example/l/o"))
      let attachment = try #require((mail["attachments"] as? [[String: String]])?.first)
      #expect(
        attachment["name"] == "Grüner Hügel 🏔 mit einem sehr langen Namen, der gefaltet we….pad",
        "\(attachment)")
      #expect(Data(base64Encoded: attachment["bytes"] ?? "") == Data(pad))
      // The raw mail, as read by `proximity zones receive`.
      let raw = try #require(Data(base64Encoded: mail["raw"] as? String ?? ""))
      let zones = try ReceivedMail(Array(raw)).zones().zones
      #expect(zones.map(\.name) == ["Grüner Hügel"])
    }
  }

  @Test func `who is refused, who is busy and who is not let in is told apart`() async throws {
    let certificates = try await Certificates.made.value
    try await Peer.run("smtp_receiver.py", [certificates.folder, "starttls", "127.0.0.1"]) { receiver in
      let port = try #require(try await receiver.next()["port"] as? Int)
      func outcome(
        to address: String = "anna@example.org", password: String = "Schlüssel", trust: String? = nil,
        pad: [UInt8]? = nil,
        host: String = "127.0.0.1"
      ) async throws -> DeliveryOutcome {
        let client = SMTPClient(
          server: try Self.server(port, password: password, host: host),
          trustRoots: trust ?? certificates.authority)
        return await client.send(MailMessage(notice(pad: pad), to: try MailAddress(address)))
      }
      #expect(
        try await outcome(to: "busy@example.org")
          == .retry(after: nil, reason: .reply(451, "4.2.1 come back later")))
      #expect(
        try await outcome(to: "unknown@example.org") == .refused(reason: .reply(550, "5.1.1 no such person")))
      guard case .refused(.reply(535, _)) = try await outcome(password: "wrong") else {
        Issue.record("a wrong password was not refused")
        return
      }
      guard case .retry(_, .insecure) = try await outcome(trust: certificates.stranger) else {
        Issue.record("a strange certificate was trusted")
        return
      }
      guard
        case .refused(.tooLarge(_, 1_048_576)) = try await outcome(
          pad: [UInt8](repeating: 65, count: 1 << 20))
      else {
        Issue.record("more than the server takes was sent")
        return
      }
      #expect(try await outcome(host: "localhost").isDelivered)
    }
  }

  // MARK: Servers that misbehave

  private static let hasty: SMTPClient.Limits = {
    var limits = SMTPClient.Limits()
    limits.step = .seconds(1.5)
    limits.acceptance = .seconds(1.5)
    return limits
  }()

  private func attempt(
    _ steps: [ScriptedServer.Step], security: String = "none", limits: SMTPClient.Limits = hasty
  ) async throws -> (outcome: DeliveryOutcome, heard: String) {
    let authority = try await Certificates.made.value.authority
    return try await ScriptedServer.run(steps) { server in
      let client = SMTPClient(
        server: try Self.server(server.port, security), limits: limits, trustRoots: authority)
      return (await client.send(MailMessage(notice(), to: Self.anna)), server.heard.withLockedValue { $0 })
    }
  }

  @Test(
    arguments: [
      ([], "the greeting"), ([.say("220 x\r\n")], "EHLO"), ([.say("220 x\r\n"), .say("250-x\r\n")], "EHLO"),
      ([.say("220 x\r\n"), .say("250 x\r\n")], "MAIL"),
      ([.say("220 x\r\n"), .say("250 x\r\n"), .say("250 x\r\n")], "RCPT"),
      (
        [
          .say("220 x\r\n"), .say("250 x\r\n"), .say("250 x\r\n"), .say("250 x\r\n"), .say("354 x\r\n"),
          .listen,
        ],
        "acceptance"
      ),
    ] as [([ScriptedServer.Step], String)])
  func `a server that falls silent is left at that step`(steps: [ScriptedServer.Step], step: String)
    async throws
  {
    let outcome = try await attempt(steps).outcome
    #expect(outcome == .retry(after: nil, reason: .timedOut(during: step)))
  }

  @Test func `a handshake that does not go on is left too`() async throws {
    async let late = attempt(
      [.say("220 x\r\n"), .say("250-x\r\n250 STARTTLS\r\n"), .say("220 go on\r\n")], security: "starttls")
    async let never = attempt([], security: "implicit")
    #expect(try await late.outcome == .retry(after: nil, reason: .timedOut(during: "EHLO")))
    #expect(try await never.outcome == .retry(after: nil, reason: .timedOut(during: "the greeting")))
  }

  @Test func `a server that hangs up or talks nonsense is tried again later`() async throws {
    let long = String(repeating: "x", count: 5000)
    for steps: [ScriptedServer.Step] in [
      [.hangUp], [.say("220 x\r\n"), .hangUp], [.say("HTTP/1.1 400 Bad Request\r\n")],
      [.say("\u{0}\u{1}\r\n")], [.say("22\r\n")],
      [.say("999 x\r\n")], [.say(long)], [.say("220 \(long)\r\n")], [.say("220_x\r\n")],
      [.say(String(repeating: "220-x\r\n", count: 300))], [.say("220 x\r\n220 y\r\n220 z\r\n")],
      [.say("220 x\r\n"), .say("354 go on\r\n")],
      [.say("421 too busy\r\n")], [.say("220 x\r\n"), .say("451 no\r\n")],
    ] {
      let outcome = try await attempt(steps).outcome
      #expect(told(outcome) == "retry", "\(steps): \(outcome)")
    }
    #expect(told(try await attempt([.say("554 go away\r\n")]).outcome) == "refused")
  }

  @Test func `without STARTTLS neither the password nor the mail is sent`() async throws {
    let (outcome, heard) = try await attempt(
      [.say("220 x\r\n"), .say("250-x\r\n250 AUTH PLAIN\r\n")], security: "starttls")
    #expect(outcome == .retry(after: nil, reason: .insecure("the mail server offers no STARTTLS")))
    #expect(heard.hasPrefix("EHLO") && !heard.contains("AUTH") && !heard.contains("MAIL"))
  }

  @Test func `what is put behind the answer to STARTTLS in clear text is never taken for the server's word`()
    async throws
  {
    // The forged lines would make a careless client skip its own EHLO and go on.
    let forged =
      "220 go on\r\n250-x\r\n250 AUTH PLAIN\r\n235 welcome\r\n250 ok\r\n250 ok\r\n354 ok\r\n250 taken\r\n"
    let (outcome, heard) = try await attempt(
      [.say("220 x\r\n"), .say("250-x\r\n250 STARTTLS\r\n"), .say(forged)], security: "starttls")
    #expect(told(outcome) == "retry", "\(outcome)")
    #expect(!heard.contains("AUTH") && !heard.contains("MAIL FROM"))
  }

  @Test func `a certificate for another name is not trusted`() async throws {
    let certificates = try await Certificates.made.value
    try await Peer.run("smtp_receiver.py", [certificates.folder, "implicit", "127.0.0.2"]) { receiver in
      let port = try #require(try await receiver.next()["port"] as? Int)
      // The address is this machine too, but not in the certificate.
      let client = SMTPClient(
        server: try Self.server(port, "implicit", host: "127.0.0.2"), trustRoots: certificates.authority)
      let outcome = await client.send(MailMessage(notice(), to: Self.anna))
      guard case .retry(_, .insecure) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func `a password never goes without TLS, and settings that ask for it are refused`() {
    let error = #expect(throws: ConfigurationError.self) {
      try MailServer(
        json: Array(#"{"host":"a","security":"none","user":"u","password":"p","sender":"a@b.c"}"#.utf8))
    }
    #expect(error?.allowed == "starttls or implicit")
  }

  @Test func `a mail that is cancelled ends at once`() async throws {
    let task = Task { try await attempt([], limits: SMTPClient.Limits()).outcome }
    task.cancel()
    #expect(told(try await task.value) == "retry")
  }
}
