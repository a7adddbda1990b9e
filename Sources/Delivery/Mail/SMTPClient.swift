import AlarmEngine
import Foundation
import NIOCore
import NIOSSL

/// Hands mails to the operator's server (RFC 5321; STARTTLS RFC 3207, AUTH RFC 4954, SIZE RFC 1870).
public final class SMTPClient: Sendable {
  public struct Limits: Hashable, Sendable {
    public var connect: TimeSpan = .seconds(10)
    /// For each command's reply.
    public var step: TimeSpan = .seconds(30)
    /// From the last byte of a mail to the reply that it was taken over.
    public var acceptance: TimeSpan = .seconds(120)
    public init() {}
  }

  public let server: MailServer
  private let limits: Limits
  private let tls: NIOSSLContext?

  /// - Parameter trustRoots: a PEM file of certificates to trust in place of the system's.
  public init(server: MailServer, limits: Limits = Limits(), trustRoots: String? = nil)
    throws(ConfigurationError)
  {
    self.server = server
    self.limits = limits
    guard server.security != .none else {
      tls = nil
      return
    }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if let trustRoots { configuration.trustRoots = .file(trustRoots) }
    do { tls = try NIOSSLContext(configuration: configuration) } catch {
      throw ConfigurationError(
        field: "trust_roots", given: "\(error)".excerpt(), allowed: "a PEM file of certificates")
    }
  }

  /// One attempt to hand one mail over.
  public func send(_ message: MailMessage) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      let bytes = Self.data(of: try message.bytes(from: server.sender))
      let connection = try await SMTPConnection.open(
        server, tls: server.security == .implicit ? tls : nil, limits: limits)
      let outcome: DeliveryOutcome
      do throws(DeliveryFailure) {
        outcome = .delivered(
          receipt: try await converse(connection, recipient: message.recipient, data: bytes))
      } catch { outcome = Self.outcome(of: error) }
      await connection.close()
      return outcome
    } catch { return Self.outcome(of: error) }
  }

  private static func outcome(of failure: DeliveryFailure) -> DeliveryOutcome {
    // 5xx: the same will be refused again.
    if case .reply(500..., _) = failure { return .refused(reason: failure) }
    return failure.outcome
  }

  private func converse(
    _ connection: SMTPConnection, recipient: MailAddress, data: [UInt8]
  ) async throws(DeliveryFailure) -> String {
    try Self.expect(220, try await connection.ask(nil, step: "the greeting"))
    var abilities = try await hello(connection)
    if server.security == .starttls, let tls {
      guard abilities.names.contains("STARTTLS") else {
        throw .insecure("the mail server offers no STARTTLS")
      }
      try Self.expect(220, try await connection.ask("STARTTLS", step: "STARTTLS"))
      try await connection.startTLS(tls, host: server.host)
      // What was said before counts no more (RFC 3207, section 4.2).
      abilities = try await hello(connection)
    }
    if !server.user.isEmpty { try await authenticate(connection, mechanisms: abilities.mechanisms) }
    if let limit = abilities.maximumSize, data.count > limit {
      throw .tooLarge(given: data.count, allowed: limit)
    }
    let size = abilities.names.contains("SIZE") ? " SIZE=\(data.count)" : ""
    try Self.expect(250, try await connection.ask("MAIL FROM:<\(server.sender)>\(size)", step: "MAIL"))
    let taken = try await connection.ask("RCPT TO:<\(recipient)>", step: "RCPT")
    guard taken.code == 250 || taken.code == 251 else { throw .reply(taken.code, taken.text) }
    try Self.expect(354, try await connection.ask("DATA", step: "DATA"))
    let accepted = try await connection.ask(bytes: data, step: "acceptance", within: limits.acceptance)
    try Self.expect(250, accepted)
    // The mail is theirs now, whatever becomes of the farewell; it gets a moment, not a step's time.
    _ = try? await connection.ask(bytes: Array("QUIT\r\n".utf8), step: "QUIT", within: .seconds(1))
    return accepted.text.excerpt(120)
  }

  private func hello(_ connection: SMTPConnection) async throws(DeliveryFailure) -> Abilities {
    let reply = try await connection.ask("EHLO \(Self.ownName(connection))", step: "EHLO")
    try Self.expect(250, reply)
    return Abilities(reply.lines.dropFirst())
  }

  /// An address literal is what a client without a name of its own says (RFC 5321, section 4.1.3).
  private static func ownName(_ connection: SMTPConnection) -> String {
    guard let address = connection.channel.localAddress?.ipAddress else { return "[127.0.0.1]" }
    return address.contains(":") ? "[IPv6:\(address)]" : "[\(address)]"
  }

  private func authenticate(_ connection: SMTPConnection, mechanisms: Set<String>)
    async throws(DeliveryFailure)
  {
    func coded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let answer: SMTPReply
    if mechanisms.contains("PLAIN") {
      let word = coded("\0\(server.user)\0\(server.password.revealed)")
      answer = try await connection.ask("AUTH PLAIN \(word)", step: "AUTH")
    } else if mechanisms.contains("LOGIN") {
      try Self.expect(334, try await connection.ask("AUTH LOGIN", step: "AUTH"))
      try Self.expect(334, try await connection.ask(coded(server.user), step: "AUTH"))
      answer = try await connection.ask(coded(server.password.revealed), step: "AUTH")
    } else {
      throw .misconfigured("the mail server offers neither AUTH PLAIN nor AUTH LOGIN")
    }
    try Self.expect(235, answer)
  }

  private static func expect(_ code: Int, _ reply: SMTPReply) throws(DeliveryFailure) {
    if reply.code == code { return }
    guard reply.code >= 400 else { throw .garbled("\(reply.code) in place of \(code)") }
    throw .reply(reply.code, reply.text)
  }

  /// The message as DATA sends it: CRLF only at lines' ends, dots at lines' beginnings doubled, a dot alone at the end.
  package static func data(of message: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.count + message.count / 32 + 8)
    var isLineStart = true
    var index = 0
    while index < message.count {
      let byte = message[index]
      index += 1
      if byte == 13 || byte == 10 {
        if byte == 13, index < message.count, message[index] == 10 { index += 1 }
        bytes += [13, 10]
        isLineStart = true
        continue
      }
      if isLineStart, byte == 46 { bytes.append(46) }
      bytes.append(byte)
      isLineStart = false
    }
    if !isLineStart { bytes += [13, 10] }
    return bytes + [46, 13, 10]
  }
}

extension SMTPClient {
  /// What a server says it can, in capital letters.
  private struct Abilities {
    var names: Set<String> = []
    var mechanisms: Set<String> = []
    /// In bytes; nil where it states none.
    var maximumSize: Int?

    init(_ lines: some Sequence<String>) {
      for line in lines {
        // Old servers write "AUTH=PLAIN".
        let words = line.uppercased().replacing("=", with: " ").split(separator: " ").map(String.init)
        guard let name = words.first else { continue }
        names.insert(name)
        if name == "AUTH" { mechanisms.formUnion(words.dropFirst()) }
        if name == "SIZE", words.count > 1, let size = Int(words[1]), size > 0 { maximumSize = size }
      }
    }
  }
}
