import Formats
import NIOHTTP1
import Store

/// A chat with a bot of Telegram (core.telegram.org/bots/api, sendMessage).
public struct TelegramChat: Hashable, Sendable, CustomStringConvertible, ServiceEndpoint {
  /// Telegram's own server, or a Bot API server that a person runs.
  public let server: TargetURL
  public let token: Secret
  /// A number, negative for a group, or a channel's public name with its `@`.
  public let chat: String
  /// The limit of the Bot API in UTF-16 units, used here in bytes of UTF-8, which are never fewer.
  private static let maximumText = 4096

  /// Reads `{"token":"123456:ABC...","chat":"123456789"}`.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    server = try fields.url("server", standard: "https://api.telegram.org")
    let token = try fields.requiredText("token", limit: 256)
    let parts = token.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
      !parts[1].isEmpty, parts[1].utf8.allSatisfy(ConfigurationFields.isWordByte)
    else {
      throw ConfigurationError(
        field: "token", given: "something else", allowed: "the bot's token, as 123456:ABC-DEF")
    }
    self.token = Secret(token)
    chat = try fields.requiredText("chat", limit: 64)
    guard Int64(chat) != nil || (chat.hasPrefix("@") && chat.count > 1) else {
      throw ConfigurationError(
        field: "chat", given: chat.excerpt(40), allowed: "the chat's number, or @name of a channel")
    }
  }

  public var description: String { "Telegram chat \(chat)" }

  func request(telling notice: AlarmNotice) -> ServiceRequest {
    var message: [(String, JSONValue)] = [
      ("chat_id", .string(chat)),
      ("text", .string(NoticeWords(notice).lines(with: notice).cut(Self.maximumText))),
      ("disable_notification", .bool(!notice.isHeard && notice.kind != .test)),
      ("link_preview_options", .object([("is_disabled", .bool(true))])),
    ]
    // Telegram refuses a message with a button whose link is not on the public internet.
    let buttons = notice.links.buttons.filter { $0.url.hasPrefix("https://") }.map {
      JSONValue.object([("text", .string($0.label)), ("url", .string($0.url))])
    }
    if notice.isHeard, !buttons.isEmpty {
      message.append(("reply_markup", .object([("inline_keyboard", .array([.array(buttons)]))])))
    }
    return ServiceRequest(.POST, server.appending("bot\(token.revealed)/sendMessage"), json: message)
  }
}
