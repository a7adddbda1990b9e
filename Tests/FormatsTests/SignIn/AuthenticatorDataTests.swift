import TestSupport
import Testing

@testable import Formats

/// Output of python-fido2 2.2.1 for the key 0x1234567890abcdef of alarm.example.
enum PasskeySamples {
  static let making = bytes(
    "fbe8a2258f987afc5a1e931fcd05fe20aeb67023a3486750da7e2a3cf685564645000000070000000000000000000000"
      + "0000000000000c63726564656e7469616c2d31a50102032620012158209fad84aeae08bbef7f010014d82cef6a09de2b"
      + "0cf871b5ce0c4f1d13a59a593422582007cb45769f1070e2c2470fe5b1bfe63133c0b0cdc64ea4bf3791a8ec2a07fd4f")
  static let withExtensions = bytes(
    "fbe8a2258f987afc5a1e931fcd05fe20aeb67023a3486750da7e2a3cf6855646c5000000070000000000000000000000"
      + "0000000000000c63726564656e7469616c2d31a50102032620012158209fad84aeae08bbef7f010014d82cef6a09de2b"
      + "0cf871b5ce0c4f1d13a59a593422582007cb45769f1070e2c2470fe5b1bfe63133c0b0cdc64ea4bf3791a8ec2a07fd4f"
      + "a1696372656450726f7073f5")
  static let attestation = bytes(
    "a363666d74646e6f6e656761747453746d74a06861757468446174615890fbe8a2258f987afc5a1e931fcd05fe20aeb6"
      + "7023a3486750da7e2a3cf6855646450000000700000000000000000000000000000000000c63726564656e7469616c2d"
      + "31a50102032620012158209fad84aeae08bbef7f010014d82cef6a09de2b0cf871b5ce0c4f1d13a59a593422582007cb"
      + "45769f1070e2c2470fe5b1bfe63133c0b0cdc64ea4bf3791a8ec2a07fd4f")
  static let packedAttestation = bytes(
    "a363666d74667061636b65646761747453746d74a363616c672663736967584678787878787878787878787878787878"
      + "787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
      + "787878787878637835638158287979797979797979797979797979797979797979797979797979797979797979797979"
      + "79797979796861757468446174615890fbe8a2258f987afc5a1e931fcd05fe20aeb67023a3486750da7e2a3cf6855646"
      + "450000000700000000000000000000000000000000000c63726564656e7469616c2d31a50102032620012158209fad84"
      + "aeae08bbef7f010014d82cef6a09de2b0cf871b5ce0c4f1d13a59a593422582007cb45769f1070e2c2470fe5b1bfe631"
      + "33c0b0cdc64ea4bf3791a8ec2a07fd4f")
  static let rsaKey = bytes(
    "a401030339010020590100baedddc53c7a763b23c67d3f41a9576d2601b885e64650fcc339484cfa5b5a3deab2a91c68"
      + "02b50d6499b185e556908f22d1d83c12de2cb4a265c57ed953269dd0e2aee5f7687170dfbf427f605ef29416c9351ec7"
      + "7bdcce0b27aa040a18de4acda3d32ad7bf830b81112048275984dd24d1f42697dd7c66593c698867045484ad05f60891"
      + "fe9067410e1af7dda48b4fe69c047d536c779021979f920c9014ca9ea418281eacfb068040ab79603e9d5dff65d0a37d"
      + "510174bdb6479ecbd3425128b2294b55306ae830799e44a708beb6d62d40403c580a703bd440243642ad19af553e738b"
      + "881356a6951152a498ac2567b1c0862e9b98457d09a2e671d5da6b2143010001")

  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }
}

@Suite("What authenticators write")
struct AuthenticatorDataTests {
  typealias S = PasskeySamples

  @Test func `a passkey that another program wrote is read`() throws {
    let data = try AuthenticatorData(S.making)
    #expect(data.isUserPresent && data.isUserVerified && data.signCount == 7)
    #expect(data.relyingPartyHash == Array(S.making.prefix(32)))
    #expect(data.credential?.id == Array("credential-1".utf8))
    let key = try PasskeyPublicKey(cose: try #require(data.credential).publicKey)
    guard case .es256(let x, let y) = key else {
      Issue.record("another kind of key")
      return
    }
    #expect(x.prefix(4) == [0x9f, 0xad, 0x84, 0xae] && y.suffix(4) == [0x2a, 0x07, 0xfd, 0x4f])
    for more in [S.attestation, S.packedAttestation] {
      let same = try AuthenticatorData(attestationObject: more)
      #expect(same.credential == data.credential && same.signCount == 7)
    }
    #expect(try AuthenticatorData(S.withExtensions).credential == data.credential)
    guard case .rs256(let modulus, let exponent) = try PasskeyPublicKey(cose: S.rsaKey) else {
      Issue.record("another kind of key")
      return
    }
    #expect(modulus.count == 256 && exponent == [1, 0, 1])
  }

  @Test func `what is signed at a sign-in has no passkey in it`() throws {
    let data = try AuthenticatorData(Array(S.making.prefix(32)) + [0x01, 0xff, 0xff, 0xff, 0xff])
    #expect(data.isUserPresent && !data.isUserVerified && data.credential == nil && data.signCount == .max)
  }

  @Test func `every beginning of it is refused, and whatever is longer`() {
    for bytes in [S.making, S.withExtensions] {
      for count in 0..<bytes.count {
        #expect(throws: SignInRefusal.self, "\(count)") { try AuthenticatorData(Array(bytes.prefix(count))) }
      }
      #expect(throws: SignInRefusal.self) { try AuthenticatorData(bytes + [0]) }
    }
    for count in 0..<S.attestation.count {
      #expect(throws: SignInRefusal.self) {
        try AuthenticatorData(attestationObject: Array(S.attestation.prefix(count)))
      }
    }
    #expect(throws: SignInRefusal.self) { try AuthenticatorData(attestationObject: S.attestation + [0]) }
    #expect(throws: SignInRefusal.self) { try PasskeyPublicKey(cose: S.rsaKey + [0]) }
    let long = [UInt8](repeating: 0, count: AuthenticatorData.longest + 1)
    #expect(throws: SignInRefusal.self) { try AuthenticatorData(long) }
  }

  @Test func `an attestation without a passkey is none`() {
    let signing = Array(S.making.prefix(32)) + [0x05, 0, 0, 0, 1]
    let object = Array(S.attestation.prefix(19)) + S.bytes("6861757468446174615825") + signing
    #expect(throws: SignInRefusal("an attestation without a passkey", allowed: "one with its public key")) {
      try AuthenticatorData(attestationObject: object)
    }
  }

  @Test func `no change of the bytes breaks the reader`() {
    var random = SeededGenerator(seed: 23)
    for sample in [S.making, S.withExtensions, S.attestation, S.packedAttestation, S.rsaKey] {
      for _ in 0..<3000 {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        if let data = try? AuthenticatorData(bytes), let credential = data.credential {
          #expect((try? PasskeyPublicKey(cose: credential.publicKey)) != nil)
        }
        _ = try? AuthenticatorData(attestationObject: bytes)
        _ = try? PasskeyPublicKey(cose: bytes)
      }
    }
  }
}

@Suite("CBOR of authenticators")
struct CBORItemTests {
  private static func item(_ hexadecimal: String) throws -> CBORItem {
    let bytes = PasskeySamples.bytes(hexadecimal)
    let (item, length) = try CBORItem.read(bytes[...])
    #expect(length == bytes.count)
    return item
  }

  /// RFC 8949, appendix A.
  @Test func `the standard's examples are read`() throws {
    #expect(try Self.item("00") == .integer(0))
    #expect(try Self.item("1818") == .integer(24))
    #expect(try Self.item("1a000f4240") == .integer(1_000_000))
    #expect(try Self.item("1b000000e8d4a51000") == .integer(1_000_000_000_000))
    #expect(try Self.item("20") == .integer(-1))
    #expect(try Self.item("3903e7") == .integer(-1000))
    #expect(try Self.item("f5") == .simple(21))
    #expect(try Self.item("4401020304") == .bytes([1, 2, 3, 4]))
    #expect(try Self.item("62c3bc") == .text("ü"))
    #expect(try Self.item("83010203") == .list([.integer(1), .integer(2), .integer(3)]))
    let map = try Self.item("a26161016162820203")
    #expect(map["a"] == .integer(1) && map["b"] == .list([.integer(2), .integer(3)]) && map["c"] == nil)
  }

  @Test(arguments: [
    "", "18", "1b00", "1bffffffffffffffff", "3bffffffffffffffff", "5f42010243030405ff", "9f01ff",
    "bf61610100ff",
    "c074", "fb3ff199999999999a", "ff", "1c", "62c328", "6161616101", "42", "5affffffff",
    "9bffffffffffffffff",
    "baffffffff", "a2616101616102", "818181818181818181", "f8ff",
  ])
  func `what authenticators do not write is refused`(hexadecimal: String) throws {
    let bytes = PasskeySamples.bytes(hexadecimal)
    guard let (_, length) = try? CBORItem.read(bytes[...]) else { return }
    // The only input that begins with a whole item.
    #expect(hexadecimal == "6161616101" && length == 2)
  }

  @Test func `a map of many entries is refused before they are compared`() {
    let bytes = [0xb9, 0x01, 0x01] + [UInt8](repeating: 0, count: 600)
    #expect(throws: SignInRefusal("CBOR with a map of 257 entries", allowed: "256")) {
      try CBORItem.read(bytes[...])
    }
  }
}

@Suite("What browsers say of a page")
struct ClientDataTests {
  private static func challenge(
    _ text: String, _ purpose: ClientData.Purpose = .signingIn, origin: String = "https://alarm.example"
  ) throws -> [UInt8] {
    try ClientData(Array(text.utf8), purpose: purpose, origin: origin).challenge
  }

  private static let start = #"{"type":"webauthn.get","challenge":"AAEC","#

  @Test func `client data of the page is read`() throws {
    let end = #""origin":"https://alarm.example""#
    #expect(try Self.challenge(Self.start + end + "}") == [0, 1, 2])
    #expect(try Self.challenge(Self.start + end + #","crossOrigin":false,"other":1}"#) == [0, 1, 2])
    #expect(
      try Self.challenge(
        #"{"type":"webauthn.create","challenge":"AAEC","origin":"http://localhost:8080"}"#, .making,
        origin: "http://localhost:8080") == [0, 1, 2])
  }

  @Test(arguments: [
    #""origin":"https://alarm.example.evil"}"#, #""origin":"http://alarm.example"}"#,
    #""origin":"https://alarm.example:444"}"#, #""origin":"https://alarm.example","crossOrigin":true}"#,
    #""origin":"https://alarm.example","crossOrigin":"no"}"#,
    #""origin":"https://alarm.example","topOrigin":"https://evil.example"}"#, #""origin":7}"#, "}",
    #""origin":"https://alarm.example","type":"webauthn.create"}"#,
    #""origin":"https://alarm.example","challenge":""}"#,
    #""origin":"https://alarm.example","challenge":"A"}"#,
    #""origin":"https://alarm.example""#,
  ])
  func `client data of another page, for another purpose or without a challenge is refused`(end: String) {
    #expect(throws: SignInRefusal.self) { try Self.challenge(Self.start + end) }
  }

  @Test func `client data that is no JSON, or long, is refused`() {
    for text in ["", "[]", "{", "null"] { #expect(throws: SignInRefusal.self) { try Self.challenge(text) } }
    let long =
      Self.start + #""origin":"https://alarm.example","more":""# + String(repeating: "a", count: 9000)
    #expect(throws: SignInRefusal.self) { try Self.challenge(long + #""}"#) }
  }
}
