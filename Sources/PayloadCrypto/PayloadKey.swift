import CSodium

/// The key that a phone and we share: OwnTracks encrypts its messages with it, and reads our answers with it.
///
/// libsodium's secretbox, XSalsa20 with Poly1305 (D. J. Bernstein, "Cryptography in NaCl"). The key is the passphrase
/// itself, filled up with zero bytes, so that a message is as safe as its passphrase is long: ask for 32 random characters.
public struct PayloadKey: Sendable {
  /// Bytes of a key; a passphrase has as many at most.
  public static let length = Int(crypto_secretbox_KEYBYTES)
  /// Bytes of a nonce, which stands before the box.
  public static let nonceLength = Int(crypto_secretbox_NONCEBYTES)
  private static let overhead = Int(crypto_secretbox_MACBYTES)

  public enum Refusal: Error, Equatable, Sendable {
    /// Bytes of UTF-8; 1 to 32 are allowed. The apps cut a longer one, each in its own way.
    case passphraseLength(given: Int)
  }

  private let key: [UInt8]

  public init(passphrase: String) throws(Refusal) {
    let bytes = Array(passphrase.utf8)
    guard (1...Self.length).contains(bytes.count) else { throw .passphraseLength(given: bytes.count) }
    key = bytes + [UInt8](repeating: 0, count: Self.length - bytes.count)
    // Chooses the quickest code and opens the source of random bytes; without it they may be drawn before it is ready.
    precondition(Self.isReady, "libsodium finds a source of random bytes")
  }

  private static let isReady = sodium_init() >= 0

  /// What is inside of nonce and box; nil when this is not the key, or a byte was changed.
  public func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceLength + Self.overhead else { return nil }
    let nonce = Array(sealed[..<Self.nonceLength])
    let box = Array(sealed[Self.nonceLength...])
    var message = [UInt8](repeating: 0, count: box.count - Self.overhead)
    guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, key) == 0 else { return nil }
    return message
  }

  /// Nonce and box of a message, under a nonce that nobody else draws.
  public func seal(_ message: [UInt8]) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Self.nonceLength)
    randombytes_buf(&nonce, nonce.count)
    return seal(message, nonce: nonce)
  }

  /// - Precondition: the nonce has `nonceLength` bytes. Two messages under one nonce betray each other.
  func seal(_ message: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceLength, "a nonce has \(Self.nonceLength) bytes")
    var box = [UInt8](repeating: 0, count: message.count + Self.overhead)
    let done = crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key)
    precondition(done == 0, "a message in memory is no longer than secretbox allows")
    return nonce + box
  }
}
