import Foundation
import TestSupport
import Testing

@testable import PayloadCrypto

@Suite("Payload keys")
struct PayloadKeyTests {
  /// Made with PyNaCl 1.6, `SecretBox(passphrase.ljust(32, "\0")).encrypt(message, nonce)`.
  private static let vectors: [(passphrase: String, message: String, sealed: String)] = [
    (
      "s3cret pass",
      #"{"_type":"location","lat":46.051,"lon":14.505,"tst":1790000000,"acc":12,"tid":"AN"}"#,
      "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXog7F+qtBro856YTH5J5JRwQHmFy+M2l/uLoZmD5LnZAsf/fKEx0xCpKQwPDKUYiI8o85icCoJN"
        + "xZOjPAvF0dMABJaN0HQgEYUjUVL0E0SDPcjXUZfcURWnIfZMsQiEE28pLf"
    ),
    (
      "grün " + String(repeating: "x", count: 26), "[]",
      "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp73RGTSIFOwf7cJRP7myZlzZ0/"
    ),
    ("a", "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+mqMGzTm8e2wx7KUUEI5iA=="),
  ]

  @Test(arguments: vectors.indices)
  func `seals and opens what PyNaCl does, byte for byte`(index: Int) throws {
    let (passphrase, message, text) = Self.vectors[index]
    let key = try PayloadKey(passphrase: passphrase)
    let sealed = Array(try #require(Data(base64Encoded: text)))
    #expect(key.open(sealed) == Array(message.utf8))
    #expect(key.seal(Array(message.utf8), nonce: Array(sealed.prefix(24))) == sealed)
  }

  @Test func `a message cut or changed anywhere does not open`() throws {
    let key = try PayloadKey(passphrase: "s3cret pass")
    let sealed = key.seal(Array("{\"_type\":\"lwt\"}".utf8))
    for count in 0..<sealed.count { #expect(key.open(Array(sealed.prefix(count))) == nil, "\(count) bytes") }
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(key.open(changed) == nil, "byte \(place)")
    }
    #expect(try PayloadKey(passphrase: "S3cret pass").open(sealed) == nil)
    #expect(key.open(sealed + [0]) == nil)
  }

  @Test func `any message comes back, each time under another nonce`() throws {
    for seed in Seeds.few(30) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 0..<3000, using: &generator)
      let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let key = try PayloadKey(passphrase: String((0...seed % 32).map { _ in "k" }))
      let (first, second) = (key.seal(message), key.seal(message))
      #expect(key.open(first) == message && key.open(second) == message, "seed \(seed)")
      #expect(first != second, "seed \(seed)")
    }
  }

  @Test func `a passphrase that is empty or longer than the key is refused`() {
    #expect(throws: PayloadKey.Refusal.passphraseLength(given: 0)) { try PayloadKey(passphrase: "") }
    #expect(throws: PayloadKey.Refusal.passphraseLength(given: 33)) {
      try PayloadKey(passphrase: String(repeating: "k", count: 33))
    }
  }
}
