import Crypto
import Foundation

/// Encrypts a push message for one browser: RFC 8291 over the `aes128gcm` coding of RFC 8188, one record.
enum WebPushEncryption {
  /// The most that fits into a body of 4,096 bytes: header 86, padding delimiter 1, tag 16.
  static let maximumPlaintext = 4096 - 86 - 1 - 16

  /// - Parameters:
  ///   - sender: a key for this message alone.
  ///   - salt: 16 random bytes for this message alone.
  /// - Throws: `.tooLarge` for more than `maximumPlaintext` bytes, `.misconfigured` for a key that is no point.
  static func encrypt(
    _ plaintext: [UInt8], for subscription: WebPushSubscription,
    sender: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
    salt: [UInt8] = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  ) throws(DeliveryFailure) -> [UInt8] {
    guard plaintext.count <= maximumPlaintext else {
      throw .tooLarge(given: plaintext.count, allowed: maximumPlaintext)
    }
    let receiver = subscription.publicKey
    let ours = Array(sender.publicKey.x963Representation)
    do {
      let shared = try sender.sharedSecretFromKeyAgreement(
        with: P256.KeyAgreement.PublicKey(x963Representation: receiver))
      // Section 3.4: the secret of the subscription ties the keys to this browser.
      let input = shared.hkdfDerivedSymmetricKey(
        using: SHA256.self, salt: subscription.authentication,
        sharedInfo: Array("WebPush: info\0".utf8) + receiver + ours, outputByteCount: 32)
      let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8),
        outputByteCount: 16)
      let nonce = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: nonce\0".utf8),
        outputByteCount: 12)
      let sealed = try AES.GCM.seal(
        plaintext + [2], using: key, nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Array($0) }))
      // RFC 8188, section 2.1: salt, record size, length of the key id, key id.
      return salt + [0, 0, 0x10, 0, UInt8(ours.count)] + ours + sealed.ciphertext + sealed.tag
    } catch {
      throw .misconfigured("the subscription's keys: \(error)".excerpt())
    }
  }
}
