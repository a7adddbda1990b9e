import AlarmEngine
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

/// An authenticator and its browser, which can lie about everything.
struct SoftAuthenticator {
  enum Key {
    case es256(P256.PrivateKey)
    case rs256(RSAKey)
  }

  var key = Key.es256(.init())
  var id = (0..<16).map { _ in UInt8.random(in: 0...255) }
  var count: UInt32 = 0
  /// User present and verified.
  var flags: UInt8 = 0x05
  var origin = "https://alarm.example"
  var host = "alarm.example"
  var type: String?
  var challenge: [UInt8]?
  var user: [UInt8]?
  var more = ""

  private var cose: [UInt8] {
    switch key {
    case .es256(let key):
      let point = key.publicKey
      return [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + point[1...32] + [0x22, 0x58, 0x20]
        + point.suffix(32)
    case .rs256(let key):
      return [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0] + key.modulus + [0x21, 0x43] + key.exponent
    }
  }

  private func data(_ flags: UInt8) -> [UInt8] {
    SHA256.hash(host.utf8) + [flags]
      + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> UInt32($0 * 8)) }
  }

  private func client(_ options: JSONValue, _ usual: String) -> [UInt8] {
    let challenge = challenge.map { Base64URL.encode($0) } ?? options["challenge"]?.string ?? ""
    return Array(
      #"{"type":"\#(type ?? usual)","challenge":"\#(challenge)","origin":"\#(origin)"\#(more)}"#.utf8)
  }

  /// The members that a browser posts to add the passkey.
  func made(_ options: JSONValue, name: String = "My phone") -> [(String, JSONValue)] {
    let attested =
      data(flags | 0x40) + [UInt8](repeating: 0, count: 16) + [0, UInt8(id.count)] + id + cose
    let start: [UInt8] = [
      0xa3, 0x63, 0x66, 0x6d, 0x74, 0x64, 0x6e, 0x6f, 0x6e, 0x65, 0x67, 0x61, 0x74, 0x74, 0x53, 0x74, 0x6d,
      0x74, 0xa0, 0x68, 0x61, 0x75, 0x74, 0x68, 0x44, 0x61, 0x74, 0x61, 0x59,
    ]
    let object = start + [UInt8(attested.count >> 8), UInt8(attested.count & 255)] + attested
    return [
      ("name", .string(name)),
      ("client_data", .string(Base64URL.encode(client(options, "webauthn.create")))),
      ("attestation", .string(Base64URL.encode(object))),
    ]
  }

  /// The members that a browser posts to sign in with it.
  func signed(_ options: JSONValue) -> [(String, JSONValue)] {
    let client = client(options, "webauthn.get")
    let data = data(flags)
    let content = data + SHA256.hash(client)
    let signature: [UInt8] =
      switch key {
      case .es256(let key): key.derSignature(of: content)
      case .rs256(let key): key.signature(of: content)
      }
    return [
      ("credential", .string(Base64URL.encode(id))), ("client_data", .string(Base64URL.encode(client))),
      ("authenticator_data", .string(Base64URL.encode(data))),
      ("signature", .string(Base64URL.encode(signature))),
      ("user", user.map { .string(Base64URL.encode($0)) } ?? .null),
    ]
  }
}

@Suite("Passkeys over HTTP")
struct PasskeyTests {
  private static let path = "/api/v1/account/passkeys"
  private static let login = "/api/v1/login/passkey"

  private static func run(
    at address: String = "https://alarm.example",
    _ story: @escaping @Sendable (TestServer, Visitor, Visitor) async throws -> Void
  ) async throws {
    var settings = ServerSettings()
    settings.publicURL = .init(string: address)
    let server = try await TestServer(settings)
    try await server.run { stranger in try await story(server, stranger, try await server.visitor(stranger)) }
  }

  private static func add(
    _ key: SoftAuthenticator, _ anna: Visitor, name: String = "My phone"
  ) async throws -> Visitor.Answer {
    let begun = try await anna.post(path + "/begin", [("password", .string("correct horse"))])
    #expect(begun.status == .ok, "\(begun.text)")
    return try await anna.post(path, key.made(begun.json, name: name))
  }

  private static func signIn(_ key: SoftAuthenticator, _ stranger: Visitor) async throws -> Visitor.Answer {
    try await stranger.post(login, key.signed(try await stranger.post(login + "/begin").json))
  }

  @Test func `a passkey is added by its owner, and signs in without password and code`() async throws {
    try await Self.run { server, stranger, anna in
      #expect(try await stranger.get("/api/v1/login").json["passkeys"]?.flag == true)
      #expect(
        try await anna.post(Self.path + "/begin", [("password", .string("wrong"))]).status == .forbidden)
      var phone = SoftAuthenticator()
      phone.count = 1
      let made = try await Self.add(phone, anna)
      #expect(made.status == .created && made.json["host"]?.string == "alarm.example")
      let begun = try await anna.post(Self.path + "/begin", [("password", .string("correct horse"))]).json
      #expect(begun["exclude"]?.list?.compactMap(\.string) == [Base64URL.encode(phone.id)])
      #expect(begun["relying_party"]?["id"]?.string == "alarm.example")
      phone.user = begun["user"]?["id"]?.string.flatMap { Base64URL.decode($0) }
      #expect(phone.user?.count == 8)
      let account = try #require(AccountID(anna.account))
      let factor = SecondFactor(account: account, secret: TimeCode.newSecret())
      try await server.parts.core.store.begin(factor)
      try await server.parts.core.store.confirm(factor, step: 1, recoveryCodes: [], at: server.clock.now)
      phone.count = 2
      let answer = try await Self.signIn(phone, stranger)
      #expect(answer.status == .ok && answer.json["account"]?["login"]?.string == "anna")
      let listed = try await anna.get(Self.path).json["items"]?.list ?? []
      #expect(listed.count == 1 && listed[0]["last_used_at"]?.string != nil)
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      for action in ["logInByPasskey", "createPasskey"] {
        #expect(log.contains { $0["action"]?.string == action && $0["subject"]?.string == "My phone" })
      }
    }
  }

  @Test func `a key of RSA does it as well, and several beside each other`() async throws {
    try await Self.run { _, stranger, anna in
      let (phone, stick) = (SoftAuthenticator(), SoftAuthenticator(key: .rs256(TestProvider.rsa)))
      let first = try await Self.add(phone, anna)
      #expect(first.status == .created)
      #expect(try await Self.add(stick, anna, name: "Stick").status == .created)
      for key in [phone, stick, phone] { #expect(try await Self.signIn(key, stranger).status == .ok) }
      #expect(try await anna.get(Self.path).json["items"]?.list?.count == 2)
    }
  }

  @Test func `a passkey is renamed and removed by its owner alone`() async throws {
    try await Self.run { server, stranger, anna in
      let phone = SoftAuthenticator()
      let id = try await Self.add(phone, anna).id
      let ben = try await server.visitor(stranger, "ben")
      let name: [(String, JSONValue)] = [("name", .string("Old phone"))]
      #expect(try await ben.put("\(Self.path)/\(id)", name).status == .notFound)
      #expect(try await ben.delete("\(Self.path)/\(id)").status == .notFound)
      #expect(try await Self.add(phone, ben).problem == "conflict")
      #expect(try await anna.put("\(Self.path)/\(id)", name).status == .noContent)
      #expect(try await anna.put("\(Self.path)/\(id)", [("name", .string(""))]).problem == "invalid-content")
      #expect(try await anna.get(Self.path).json["items"]?.list?.first?["name"]?.string == "Old phone")
      #expect(try await anna.delete("\(Self.path)/\(id)").status == .noContent)
      #expect(try await Self.signIn(phone, stranger).problem == "wrong-credentials")
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      #expect(
        log.contains { $0["action"]?.string == "deletePasskey" && $0["subject"]?.string == "Old phone" })
    }
  }

  static let lies: [(String, @Sendable (inout SoftAuthenticator) -> Void)] = [
    ("another page", { $0.origin = "https://alarm.example.evil" }),
    ("without TLS", { $0.origin = "http://alarm.example" }),
    ("another port", { $0.origin = "https://alarm.example:8443" }),
    ("another host's passkey", { $0.host = "evil.example" }),
    ("nobody touched it", { $0.flags = 0x04 }), ("nobody was asked who it is", { $0.flags = 0x01 }),
    ("another purpose", { $0.type = "payment.get" }), ("a frame", { $0.more = #","crossOrigin":true"# }),
    ("a challenge of its own", { $0.challenge = [UInt8](repeating: 7, count: 80) }),
    ("no challenge", { $0.challenge = [] }), ("bytes behind", { $0.more = "}" }),
  ]

  @Test(arguments: lies.indices)
  func `one lie of the browser or the authenticator is enough to be refused`(number: Int) async throws {
    let (name, lie) = Self.lies[number]
    try await Self.run { _, stranger, anna in
      let honest = SoftAuthenticator()
      var lying = honest
      lie(&lying)
      let refused = try await Self.add(lying, anna)
      #expect(
        [.unauthorized, .unprocessableContent, .gone].contains(refused.status), "\(name) \(refused.text)")
      #expect(try await anna.get(Self.path).json["items"]?.list?.isEmpty == true, "\(name)")
      #expect(try await Self.add(honest, anna).status == .created)
      let answer = try await Self.signIn(lying, stranger)
      #expect(
        [.unauthorized, .unprocessableContent, .gone].contains(answer.status), "\(name) \(answer.text)")
      #expect(answer.headers[.setCookie] == nil)
      #expect(try await Self.signIn(honest, stranger).status == .ok, "\(name)")
    }
  }

  @Test func `another key, another account and a changed signature are refused, and stand in the log`()
    async throws
  {
    try await Self.run { _, stranger, anna in
      let phone = SoftAuthenticator()
      #expect(try await Self.add(phone, anna).status == .created)
      var other = SoftAuthenticator()
      #expect(try await Self.signIn(other, stranger).problem == "wrong-credentials")
      other.id = phone.id
      #expect(try await Self.signIn(other, stranger).problem == "wrong-credentials")
      var somebody = phone
      somebody.user = [1, 2, 3, 4, 5, 6, 7, 8]
      #expect(try await Self.signIn(somebody, stranger).problem == "wrong-credentials")
      for signature in ["AA", "MEUCIQ", Base64URL.encode([UInt8](repeating: 0x30, count: 72))] {
        let begun = try await stranger.post(Self.login + "/begin").json
        let body = phone.signed(begun).map { $0.0 == "signature" ? ("signature", .string(signature)) : $0 }
        #expect(try await stranger.post(Self.login, body).problem == "wrong-credentials")
      }
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      let refused = log.filter { $0["action"]?.string == "logInByPasskey" && $0["is_refused"]?.flag == true }
      // A passkey of no account is not logged for any account.
      #expect(refused.count == 5)
    }
  }

  @Test func `a challenge is good once, for five minutes, for one purpose and one account`() async throws {
    try await Self.run { server, stranger, anna in
      let phone = SoftAuthenticator()
      let begun = try await anna.post(Self.path + "/begin", [("password", .string("correct horse"))]).json
      let ben = try await server.visitor(stranger, "ben")
      #expect(try await ben.post(Self.path, phone.made(begun)).problem == "gone")
      #expect(try await anna.post(Self.path, phone.made(begun)).status == .created)
      var second = SoftAuthenticator()
      second.id = [1, 2, 3]
      #expect(try await anna.post(Self.path, second.made(begun)).problem == "gone")
      let asked = try await stranger.post(Self.login + "/begin").json
      #expect(try await stranger.post(Self.login, phone.signed(begun)).problem == "gone")
      #expect(try await anna.post(Self.path, second.made(asked)).problem == "gone")
      let body = phone.signed(asked)
      #expect(try await stranger.post(Self.login, body).status == .ok)
      let replayed = try await stranger.post(Self.login, body)
      #expect(replayed.problem == "gone" && replayed.text.contains("used already"))
      let late = phone.signed(try await stranger.post(Self.login + "/begin").json)
      server.clock.pass(.minutes(5))
      #expect(try await stranger.post(Self.login, late).problem == "gone")
    }
  }

  @Test func `a count that goes back is refused and told`() async throws {
    try await Self.run { _, stranger, anna in
      var phone = SoftAuthenticator()
      phone.count = 5
      #expect(try await Self.add(phone, anna).status == .created)
      phone.count = 9
      #expect(try await Self.signIn(phone, stranger).status == .ok)
      for count: UInt32 in [0, 8, 9] {
        phone.count = count
        let answer = try await Self.signIn(phone, stranger)
        #expect(answer.problem == "wrong-credentials" && answer.text.contains("copied"), "\(count)")
      }
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      #expect(log.contains { $0["action"]?.string == "copiedPasskey" && $0["is_refused"]?.flag == true })
      phone.count = 10
      #expect(try await Self.signIn(phone, stranger).status == .ok)
    }
  }

  @Test func `what is no passkey is named, and nothing breaks`() async throws {
    try await Self.run { _, stranger, anna in
      let phone = SoftAuthenticator()
      #expect(try await Self.add(phone, anna).status == .created)
      var random = SeededGenerator(seed: 31)
      for member in ["client_data", "authenticator_data", "attestation"] {
        for _ in 0..<15 {
          let isMaking = member == "attestation"
          let begun =
            isMaking
            ? try await anna.post(Self.path + "/begin", [("password", .string("correct horse"))]).json
            : try await stranger.post(Self.login + "/begin").json
          var fresh = phone
          fresh.id = (0..<16).map { _ in .random(in: 0...255, using: &random) }
          let body = (isMaking ? fresh.made(begun) : phone.signed(begun)).map { name, value in
            guard name == member, var bytes = value.string.flatMap({ Base64URL.decode($0) }) else {
              return (name, value)
            }
            bytes = Array(bytes.prefix(.random(in: 1..<bytes.count, using: &random)))
            return (name, JSONValue.string(Base64URL.encode(bytes)))
          }
          let answer = try await (isMaking ? anna : stranger).post(isMaking ? Self.path : Self.login, body)
          #expect(
            answer.problem == "invalid-content" || answer.problem == "too-many-requests", "\(answer.text)")
        }
      }
    }
  }

  @Test(arguments: [
    "http://alarm.example", "https://192.0.2.1", "https://[2001:db8::1]:8443", "http://127.0.0.1:8080",
  ])
  func `where browsers have no passkeys the server offers none`(address: String) async throws {
    try await Self.run(at: address) { _, stranger, anna in
      #expect(try await stranger.get("/api/v1/login").json["passkeys"]?.flag == false)
      #expect(try await stranger.post(Self.login + "/begin").problem == "conflict")
      let begun = try await anna.post(Self.path + "/begin", [("password", .string("correct horse"))])
      #expect(begun.problem == "conflict" && begun.text.contains("passkeys need HTTPS"))
    }
  }

  @Test func `a disabled account stays shut, and one whose passkeys the operator removed`() async throws {
    try await Self.run { server, stranger, anna in
      let phone = SoftAuthenticator()
      #expect(try await Self.add(phone, anna).status == .created)
      let store = server.parts.core.store
      var account = try await store.account(login: "anna")
      account.isDisabled = true
      account = try await store.save(account, over: account.revision, at: server.clock.now)
      #expect(try await Self.signIn(phone, stranger).problem == "wrong-credentials")
      account.isDisabled = false
      try await store.save(account, over: account.revision, at: server.clock.now)
      #expect(try await Self.signIn(phone, stranger).status == .ok)
      try await store.removePasskeys(of: account.id)
      #expect(try await Self.signIn(phone, stranger).problem == "wrong-credentials")
    }
  }

  @Test func `what python-fido2 signed is taken`() throws {
    let key = try PasskeyPublicKey(
      cose: PasskeyVector.bytes(
        "a5010203262001215820" + "9fad84aeae08bbef7f010014d82cef6a09de2b0cf871b5ce0c4f1d13a59a5934"
          + "22582007cb45769f1070e2c2470fe5b1bfe63133c0b0cdc64ea4bf3791a8ec2a07fd4f"))
    let data = PasskeyVector.bytes(
      "fbe8a2258f987afc5a1e931fcd05fe20aeb67023a3486750da7e2a3cf68556460500000008")
    let client =
      #"{"type": "webauthn.get", "challenge": "AAEC", "origin": "https://alarm.example", "crossOrigin": false}"#
    var signature = PasskeyVector.bytes(
      "30440220079f4bf489098dbb1be0f1b57b744a0e408f67aac66f240ec4cd5445c605ba2b"
        + "02201126401b46c06b06d2c9f09163d6cb72291fb4b52d8d1a92cd278654284ae769")
    let content = data + SHA256.hash(client.utf8)
    #expect(key.hasSigned(content, signature: signature))
    #expect(!key.hasSigned(content + [0], signature: signature))
    signature[20] ^= 1
    #expect(!key.hasSigned(content, signature: signature))
  }
}

private enum PasskeyVector {
  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }
}
