import AlarmEngine
import CurlClient
import Foundation

/// Sends mails to the operator's server with libcurl (RFC 5321; STARTTLS RFC 3207, AUTH RFC 4954, SIZE RFC
/// 1870).
public final class SMTPClient: Sendable {
  public struct Limits: Hashable, Sendable {
    public var connect: TimeSpan = .seconds(10)
    /// The limit for each command's reply.
    public var step: TimeSpan = .seconds(30)
    /// The limit from the last byte of a mail to the reply that accepts it.
    public var acceptance: TimeSpan = .seconds(120)
    public init() {}
  }

  public let server: MailServer
  private let limits: Limits
  private let trustRoots: String?

  /// - Parameter trustRoots: a PEM file of certificates to trust in place of the system's.
  public init(server: MailServer, limits: Limits = Limits(), trustRoots: String? = nil) {
    self.server = server
    self.limits = limits
    self.trustRoots = trustRoots
  }

  /// Makes one attempt to send one mail.
  public func send(_ message: MailMessage) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      return .delivered(receipt: try await handOver(message))
    } catch {
      // 5xx: the same will be refused again.
      if case .reply(500..., _) = error { return .refused(reason: error) }
      return error.outcome
    }
  }

  /// - Returns: the server's reply to the accepted mail.
  private func handOver(_ message: MailMessage) async throws(DeliveryFailure) -> String {
    let bytes = Self.withLineEnds(try message.bytes(from: server.sender))
    let addresses = try await HostResolver.system.addresses(of: server.host, within: limits.connect)
    guard !addresses.isEmpty else { throw .unreachable("no such host") }
    let conversation = SMTPConversation(
      size: bytes.count, needsLogin: !server.user.isEmpty, startsTLS: server.security == .starttls,
      limits: limits)
    var request = CurlRequest(
      url: url,
      content: .mail(
        .init(
          sender: "\(server.sender)", recipient: "\(message.recipient)", message: bytes,
          login: server.user.isEmpty ? nil : (server.user, server.password.revealed),
          needsSTARTTLS: server.security == .starttls,
          acceptanceLimit: .milliseconds(limits.acceptance.milliseconds))),
      connectLimit: .milliseconds(limits.connect.milliseconds), limit: nil, trustRoots: trustRoots)
    if NetworkAddress(literal: server.host) == nil { request.addresses = addresses.map(\.description) }
    request.observer = conversation
    do throws(CurlFailure) { _ = try await CurlClient().run(request) } catch {
      // Once the server has accepted the mail, an error while closing does not matter.
      guard conversation.receipt != nil else { throw conversation.failure(error) }
    }
    return conversation.receipt ?? ""
  }

  /// The URL of the server. Its path is the name that follows EHLO: the sender's domain, since a machine
  /// seldom knows its own.
  private var url: String {
    let scheme = server.security == .implicit ? "smtps" : "smtp"
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    return
      "\(scheme)://\(host):\(server.port)/\("\(server.sender)".split(separator: "@").last ?? "localhost")"
  }

  /// Returns the message with CRLF at the end of each line, and no single CR or LF: a dot after one would end
  /// the mail.
  package static func withLineEnds(_ message: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.count + message.count / 32 + 2)
    var index = 0
    while index < message.count {
      let byte = message[index]
      index += 1
      if byte == 13 || byte == 10 {
        if byte == 13, index < message.count, message[index] == 10 { index += 1 }
        bytes += [13, 10]
      } else {
        bytes.append(byte)
      }
    }
    if let last = bytes.last, last != 10 { bytes += [13, 10] }
    return bytes
  }
}
