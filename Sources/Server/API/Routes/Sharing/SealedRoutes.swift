import AlarmEngine
import AlarmService
import Delivery
import Formats
import Hummingbird
import Store

/// End-to-end encrypted messages: only the recipient's browser can decrypt the bytes that the server carries.
enum SealedRoutes {
  private static let publicKey = Schema.base64URL(43...43)
  private static let keyMembers: [Schema.Member] = [
    .needed("id", .id, ""), .needed("public_key", publicKey, "X25519, 32 bytes."),
    .needed("name", .text(0...200), "Owner's name for the browser."), .needed("created_at", .time, ""),
  ]
  private static let ownKey = Schema.object(
    keyMembers + [.needed("fetched_at", .time, "Time at which its messages were last fetched.")])
  private static let contact = Schema.object([
    .needed("id", .id, ""), .needed("login", .text(1...100), "Login of the other person."),
    .needed(
      "name", .text(0...200), "Name of the other person; empty until both have agreed, if this account asked."
    ),
    .needed("is_agreed", .boolean, "True if both have agreed; messages then go both ways."),
    .needed("is_asked_by_me", .boolean, ""), .needed("created_at", .time, ""),
    .needed(
      "keys", .list(.object(keyMembers), upTo: SealedKey.most),
      "Keys of the other person: a message is sealed to each. Empty before both have agreed."),
  ])
  private static let message = Schema.object([
    .needed("id", .id, ""), .needed("login", .text(0...100), "Login of the sender, as the server knows it."),
    .needed("created_at", .time, "Time of receipt by the server."),
    .needed("message", .base64URL(1...longest), "The sealed message, as sent."),
  ])
  /// The length of 4096 bytes in base 64.
  private static let longest = 5462
  private static let atOnce = 100

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/sealed-keys", name: "listSealedKeys",
      summary: "Lists the public keys of the account's own browsers",
      handler: .account { call, signed in
        .items(try await call.store.sealedKeys(of: signed.account).map { json($0, isOwn: true) })
      }, answers: [.json(.items(ownKey, upTo: SealedKey.most), "Keys, oldest first.")]),
    Route(
      method: .post, path: "/api/v1/sealed-keys", name: "createSealedKey",
      summary: "Registers a browser's public key, so that messages can be sealed to it",
      handler: .account { call, signed in
        guard let bytes = call.json["public_key"]?.string.flatMap({ Base64URL.decode($0) }),
          bytes.count == SealedKey.bytes
        else { throw Problem.invalid("/public_key", "no 32 bytes in base 64 found") }
        let key = try await call.store.register(
          SealedKey(
            account: signed.account, publicKey: bytes, name: call.json["name"]?.string ?? "",
            createdAt: call.now))
        call.parts.core.hub.publish(try await others(of: signed.account, call) + [signed.account])
        return .json(json(key, isOwn: true), status: .created)
      },
      body: .json(
        .object([
          .needed("public_key", publicKey, "X25519, 32 bytes; the same key is kept once."),
          .allowed("name", .text(0...200), "Name in lists."),
        ])), answers: [.json(ownKey, "The registered key.", status: .created)]),
    Route(
      method: .delete, path: "/api/v1/sealed-keys/{key}", name: "deleteSealedKey",
      summary: "Deletes a key with the messages waiting for it",
      handler: .account { call, signed in
        let id = SealedKeyID(rawValue: try call.id("key"))
        if let key = try await call.store.sealedKeys(of: signed.account).first(where: { $0.id == id }) {
          call.subject.isNamed(key.name)
        }
        try await call.store.removeSealedKey(id, of: signed.account, at: call.now)
        call.parts.core.hub.publish(try await others(of: signed.account, call) + [signed.account])
        return .nothing
      }, answers: [.nothing("Deleted.")]),
    Route(
      method: .get, path: "/api/v1/sealed-contacts", name: "listSealedContacts",
      summary: "Lists the contacts for sealed messages, with their keys",
      handler: .account(listContacts),
      answers: [.json(.items(contact, upTo: 100_000), "Contacts, by the time of the request.")]),
    Route(
      method: .post, path: "/api/v1/sealed-contacts", name: "createSealedContact",
      summary: "Asks a person, by login, to exchange sealed messages, or agrees if that person has asked",
      handler: .account { call, signed in
        let login = call.json["login"]?.string ?? ""
        guard login.lowercased() != signed.login.lowercased() else {
          throw Problem.invalid("/login", "your own login found, another person's allowed")
        }
        let contact = try await call.store.ask(login, by: signed.account, at: call.now)
        // The answer does not reveal whether the person exists; the person sees the request.
        let asked = try await found { try await call.store.account(login: login) }
        call.parts.core.hub.publish([signed.account] + (asked.map { [$0.id] } ?? []))
        return .json(try await json(contact, for: signed.account, call), status: .created)
      },
      body: .json(
        .object([
          .needed(
            "login", AccountRoutes.login,
            "Login of the person, who sees the request. The answer does not reveal whether it exists.")
        ])), answers: [.json(contact, "Asked, or agreed.", status: .created)]),
    Route(
      method: .put, path: "/api/v1/sealed-contacts/{contact}/agree", name: "agreeSealedContact",
      summary: "Agrees to exchange sealed messages with a person who asked",
      handler: .account { call, signed in
        let id = try contactID(call)
        try await name(id, call, signed)
        try await call.store.agree(id, by: signed.account, at: call.now)
        call.parts.core.hub.publish(try await others(of: signed.account, call) + [signed.account])
        return .nothing
      }, answers: [.nothing("Agreed.")]),
    Route(
      method: .delete, path: "/api/v1/sealed-contacts/{contact}", name: "endSealedContact",
      summary: "Ends a contact for both sides, or withdraws or declines a request; either side may",
      handler: .account { call, signed in
        let id = try contactID(call)
        try await name(id, call, signed)
        let others = try await others(of: signed.account, call)
        try await call.store.end(id, by: signed.account, at: call.now)
        call.parts.core.hub.publish(others + [signed.account])
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .post, path: "/api/v1/sealed", name: "sendSealed",
      summary: "Sends a message that is sealed to one key of a person who has agreed, or to an own key",
      handler: .account(send),
      body: .json(
        .object([
          .needed("key_id", .id, "Id of the receiver's key."),
          .needed(
            "message", .base64URL(1...longest),
            "At most 4096 bytes. The page writes libsodium's `crypto_box_seal`; the server does not inspect it."
          ),
        ])), answers: [.nothing("Stored until it is fetched and dropped, for at most 7 days.")],
      isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/sealed-keys/{key}/messages", name: "listSealed",
      summary: "Lists the messages waiting for one of the account's keys",
      handler: .account(list),
      answers: [.json(.items(message, upTo: atOnce), "Messages, oldest first; drop them to see more.")]),
    Route(
      method: .post, path: "/api/v1/sealed/drop", name: "dropSealed",
      summary: "Drops messages that were read",
      handler: .account { call, signed in
        let ids = (call.json["ids"]?.list ?? []).compactMap { $0.string.flatMap { parsedID($0) } }
        try await call.store.dropSealed(
          ids.map(SealedMessageID.init(rawValue:)), of: signed.account)
        return .nothing
      }, body: .json(.object([.needed("ids", .list(.id, upTo: atOnce), "")])),
      answers: [.nothing("Dropped.")]),
  ]

  private static func contactID(_ call: Call) throws(Problem) -> SealedContactID {
    SealedContactID(rawValue: try call.id("contact"))
  }

  /// Names the contact in the audit log.
  private static func name(_ id: SealedContactID, _ call: Call, _ signed: Signed) async throws {
    let contacts = try await call.store.sealedContacts(of: signed.account, at: call.now)
    guard let contact = contacts.first(where: { $0.id == id }) else { throw Problem.notFound }
    call.subject.isNamed(contact.owner == signed.account ? contact.login : contact.ownerLogin)
  }

  /// The accounts that the account exchanges messages with, or that have asked it to.
  private static func others(of account: AccountID, _ call: Call) async throws -> [AccountID] {
    try await call.store.sealedContacts(of: account, at: call.now).compactMap {
      $0.owner == account ? $0.viewer : $0.owner
    }
  }

  private static func json(_ key: SealedKey, isOwn: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("id", .string(key.id.description)), ("public_key", .string(Base64URL.encode(key.publicKey))),
      ("name", .string(key.name)), ("created_at", key.createdAt.json),
    ]
    if isOwn { members.append(("fetched_at", key.fetchedAt.json)) }
    return .object(members)
  }

  private static func json(
    _ contact: SealedContact, for account: AccountID, _ call: Call
  ) async throws -> JSONValue {
    let isMine = contact.owner == account
    var keys: [SealedKey] = []
    if contact.viewer != nil {
      keys = try await found { try await call.store.sealedKeys(by: contact.id, for: account) } ?? []
    }
    return .object([
      ("id", .string(contact.id.description)),
      ("login", .string(isMine ? contact.login : contact.ownerLogin)),
      ("name", .string(isMine ? contact.viewerName : contact.ownerName)),
      ("is_agreed", .bool(contact.viewer != nil)), ("is_asked_by_me", .bool(isMine)),
      ("created_at", contact.createdAt.json), ("keys", .array(keys.map { json($0, isOwn: false) })),
    ])
  }

  private static func listContacts(_ call: Call, _ signed: Signed) async throws -> Response {
    var items: [JSONValue] = []
    for contact in try await call.store.sealedContacts(of: signed.account, at: call.now) {
      items.append(try await json(contact, for: signed.account, call))
    }
    return .items(items)
  }

  private static func send(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let bytes = call.json["message"]?.string.flatMap({ Base64URL.decode($0) }) else {
      throw Problem.invalid("/message", "no bytes in base 64 found")
    }
    guard (1...SealedMessage.mostBytes).contains(bytes.count) else {
      throw Problem.invalid(
        "/message", "\(bytes.count) bytes found, 1 to \(SealedMessage.mostBytes) allowed")
    }
    guard let key = call.json["key_id"]?.string.flatMap({ parsedID($0) }).map(SealedKeyID.init(rawValue:))
    else { throw Problem.notFound }
    let message = SealedMessage(
      id: call.newID(SealedMessageID.self, for: signed, "sealed"), key: key, sender: signed.account,
      bytes: bytes, createdAt: call.now)
    let receiver: AccountID
    do throws(StoreError) {
      receiver = try await call.store.post(message)
    } catch {
      guard error == .taken, call.request.headers[.idempotencyKey] != nil else { throw error }
      // An earlier request with the same key sent it.
      return .nothing
    }
    call.parts.core.hub.publish([receiver])
    if receiver != signed.account { try await call.parts.alarms.outbox.tellOfSealed(receiver, at: call.now) }
    return .nothing
  }

  private static func list(_ call: Call, _ signed: Signed) async throws -> Response {
    let messages = try await call.store.sealedMessages(
      for: SealedKeyID(rawValue: try call.id("key")), of: signed.account, limit: atOnce, at: call.now)
    var logins: [AccountID: String] = [:]
    var items: [JSONValue] = []
    for message in messages {
      let sender = message.sender
      if logins[sender] == nil {
        logins[sender] = try await found { try await call.store.account(sender) }?.login ?? ""
      }
      items.append(
        .object([
          ("id", .string(message.id.description)), ("login", .string(logins[sender] ?? "")),
          ("created_at", message.createdAt.json), ("message", .string(Base64URL.encode(message.bytes))),
        ]))
    }
    return .items(items)
  }
}
