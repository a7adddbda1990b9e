import CSodium

/// The key shared with a phone: OwnTracks encrypts its messages with it, and decrypts our replies with it.
///
/// It is used with libsodium's secretbox, XSalsa20 with Poly1305 (D. J. Bernstein, "Cryptography in NaCl").
/// The key is the passphrase itself, padded with zero bytes, so that security depends on its length: ask for
/// 32 random characters.
public struct PayloadKey: Sendable {
  /// The length of a key in bytes, and the most bytes of a passphrase.
  public static let length = Int(crypto_secretbox_KEYBYTES)
  /// The length in bytes of a nonce, which precedes the box.
  public static let nonceLength = Int(crypto_secretbox_NONCEBYTES)
  private static let overhead = Int(crypto_secretbox_MACBYTES)

  public enum Refusal: Error, Equatable, Sendable {
    /// The length in bytes of UTF-8; 1 to 32 are allowed. The apps cut a longer one, each in its own way.
    case passphraseLength(given: Int)
  }

  private let key: [UInt8]

  public init(passphrase: String) throws(Refusal) {
    let bytes = Array(passphrase.utf8)
    guard (1...Self.length).contains(bytes.count) else { throw .passphraseLength(given: bytes.count) }
    key = bytes + [UInt8](repeating: 0, count: Self.length - bytes.count)
    // Chooses the fastest code and opens the random source; without it bytes may be drawn before that is
    // ready.
    precondition(Self.isReady, "libsodium finds a source of random bytes")
  }

  private static let isReady = sodium_init() >= 0

  /// Decrypts nonce and box; nil if the key is another, or a byte was changed.
  public func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceLength + Self.overhead else { return nil }
    let nonce = Array(sealed[..<Self.nonceLength])
    let box = Array(sealed[Self.nonceLength...])
    var message = [UInt8](repeating: 0, count: box.count - Self.overhead)
    guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, key) == 0 else { return nil }
    return message
  }

  /// Encrypts a message; returns nonce and box, with a new random nonce.
  public func seal(_ message: [UInt8]) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Self.nonceLength)
    randombytes_buf(&nonce, nonce.count)
    return seal(message, nonce: nonce)
  }

  /// - Precondition: the nonce has `nonceLength` bytes. Two messages under one nonce reveal each other.
  func seal(_ message: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceLength, "a nonce has \(Self.nonceLength) bytes")
    var box = [UInt8](repeating: 0, count: message.count + Self.overhead)
    let done = crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key)
    precondition(done == 0, "a message in memory is no longer than secretbox allows")
    return nonce + box
  }
}
