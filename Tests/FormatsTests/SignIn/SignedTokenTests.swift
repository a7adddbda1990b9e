import AlarmEngine
import TestSupport
import Testing

@testable import Formats

@Suite("Tokens of a provider")
struct SignedTokenTests {
  /// RFC 7515, appendix A.3.
  static let ofStandard =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  static func text(header: String, claims: String = "{}", signature: [UInt8] = [1]) -> String {
    [Array(header.utf8), Array(claims.utf8), signature].map { Base64URL.encode($0) }.joined(separator: ".")
  }

  private static func refusal(_ text: String) -> String {
    do {
      _ = try SignedToken(text)
      return "taken"
    } catch { return error.description }
  }

  @Test func `the standard's example is read`() throws {
    let token = try SignedToken(Self.ofStandard)
    #expect(token.algorithm == .es256 && token.keyID == nil && token.signature.count == 64)
    #expect(token.claims["iss"]?.string == "joe")
    #expect(Self.ofStandard.hasPrefix(String(decoding: token.signedBytes, as: UTF8.self) + "."))
    let named = try SignedToken(Self.text(header: #"{"alg":"RS256","kid":"k1","typ":"JWT"}"#))
    #expect(named.algorithm == .rs256 && named.keyID == "k1")
  }

  @Test func `a token without a signature of a key pair is refused`() {
    for name in ["none", "None", "HS256", "HS512", "RS1", "ES384", ""] {
      #expect(
        Self.refusal(Self.text(header: #"{"alg":"\#(name)"}"#))
          == "a token signed with \(name) found, RS256, ES256 allowed")
    }
    #expect(Self.refusal(Self.text(header: "{}")).contains("signed with nothing"))
    #expect(Self.refusal(Self.text(header: #"{"alg":1}"#)).contains("signed with nothing"))
    // If a member occurs twice, the last one counts everywhere.
    #expect(Self.refusal(Self.text(header: #"{"alg":"ES256","alg":"none"}"#)).contains("none"))
    #expect(
      Self.refusal(Self.text(header: #"{"alg":"ES256","crit":["b64"],"b64":false}"#))
        .contains("critical extensions"))
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", ".e30.AA", "e30=.e30.AA", "é.e30.AA", "e30.e30.A",
    "e30 .e30.AA",
  ])
  func `what is no token is refused`(text: String) {
    #expect(throws: SignInRefusal.self) { try SignedToken(text) }
  }

  @Test func `parts that are no objects are refused, and what is too long`() {
    let header = #"{"alg":"ES256"}"#
    for claims in ["[]", "null", "7", "{", "\u{0}", #"{"a":1}x"#] {
      #expect(Self.refusal(Self.text(header: header, claims: claims)).contains("claims"), "\(claims)")
    }
    #expect(Self.refusal(Self.text(header: "[]")).contains("header that is an array"))
    let bytes = [Array(header.utf8), [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], [1]]
    #expect(
      Self.refusal(bytes.map { Base64URL.encode($0) }.joined(separator: ".")).contains("not UTF-8"))
    let long = Self.text(header: header, claims: "{}" + String(repeating: " ", count: 60_000))
    #expect(Self.refusal(long).contains("\(SignedToken.longest)"))
  }

  @Test func `no change of a token breaks the reader`() {
    var random = SeededGenerator(seed: 19)
    let bytes = Array(Self.ofStandard.utf8)
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...127, using: &random)
      }
      let text = String(
        decoding: changed.prefix(.random(in: 0...changed.count, using: &random)), as: UTF8.self)
      guard let token = try? SignedToken(text) else { continue }
      #expect(token.algorithm == .es256 && !token.signature.isEmpty)
    }
  }
}

@Suite("What an ID token says")
struct IdentityClaimsTests {
  private static let now = Instant(millisecondsSince1970: 1_795_000_000_000)
  private static let second = 1_795_000_000

  private static func good() -> [(String, JSONValue)] {
    [
      ("iss", .string("https://login.example")), ("sub", .string("7")), ("aud", .string("alarm")),
      ("exp", .integer(Int64(second) + 300)), ("iat", .integer(Int64(second))), ("nonce", .string("n1")),
    ]
  }

  private static func claims(
    _ changes: [(String, JSONValue?)] = [], nonce: String = "n1"
  ) throws -> IdentityClaims {
    var members = good()
    for (name, value) in changes {
      members.removeAll { $0.0 == name }
      if let value { members.append((name, value)) }
    }
    let token = try SignedToken(
      SignedTokenTests.text(header: #"{"alg":"ES256"}"#, claims: JSONValue.object(members).text))
    return try IdentityClaims(
      token, issuer: "https://login.example", client: "alarm", nonce: nonce, at: now)
  }

  @Test func `claims that are as they have to be name somebody`() throws {
    let claims = try Self.claims()
    #expect(claims.subject == "7" && claims.issuer == "https://login.example")
    _ = try Self.claims([("aud", .array([.string("alarm")]))])
    _ = try Self.claims([
      ("aud", .array([.string("other"), .string("alarm")])), ("azp", .string("alarm")),
    ])
    _ = try Self.claims([("nbf", .integer(Int64(Self.second)))])
  }

  @Test(arguments: [
    ("iss", JSONValue?.none), ("iss", .string("https://login.example/")),
    ("iss", .string("https://LOGIN.example")),
    ("iss", .array([.string("https://login.example")])), ("aud", nil), ("aud", .string("other")),
    ("aud", .array([])), ("aud", .array([.string("other")])),
    ("aud", .array([.string("alarm"), .string("other")])), ("azp", .string("other")), ("azp", .null),
    ("exp", nil), ("exp", .string("1795000300")), ("exp", .integer(1_794_999_939)),
    ("exp", .integer(-1)), ("exp", .number(1e300)), ("iat", nil), ("iat", .integer(1_795_000_061)),
    ("nbf", .integer(1_795_000_061)), ("nbf", .string("soon")), ("nonce", nil), ("nonce", .string("n2")),
    ("nonce", .string("")), ("sub", nil), ("sub", .string("")), ("sub", .integer(7)),
    ("sub", .string(String(repeating: "7", count: 256))), ("sub", .string("7\u{0}")),
    ("sub", .string("7\u{FFFD}")),
  ])
  func `one wrong claim is enough to refuse`(name: String, value: JSONValue?) {
    #expect(throws: SignInRefusal.self, "\(name) \(value?.text ?? "left out")") {
      try Self.claims([(name, value)])
    }
  }

  @Test func `a clock may be wrong by a minute, either way`() throws {
    _ = try Self.claims([("exp", .integer(Int64(Self.second) - 59))])
    _ = try Self.claims([("iat", .integer(Int64(Self.second) + 60))])
    _ = try Self.claims([("nbf", .integer(Int64(Self.second) + 60))])
    #expect(throws: SignInRefusal.self) { try Self.claims([("exp", .integer(Int64(Self.second) - 60))]) }
  }

  @Test func `without a nonce nobody is let in`() {
    #expect(throws: SignInRefusal.self) { try Self.claims([("nonce", .string(""))], nonce: "") }
  }

  @Test func `a mail address counts where the provider has verified it`() throws {
    let mail = ("email", JSONValue?.some(.string("a@example.org")))
    #expect(try Self.claims([mail]).text("email") == nil)
    #expect(try Self.claims([mail, ("email_verified", .string("true"))]).text("email") == nil)
    #expect(try Self.claims([mail, ("email_verified", .bool(true))]).text("email") == "a@example.org")
    let name = try Self.claims([("preferred_username", .string("anna")), ("name", .integer(1))])
    #expect(name.text("preferred_username") == "anna" && name.text("name") == nil)
    #expect(try Self.claims([("name", .string(String(repeating: "a", count: 101)))]).text("name") == nil)
  }
}

@Suite("What a provider says of itself")
struct ProviderDocumentTests {
  private static func document(_ changes: [(String, JSONValue?)] = []) throws -> ProviderDocument {
    var members: [(String, JSONValue)] = [
      ("issuer", .string("https://login.example")),
      ("authorization_endpoint", .string("https://login.example/authorize?tenant=1")),
      ("token_endpoint", .string("https://login.example/token")),
      ("jwks_uri", .string("https://keys.example/jwks")),
    ]
    for (name, value) in changes {
      members.removeAll { $0.0 == name }
      if let value { members.append((name, value)) }
    }
    return try ProviderDocument(JSONValue.object(members).bytes, issuer: "https://login.example")
  }

  @Test func `a document with what is needed is read`() throws {
    let document = try Self.document()
    #expect(document.token == "https://login.example/token" && document.clientProof == .basic)
    #expect(!document.namesIssuerInAnswers)
    func proof(_ names: String...) throws -> ProviderDocument.ClientProof {
      try Self.document([
        ("token_endpoint_auth_methods_supported", .array(names.map { .string($0) }))
      ]).clientProof
    }
    #expect(try proof("client_secret_post") == .post)
    #expect(try proof("client_secret_post", "client_secret_basic") == .basic)
    #expect(try proof("private_key_jwt") == .basic)
    #expect(
      try Self.document([("authorization_response_iss_parameter_supported", .bool(true))])
        .namesIssuerInAnswers)
  }

  @Test(arguments: [
    ("issuer", JSONValue?.none), ("issuer", .string("https://login.example/")),
    ("issuer", .string("https://other.example")), ("token_endpoint", nil),
    ("token_endpoint", .string("http://login.example/token")), ("token_endpoint", .string("ftp://a/b")),
    ("token_endpoint", .string("https://")), ("token_endpoint", .string("https://a b/")),
    ("jwks_uri", .string("https://user:word@keys.example/")), ("jwks_uri", .string("https://a/#b")),
    ("authorization_endpoint", .string("javascript:alert(1)")), ("authorization_endpoint", .integer(1)),
    ("authorization_endpoint", .string("https://a/" + String(repeating: "b", count: 2000))),
  ])
  func `one of somebody else, or that would send secrets in clear, is refused`(
    name: String, value: JSONValue?
  ) {
    #expect(throws: SignInRefusal.self, "\(name) \(value?.text ?? "left out")") {
      try Self.document([(name, value)])
    }
  }

  @Test func `this machine may do without TLS`() {
    for text in ["http://127.0.0.1:8080", "http://localhost/x", "http://[::1]:1/"] {
      #expect(ProviderDocument.isSafe(text), "\(text)")
    }
    for text in ["http://localhost.example", "http://127.0.0.1.example", "http://10.0.0.1", "//a", "a", ""] {
      #expect(!ProviderDocument.isSafe(text), "\(text)")
    }
  }

  @Test func `keys of other kinds and for other uses are left out`() throws {
    let number = Base64URL.encode([UInt8](repeating: 9, count: 32))
    let modulus = Base64URL.encode([UInt8](repeating: 200, count: 256))
    let small = Base64URL.encode([UInt8](repeating: 200, count: 128))
    let set = """
      {"keys":[
      {"kty":"EC","crv":"P-256","x":"\(number)","y":"\(number)","kid":"a"},
      {"kty":"EC","crv":"P-256","x":"\(number)","y":"\(number)","kid":"b","use":"enc"},
      {"kty":"EC","crv":"P-384","x":"\(number)","y":"\(number)","kid":"c"},
      {"kty":"EC","crv":"P-256","x":"AA","y":"\(number)","kid":"d"},
      {"kty":"RSA","n":"\(modulus)","e":"AQAB","kid":"a","alg":"RS256","use":"sig"},
      {"kty":"RSA","n":"\(modulus)","e":"AQAB","kid":"e","alg":"RS512"},
      {"kty":"RSA","n":"\(small)","e":"AQAB","kid":"f"},
      {"kty":"oct","k":"AAAA","kid":"a"},
      {"kty":"RSA","n":"\(modulus)","e":"AQAB","key_ops":["encrypt"],"kid":"g"},
      7,null]}
      """
    let keys = try SigningKeys(Array(set.utf8))
    #expect(keys.keys.map(\.id) == ["a", "a"])
    func fitting(_ header: String) throws -> Int {
      keys.keys(for: try SignedToken(SignedTokenTests.text(header: header))).count
    }
    #expect(try fitting(#"{"alg":"ES256","kid":"a"}"#) == 1)
    #expect(try fitting(#"{"alg":"RS256","kid":"a"}"#) == 1)
    #expect(try fitting(#"{"alg":"RS256"}"#) == 1)
    #expect(try fitting(#"{"alg":"RS256","kid":"b"}"#) == 0)
    for text in ["", "[]", "{}", #"{"keys":{}}"#] {
      #expect(throws: SignInRefusal.self) { try SigningKeys(Array(text.utf8)) }
    }
  }
}
