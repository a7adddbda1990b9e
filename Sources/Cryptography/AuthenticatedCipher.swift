import COpenSSL

/// AES-128 in Galois/Counter Mode (NIST SP 800-38D), as Web Push uses it.
package enum AESGCM {
  package static let keyLength = 16
  package static let nonceLength = 12

  /// Encrypts a text; returns the ciphertext followed by the tag of 16 bytes.
  /// - Precondition: the lengths of key and nonce. Two messages under one key and nonce reveal each other.
  package static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(
      key.count == keyLength && nonce.count == nonceLength, "AES-128-GCM has a key of 16 bytes, a nonce of 12"
    )
    return AuthenticatedCipher.aes128.seal(text, key: key, nonce: nonce, authenticating: [])
  }
}

/// ChaCha20 with Poly1305 (RFC 8439), under a random nonce that precedes the text.
package enum ChaChaPoly {
  package static let keyLength = 32
  private static let nonceLength = 12

  /// Encrypts a text; returns nonce, ciphertext and tag: 28 bytes more than the text.
  /// - Parameter context: data that is not encrypted and must be the same on opening.
  /// - Precondition: the key has 32 bytes.
  package static func seal(_ text: [UInt8], key: [UInt8], authenticating context: [UInt8]) -> [UInt8] {
    precondition(key.count == keyLength, "ChaCha20 has a key of 32 bytes")
    let nonce = RandomBytes.make(nonceLength)
    return nonce
      + AuthenticatedCipher.chaCha.seal(text, key: key, nonce: nonce, authenticating: context)
  }

  /// Decrypts a message; nil if it was not sealed with this key and context, or was changed.
  package static func open(_ sealed: [UInt8], key: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
    guard key.count == keyLength, sealed.count >= nonceLength + AuthenticatedCipher.tagLength else {
      return nil
    }
    return AuthenticatedCipher.chaCha.open(
      Array(sealed[nonceLength...]), key: key, nonce: Array(sealed[..<nonceLength]), authenticating: context)
  }
}

/// A cipher that detects changes. The tag follows the text.
struct AuthenticatedCipher {
  static let tagLength = 16
  // Looked up once, never changed.
  nonisolated(unsafe) static let aes128 = Self("AES-128-GCM")
  nonisolated(unsafe) static let chaCha = Self("ChaCha20-Poly1305")

  private let algorithm: OpaquePointer

  private init(_ name: String) { algorithm = OpenSSL.made(EVP_CIPHER_fetch(nil, name, nil)) }

  func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating context: [UInt8]) -> [UInt8] {
    let cipher = OpenSSL.made(EVP_CIPHER_CTX_new())
    defer { EVP_CIPHER_CTX_free(cipher) }
    var count: Int32 = 0
    OpenSSL.demand(EVP_EncryptInit_ex2(cipher, algorithm, key, nonce, nil))
    if !context.isEmpty {
      OpenSSL.demand(EVP_EncryptUpdate(cipher, nil, &count, context, Int32(context.count)))
    }
    return OpenSSL.bytes(text.count + Self.tagLength) { sealed in
      let tag = OpenSSL.made(sealed) + text.count
      if !text.isEmpty { OpenSSL.demand(EVP_EncryptUpdate(cipher, sealed, &count, text, Int32(text.count))) }
      OpenSSL.demand(EVP_EncryptFinal_ex(cipher, tag, &count))
      OpenSSL.demand(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), tag))
    }
  }

  /// - Precondition: there are as many bytes as a tag has.
  func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
    let cipher = OpenSSL.made(EVP_CIPHER_CTX_new())
    defer { EVP_CIPHER_CTX_free(cipher) }
    var count: Int32 = 0
    var tag = Array(sealed.suffix(Self.tagLength))
    let length = sealed.count - Self.tagLength
    OpenSSL.demand(EVP_DecryptInit_ex2(cipher, algorithm, key, nonce, nil))
    OpenSSL.demand(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag))
    if !context.isEmpty {
      OpenSSL.demand(EVP_DecryptUpdate(cipher, nil, &count, context, Int32(context.count)))
    }
    var isOurs = false
    // One byte more, so that the buffer of an empty text has an address.
    let text = OpenSSL.bytes(length + 1) { text in
      if length > 0 { OpenSSL.demand(EVP_DecryptUpdate(cipher, text, &count, sealed, Int32(length))) }
      isOurs = OpenSSL.isDone(EVP_DecryptFinal_ex(cipher, OpenSSL.made(text) + length, &count))
      OpenSSL.made(text)[length] = 0
    }
    return isOurs ? Array(text.dropLast()) : nil
  }
}
