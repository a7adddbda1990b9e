import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Messages kept to be used in several zones (S87-S104).
enum MessageRoutes {
  private static let fields: [Schema.Member] = [
    .needed("your_moniker", .text(0...100), "Name of the sender in the message."),
    .needed("to_moniker", .text(0...100), "Name of the recipient in the message."),
    .needed("contact_number", .text(0...100), ""), .needed("supplement", .text(0...1000), ""),
  ]
  private static let message = Schema.object(
    [.needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), "")] + fields)
  static let maximumMessages = 10_000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/messages", name: "listMessages", summary: "Lists the saved messages",
      handler: .account { call, signed in
        let messages = try await call.store.messages(of: signed.account)
        return .items(messages.map(json))
      }, answers: [.json(.items(message, upTo: 100_000), "Messages, by id.")]),
    Route(
      method: .post, path: "/api/v1/messages", name: "createMessage", summary: "Creates a message",
      handler: .account(create), body: .json(.object(fields)),
      answers: [
        .json(message, "The message.", status: .created, hasETag: true),
        .json(message, "The message created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/messages/{message}", name: "getMessage", summary: "Returns one message",
      handler: .account { call, signed in
        answer(try await call.store.message(try id(call), of: signed.account))
      }, answers: [.json(message, "The message.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/messages/{message}", name: "putMessage",
      summary: "Saves an edited message",
      handler: .account { call, signed in
        let revision = try call.expectedRevision()
        var stored = try await call.store.message(try id(call), of: signed.account)
        stored.message = message(call.json)
        let saved = try await call.store.save(stored, over: revision, at: call.now)
        call.parts.core.hub.publish(signed.account)
        return answer(saved)
      }, headers: [ZoneRoutes.ifMatch], body: .json(.object(fields)),
      answers: [.json(message, "Saved.", hasETag: true)]),
    Route(
      method: .delete, path: "/api/v1/messages/{message}", name: "deleteMessage",
      summary: "Deletes a message",
      handler: .account { call, signed in
        try await call.store.deleteMessage(try id(call), of: signed.account, at: call.now)
        call.parts.core.hub.publish(signed.account)
        return .nothing
      }, answers: [.nothing("Deleted; zones that use it keep their copy.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> MessageID {
    MessageID(rawValue: try call.id("message"))
  }

  private static func message(_ value: JSONValue) -> Message {
    func text(_ key: String) -> Text { Text(value[key]?.string ?? "") }
    return Message(
      yourMoniker: text("your_moniker"), toMoniker: text("to_moniker"),
      contactNumber: text("contact_number"), supplement: text("supplement"))
  }

  private static func json(_ saved: SavedMessage) -> JSONValue {
    .object([
      ("id", .string(saved.id.description)), ("revision", .integer(saved.revision.rawValue)),
      ("your_moniker", .string(saved.message.yourMoniker.string)),
      ("to_moniker", .string(saved.message.toMoniker.string)),
      ("contact_number", .string(saved.message.contactNumber.string)),
      ("supplement", .string(saved.message.supplement.string)),
    ])
  }

  private static func answer(_ saved: SavedMessage, status: HTTPResponse.Status = .ok) -> Response {
    .json(
      json(saved), revision: saved.revision, status: status,
      location: status == .created ? "/api/v1/messages/\(saved.id)" : nil)
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard try await call.store.messages(of: signed.account).count < maximumMessages else {
      throw StoreError.tooMany(allowed: maximumMessages)
    }
    let id = call.newID(MessageID.self, for: signed, "messages")
    let made = SavedMessage(id: id, account: signed.account, message: message(call.json))
    let (saved, isNew) = try await call.once {
      try await call.store.create(made, at: call.now)
      return try await call.store.message(id, of: signed.account)
    } find: {
      try await call.store.message(id, of: signed.account)
    }
    call.parts.core.hub.publish(signed.account)
    return answer(saved, status: isNew ? .created : .ok)
  }
}
