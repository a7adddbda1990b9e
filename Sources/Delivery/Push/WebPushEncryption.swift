import Cryptography

/// Encrypts a push message for one browser: RFC 8291 over the `aes128gcm` coding of RFC 8188, one record.
enum WebPushEncryption {
  /// The longest text for a body of 4,096 bytes: header 86, padding delimiter 1, tag 16.
  static let maximumPlaintext = 4096 - 86 - 1 - 16

  /// - Parameters:
  ///   - sender: a key for this message only.
  ///   - salt: 16 random bytes for this message only.
  /// - Throws: `.tooLarge` for more than `maximumPlaintext` bytes, `.misconfigured` for a key that is no
  ///   point of the curve.
  static func encrypt(
    _ plaintext: [UInt8], for subscription: WebPushSubscription,
    sender: P256.PrivateKey = P256.PrivateKey(), salt: [UInt8] = RandomBytes.make(16)
  ) throws(DeliveryFailure) -> [UInt8] {
    guard plaintext.count <= maximumPlaintext else {
      throw .tooLarge(given: plaintext.count, allowed: maximumPlaintext)
    }
    let receiver = subscription.publicKey
    let ours = sender.publicKey
    guard let shared = sender.sharedSecret(with: receiver) else {
      throw .misconfigured("the subscription's key is no point of P-256")
    }
    // Section 3.4: the secret of the subscription ties the keys to this browser.
    let input = HKDF.sha256(
      shared, salt: subscription.authentication, info: Array("WebPush: info\0".utf8) + receiver + ours,
      count: 32)
    func derived(_ purpose: String, _ count: Int) -> [UInt8] {
      HKDF.sha256(input, salt: salt, info: Array("Content-Encoding: \(purpose)\0".utf8), count: count)
    }
    let sealed = AESGCM.seal(
      plaintext + [2], key: derived("aes128gcm", AESGCM.keyLength),
      nonce: derived("nonce", AESGCM.nonceLength))
    // RFC 8188, section 2.1: salt, record size, length of the key id, key id.
    return salt + [0, 0, 0x10, 0, UInt8(ours.count)] + ours + sealed
  }
}
