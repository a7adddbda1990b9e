import AlarmEngine
import Formats
import HTTPTypes
import PAD
import Packs
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Signed packs")
struct PackRoutesTests {
  /// A publisher with a published collection of two zones.
  private struct Scene {
    let server: TestServer
    let anna: Visitor
    let stranger: Visitor
    let collection: String
    let zones: [String]
    let path: String
    let key: [UInt8]

    var api: String { "/api/v1/collections/\(collection)/pack" }
    func draw(_ name: String) -> [(String, JSONValue)] {
      JSONValue.zone(name) + [("collection_id", .string(collection))]
    }
    func change(_ zone: String, to name: String) async throws {
      let tag = try await anna.get("/api/v1/zones/\(zone)").tag
      let answer = try await anna.with(.ifMatch, tag).put("/api/v1/zones/\(zone)", draw(name))
      #expect(answer.status == .ok)
    }
  }

  private static func run(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let collection = try await anna.post(
        "/api/v1/collections", [("name", .string("Quarry")), ("about", .string("Blasting"))]
      ).id
      var zones: [String] = []
      for name in ["Pit", "Crane"] {
        let drawn =
          JSONValue.zone(name) + [
            ("collection_id", .string(collection)),
            (
              "messages",
              .array([
                .object([
                  ("your_moniker", .string("me")), ("to_moniker", .string("you")),
                  ("contact_number", .string("+15550100")), ("supplement", .string("hush")),
                ])
              ])
            ),
          ]
        let made = try await anna.post("/api/v1/zones", drawn)
        #expect(made.status == .created, "\(made.text)")
        zones.append(made.id)
      }
      let api = "/api/v1/collections/\(collection)/pack"
      let off = try await anna.get(api).json["pack"]
      guard case .null? = off else {
        Issue.record("on before it is switched on")
        return
      }
      let pack = try await anna.send(.put, api)
      #expect(pack.status == .ok, "\(pack.text)")
      let key = try #require(Base64URL.decode(pack.json["public_key"]?.string ?? ""))
      try await body(
        Scene(
          server: server, anna: anna, stranger: stranger, collection: collection, zones: zones,
          path: try #require(pack.json["path"]?.string), key: key))
    }
  }

  @Test
  func `whoever has the address gets a signed pack, without contacts, and a page of any server may read it`()
    async throws
  {
    try await Self.run { scene in
      let answer = try await scene.stranger.with(.origin, "https://elsewhere.example").get(scene.path)
      #expect(answer.status == .ok)
      #expect(answer.headers[.accessControlAllowOrigin] == "*")
      #expect(answer.headers[.cacheControl] == "no-cache")
      #expect(answer.headers[.setCookie] == nil)
      let held = try HeldPack(answer.bytes, signedBy: scene.key)
      #expect(held.head.name == "Quarry" && held.head.about == "Blasting")
      #expect(try held.entries.map { try $0.zone().name.string }.sorted() == ["Crane", "Pit"])
      #expect(held.head.renewBy - held.head.madeAt == .hours(168))
      for word in ["5550100", "hush"] { #expect(!answer.text.contains(word)) }
      #expect(try await scene.anna.get(scene.api).json["pack"]?["zone_count"]?.whole == 2)
      // The private key is in no answer.
      let secret = try await scene.server.parts.core.store.packKey(
        of: try #require(AccountID(scene.anna.account)), orElse: [], at: scene.server.clock.now
      ).secret
      for path in [scene.api, "/api/v1/collections/\(scene.collection)", "/api/v1/account"] {
        #expect(!(try await scene.anna.get(path)).text.contains(Base64URL.encode(secret)))
      }
    }
  }

  @Test func `of the page only what fetches packs may ask other servers`() async throws {
    try await Self.run { scene in
      let worker = try await scene.stranger.get("/scripts/packs/pack-worker.js")
      let policy = try #require(worker.headers[.contentSecurityPolicy])
      #expect(policy.hasPrefix("default-src 'none'; connect-src 'self' https:"), "\(policy)")
      let background = try await scene.stranger.get("/service-worker.js").headers[.contentSecurityPolicy]
      let parts = background?.split(separator: "; ").filter { $0.hasSuffix(" https:") } ?? []
      #expect(parts.count == 1 && parts.first?.hasPrefix("connect-src 'self' ") == true, "\(parts)")
      #expect(background?.contains("script-src 'self' 'wasm-unsafe-eval';") == true)
      for path in ["/", "/scripts/packs/pack-file.js", scene.path] {
        let policy = try await scene.stranger.get(path).headers[.contentSecurityPolicy]
        #expect(policy?.contains("https: ") == false, "\(path)")
      }
    }
  }

  @Test func `what is unchanged is not sent again, and of what changed only that`() async throws {
    try await Self.run { scene in
      let first = try await scene.stranger.get(scene.path)
      var held = try HeldPack(first.bytes, signedBy: scene.key)
      let since = "\(scene.path)?since=\(held.head.version)"
      let same = try await scene.stranger.with(.ifNoneMatch, first.tag).get(since)
      #expect(same.status == .notModified && same.bytes.isEmpty)
      #expect(same.headers[.accessControlAllowOrigin] == "*")

      scene.server.clock.pass(.minutes(1))
      try await scene.change(scene.zones[0], to: "Deep pit")
      let changed = try await scene.stranger.with(.ifNoneMatch, first.tag).get(since)
      #expect(changed.status == .ok && changed.tag != first.tag)
      #expect(changed.bytes.count < first.bytes.count)
      guard case .changes(_, let entries, let removed) = try SealedPack(changed.bytes).pack.content else {
        Issue.record("the whole where one zone changed")
        return
      }
      #expect(entries.count == 1 && removed.isEmpty)
      #expect(try held.take(changed.bytes))
      #expect(try held.entries.map { try $0.zone().name.string }.sorted() == ["Crane", "Deep pit"])
      #expect(try HeldPack(try await scene.stranger.get(scene.path).bytes) == held)

      // A version in the future, or one that never existed, gets the whole pack; an invalid one is refused.
      let ahead = try await scene.stranger.get("\(scene.path)?since=\(PackVersion.allowed.upperBound)")
      #expect(try HeldPack(ahead.bytes).entries == held.entries)
      for wrong in ["0", "-1", "many", "9007199254740992"] {
        #expect(try await scene.stranger.get("\(scene.path)?since=\(wrong)").problem == "invalid-parameter")
      }
      scene.server.clock.pass(.minutes(1))
      for zone in scene.zones {
        #expect(try await scene.anna.delete("/api/v1/zones/\(zone)").status == .noContent)
      }
      #expect(try held.take(try await scene.stranger.get("\(scene.path)?since=\(held.head.version)").bytes))
      #expect(held.entries.isEmpty)
    }
  }

  @Test func `it is signed anew each day, so that who asks always holds one that lasts`() async throws {
    try await Self.run { scene in
      let first = try await scene.stranger.get(scene.path)
      var held = try HeldPack(first.bytes, signedBy: scene.key)
      let before = held
      scene.server.clock.pass(.hours(23))
      #expect(try await scene.stranger.with(.ifNoneMatch, first.tag).get(scene.path).status == .notModified)
      scene.server.clock.pass(.hours(2))
      let again = try await scene.stranger.with(.ifNoneMatch, first.tag).get(
        "\(scene.path)?since=\(held.head.version)")
      #expect(again.status == .ok)
      #expect(try held.take(again.bytes) == false)
      #expect(held.head.version == before.head.version)
      #expect(held.head.renewBy - before.head.renewBy > .hours(24))
    }
  }

  @Test func `what has ended is not found, also by a page of another server, and comes back elsewhere`()
    async throws
  {
    try await Self.run { scene in
      let held = try HeldPack(try await scene.stranger.get(scene.path).bytes)
      #expect(try await scene.anna.send(.put, scene.api).json["path"]?.string == scene.path)
      #expect(try await scene.anna.delete(scene.api).status == .noContent)
      let gone = try await scene.stranger.get(scene.path)
      #expect(gone.problem == "not-found" && gone.headers[.accessControlAllowOrigin] == "*")
      scene.server.clock.pass(.seconds(1))
      let again = try await scene.anna.send(.put, scene.api)
      let path = try #require(again.json["path"]?.string)
      #expect(path != scene.path)
      let later = try HeldPack(try await scene.stranger.get(path).bytes, signedBy: scene.key)
      #expect(later.head.version > held.head.version, "no step back for whoever followed before")
      #expect(try await scene.stranger.get("/packs/nowhere").problem == "not-found")
    }
  }

  @Test func `a change of key reaches whoever follows the earlier one, and is made once`() async throws {
    try await Self.run { scene in
      let first = try await scene.stranger.get(scene.path)
      var held = try HeldPack(first.bytes, signedBy: scene.key)
      let path = "/api/v1/account/pack-key"
      let old = try #require(try await scene.anna.get(path).json["pack_key"]?["key_id"]?.string)
      #expect(try await scene.stranger.get(path).problem == "not-signed-in")
      scene.server.clock.pass(.hours(1))
      let changed = try await scene.anna.post(path + "/change", [("key_id", .string(old))])
      #expect(changed.status == .ok)
      let new = try #require(changed.json["key_id"]?.string)
      #expect(new != old)
      // The change asked for again, and by a caller that knows neither key.
      #expect(try await scene.anna.post(path + "/change", [("key_id", .string(old))]).text == changed.text)
      for (wrong, problem) in [
        ("00000000000000ff", "conflict"), ("0123456789abcde", "invalid-content"),
        ("0123456789abcdeg", "invalid-content"),
      ] {
        let answer = try await scene.anna.post(path + "/change", [("key_id", .string(wrong))])
        #expect(answer.problem == problem, "\(wrong): \(answer.text)")
      }
      #expect(try await scene.anna.get(path).json["pack_key"]?.text == changed.text)
      #expect(try await scene.anna.get(scene.api).json["pack"]?["key_id"]?.string == new)

      // The pack announces the change itself, also to callers that ask for changes only; the former link
      // still works.
      let later = try await scene.stranger.with(.ifNoneMatch, first.tag).get(
        "\(scene.path)?since=\(held.head.version)")
      #expect(later.status == .ok)
      #expect(try held.take(later.bytes) == false)
      #expect(PackDigest.keyID(of: held.head.publicKey) != PackDigest.keyID(of: scene.key))
      #expect(held.head.keyChanges.map(\.old) == [scene.key])
      _ = try HeldPack(try await scene.stranger.get(scene.path).bytes, signedBy: scene.key)
      let log = try await scene.anna.get("/api/v1/account/audit").text
      #expect(log.contains("changePackKey"))
    }
  }

  @Test func `an account without packs has no key to change`() async throws {
    try await Self.run { scene in
      let ben = try await scene.server.visitor(scene.stranger, "ben")
      #expect(try await ben.get("/api/v1/account/pack-key").json["pack_key"]?.isNull == true)
      let answer = try await ben.post(
        "/api/v1/account/pack-key/change", [("key_id", .string("0123456789abcdef"))])
      #expect(answer.problem == "not-found")
    }
  }

  @Test func `members and followers cannot give it out`() async throws {
    try await Self.run { scene in
      let ben = try await scene.server.visitor(scene.stranger, "ben")
      _ = try await scene.anna.post(
        "/api/v1/collections/\(scene.collection)/members", [("login", .string("ben"))])
      #expect(try await ben.get("/api/v1/collections/\(scene.collection)").status == .ok)
      for method in [HTTPRequest.Method.get, .put, .delete] {
        #expect(try await ben.send(method, scene.api).problem == "not-found")
      }
      #expect(try await scene.stranger.get(scene.path).status == .ok)
    }
  }

  @Test func `of many zones a follower of one version gets a file of a few kilobytes`() async throws {
    try await Self.run { scene in
      for number in 0..<200 {
        _ = try await scene.anna.post("/api/v1/zones", scene.draw("Zone \(number)"))
      }
      let whole = try await scene.stranger.get(scene.path)
      let held = try HeldPack(whole.bytes)
      #expect(held.entries.count == 202)
      scene.server.clock.pass(.seconds(1))
      try await scene.change(scene.zones[1], to: "Tall crane")
      let step = try await scene.stranger.get("\(scene.path)?since=\(held.head.version)")
      #expect(step.bytes.count < 2000 && whole.bytes.count > 40_000)
    }
  }
}
