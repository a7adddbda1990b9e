import Formats
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import Delivery
@testable import Server

/// A mail server on loopback, without TLS, that accepts and keeps every mail.
final class LocalMailServer: Sendable {
  struct Mail: Sendable {
    let to: String
    /// Head and body as received, with quoted-printable decoded.
    let text: String
    func link(_ beginning: String) throws -> String {
      let start = try #require(text.range(of: beginning), "\(text)")
      return String(text[start.lowerBound...].prefix { !$0.isWhitespace })
    }
  }

  private let channel: any Channel
  private let inbox: NIOLockedValueBox<[Mail]>
  var mails: [Mail] { inbox.withLockedValue { $0 } }

  private init(_ channel: any Channel, _ inbox: NIOLockedValueBox<[Mail]>) {
    self.channel = channel
    self.inbox = inbox
  }

  var port: Int { channel.localAddress?.port ?? 0 }

  /// A client that sends mails to this server.
  func client() throws -> SMTPClient {
    let json = #"{"host":"127.0.0.1","port":\#(port),"security":"none","sender":"alarm@example.org"}"#
    return SMTPClient(server: try MailServer(json: Array(json.utf8)))
  }

  static func run<Value: Sendable>(_ body: (LocalMailServer) async throws -> Value) async throws -> Value {
    let inbox = NIOLockedValueBox<[Mail]>([])
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Conversation(inbox))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    let result: Result<Value, any Error>
    do { result = .success(try await body(LocalMailServer(channel, inbox))) } catch {
      result = .failure(error)
    }
    try? await channel.close().get()
    return try result.get()
  }

  private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let inbox: NIOLockedValueBox<[Mail]>
    private var held = ""
    private var to = ""
    private var data: [String]?

    init(_ inbox: NIOLockedValueBox<[Mail]>) { self.inbox = inbox }

    func channelActive(context: ChannelHandlerContext) { say("220 here", context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      held += String(buffer: unwrapInboundIn(data))
      while let end = held.range(of: "\r\n") {
        let line = String(held[..<end.lowerBound])
        held = String(held[end.upperBound...])
        hear(line, context)
      }
    }

    private func hear(_ line: String, _ context: ChannelHandlerContext) {
      if data != nil {
        guard line == "." else {
          data?.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
          return
        }
        let text = (data ?? []).joined(separator: "\n").replacing("=\n", with: "").replacing("=3D", with: "=")
        let mail = Mail(to: to, text: text)
        inbox.withLockedValue { $0.append(mail) }
        data = nil
        return say("250 kept", context)
      }
      switch line.prefix(4).uppercased() {
      case "RCPT":
        to = String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
        say("250 fine", context)
      case "DATA":
        data = []
        say("354 go on", context)
      case "QUIT":
        say("221 bye", context)
        context.close(promise: nil)
      default: say("250 fine", context)
      }
    }

    private func say(_ line: String, _ context: ChannelHandlerContext) {
      context.writeAndFlush(NIOAny(ByteBuffer(string: line + "\r\n")), promise: nil)
    }
  }
}
