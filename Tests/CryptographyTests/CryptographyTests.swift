import Cryptography
import Foundation
import TestSupport
import Testing

/// Examples from the standards, and properties of arbitrary bytes.
@Suite("Hashes, codes, ciphers and signatures")
struct CryptographyTests {
  // MARK: Hashes and codes

  /// FIPS 180-4's example, and the hash of an empty input.
  @Test func `SHA-256 is the standard's, in one piece and in parts`() {
    #expect(
      hex(SHA256.hash("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for step in [1, 63, 64, 65, 4096] {
      var parts = SHA256()
      for start in stride(from: 0, to: bytes.count, by: step) {
        parts.update(bytes[start..<min(start + step, bytes.count)])
      }
      #expect(parts.finish() == SHA256.hash(bytes))
    }
    // A sequence that is not contiguous in memory.
    #expect(SHA256.hash(bytes.lazy.map { $0 }) == SHA256.hash(bytes))
  }

  /// RFC 4231, cases 1, 2 and 6; RFC 2202, case 2.
  @Test func `HMAC is the standard's, also under no key and a long one`() {
    #expect(
      hex(HMAC.sha256(Array("Hi There".utf8), key: Array(repeating: 0x0b, count: 20)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      hex(HMAC.sha256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(
        HMAC.sha256(
          Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
          key: Array(repeating: 0xaa, count: 131)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(
      hex(HMAC.sha1(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    // Keys are padded with zero bytes, so an empty key equals a zero byte.
    #expect(HMAC.sha256([1], key: []) == HMAC.sha256([1], key: [0]))
    #expect(HMAC.sha256([], key: []).count == 32)
  }

  /// RFC 5869, A.1 and A.3.
  @Test func `HKDF is the standard's`() {
    #expect(
      hex(
        HKDF.sha256(
          Array(repeating: 0x0b, count: 22), salt: Array(0...12), info: Array(0xf0...0xf9), count: 42))
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(
      hex(HKDF.sha256(Array(repeating: 0x0b, count: 22), salt: [], info: [], count: 42))
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
  }

  @Test func `texts are the same or not`() {
    #expect(constantTimeEqual([], []) && constantTimeEqual([1, 2], [1, 2]))
    #expect(
      !constantTimeEqual([1, 2], [1, 3]) && !constantTimeEqual([1, 2], [1]) && !constantTimeEqual([], [0]))
  }

  /// `Tests/EndToEnd/operation.py` checks the message for a missing algorithm, which needs its own process
  /// setting.
  @Test func `this system's OpenSSL offers all that is needed`() { #expect(SystemOpenSSL.missing() == []) }

  // MARK: Ciphers

  /// The Galois/Counter Mode of Operation (McGrew, Viega), cases 1 and 2.
  @Test func `AES-128-GCM is the standard's`() {
    let zero = [UInt8](repeating: 0, count: 16)
    #expect(
      hex(AESGCM.seal([], key: zero, nonce: Array(zero.prefix(12)))) == "58e2fccefa7e3061367f1d57a4e7455a")
    #expect(
      hex(AESGCM.seal(zero, key: zero, nonce: Array(zero.prefix(12))))
        == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
  }

  /// RFC 8439, section 2.8.2.
  @Test func `ChaCha20-Poly1305 opens the standard's example`() {
    let sealed =
      bytes("070000004041424344454647")
      + bytes(
        """
        d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e
        060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576
        d26586cec64b61161ae10b594f09e26a7e902ecbd0600691
        """)
    let text = ChaChaPoly.open(
      sealed, key: Array(0x80...0x9f), authenticating: bytes("50515253c0c1c2c3c4c5c6c7"))
    #expect(
      text.map { String(decoding: $0, as: UTF8.self) }
        == "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
        + "would be it.")
  }

  @Test(arguments: Seeds.few(8)) func `what was sealed is opened, and nothing else`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let key = random.bytes(32)
    for length in [0, 1, 15, 16, 17, 1000] {
      let text = random.bytes(length)
      let sealed = ChaChaPoly.seal(text, key: key, authenticating: [1])
      #expect(sealed.count == length + 28)
      #expect(ChaChaPoly.open(sealed, key: key, authenticating: [1]) == text)
      #expect(ChaChaPoly.seal(text, key: key, authenticating: [1]) != sealed, "another nonce")
      var changed = sealed
      changed[Int.random(in: 0..<changed.count, using: &random)] ^=
        1 << UInt8.random(in: 0...7, using: &random)
      #expect(ChaChaPoly.open(changed, key: key, authenticating: [1]) == nil)
      #expect(ChaChaPoly.open(sealed, key: key, authenticating: []) == nil)
      #expect(ChaChaPoly.open(sealed, key: random.bytes(32), authenticating: [1]) == nil)
      #expect(ChaChaPoly.open(sealed, key: Array(key.dropLast()), authenticating: [1]) == nil)
      for end in [0, 1, 12, 27, sealed.count - 1] {
        #expect(ChaChaPoly.open(Array(sealed.prefix(end)), key: key, authenticating: [1]) == nil)
      }
    }
  }

  // MARK: Signatures

  /// RFC 8032, section 7.1, tests 1 and 3.
  @Test func `Ed25519 signs as the standard does`() throws {
    let examples = [
      (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
          + "d25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
          + "4a7c15e9716ed28dc027beceea1ec40a"
      ),
    ]
    for (secret, open, message, signature) in examples {
      let key = try #require(Ed25519.PrivateKey(bytes(secret)))
      #expect(hex(key.publicKey) == open)
      #expect(hex(key.signature(of: bytes(message))) == signature)
      #expect(Ed25519.isSignature(bytes(signature), of: bytes(message), by: bytes(open)))
    }
  }

  /// RFC 6979, A.2.5 (SHA-256, "sample").
  @Test func `P-256 knows the standard's signature, raw and in ASN.1`() throws {
    let key = try #require(
      P256.PrivateKey(bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")))
    #expect(
      hex(key.publicKey)
        == "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    let r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    let s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    let sample = Array("sample".utf8)
    #expect(P256.isSignature(raw: bytes(r + s), of: sample, by: key.publicKey))
    #expect(P256.isSignature(der: bytes("3046022100" + r + "022100" + s), of: sample, by: key.publicKey))
    #expect(!P256.isSignature(raw: bytes(s + r), of: sample, by: key.publicKey))
  }

  /// RFC 5903, section 8.1.
  @Test func `both sides come to the standard's secret`() throws {
    let i = try #require(
      P256.PrivateKey(bytes("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")))
    let r = try #require(
      P256.PrivateKey(bytes("c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53")))
    let secret = "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"
    #expect(i.sharedSecret(with: r.publicKey).map(hex) == secret)
    #expect(r.sharedSecret(with: i.publicKey).map(hex) == secret)
  }

  /// RFC 7515, A.2.
  @Test func `RSA knows the standard's signature`() {
    let modulus = base64(
      """
      ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pC
      gNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg6
      65xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRW
      yuXpoQ
      """)
    let signed = Array(
      ("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
        + "cnVlfQ").utf8)
    let signature = base64(
      """
      cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t
      1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12
      jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUP
      QGe77Rw
      """)
    let exponent: [UInt8] = [1, 0, 1]
    #expect(RSA.isSignature(signature, of: signed, modulus: modulus, exponent: exponent))
    #expect(RSA.isSignature(signature, of: signed, modulus: [0] + modulus, exponent: exponent))
    #expect(!RSA.isSignature(signature, of: signed + [0], modulus: modulus, exponent: exponent))
    #expect(!RSA.isSignature(Array(signature.dropLast()), of: signed, modulus: modulus, exponent: exponent))
    #expect(!RSA.isSignature(signature, of: signed, modulus: modulus, exponent: [3]))
    // Too short a key, no key, and an invalid one.
    #expect(!RSA.isSignature([1], of: [], modulus: Array(modulus.prefix(128)), exponent: exponent))
    #expect(!RSA.isSignature([], of: [], modulus: [], exponent: []))
    #expect(
      !RSA.isSignature(signature, of: signed, modulus: [UInt8](repeating: 0, count: 256), exponent: [0]))
  }

  @Test(arguments: Seeds.few(8)) func `only who has the key has signed, and only that`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let (edwards, weierstrass) = (Ed25519.PrivateKey(), P256.PrivateKey())
    #expect(Ed25519.PrivateKey(edwards.bytes)?.publicKey == edwards.publicKey)
    #expect(P256.PrivateKey(weierstrass.bytes)?.publicKey == weierstrass.publicKey)
    for length in [0, 1, 100, 5000] {
      let text = random.bytes(length)
      let first = edwards.signature(of: text)
      let (raw, der) = (weierstrass.signature(of: text), weierstrass.derSignature(of: text))
      #expect(first.count == Ed25519.signatureLength && raw.count == 64)
      #expect(Ed25519.isSignature(first, of: text, by: edwards.publicKey))
      #expect(P256.isSignature(raw: raw, of: text, by: weierstrass.publicKey))
      #expect(P256.isSignature(der: der, of: text, by: weierstrass.publicKey))
      #expect(!Ed25519.isSignature(first, of: text, by: Ed25519.PrivateKey().publicKey))
      #expect(!P256.isSignature(raw: raw, of: text, by: P256.PrivateKey().publicKey))
      #expect(!Ed25519.isSignature(first, of: text + [0], by: edwards.publicKey))
      #expect(!P256.isSignature(raw: raw, of: text + [0], by: weierstrass.publicKey))
      for signature in [first, raw, der] {
        var changed = signature
        changed[Int.random(in: 0..<changed.count, using: &random)] ^=
          1 << UInt8.random(in: 0...7, using: &random)
        for wrong in [changed, Array(signature.dropLast()), signature + [0], []] {
          #expect(!Ed25519.isSignature(wrong, of: text, by: edwards.publicKey))
          #expect(!P256.isSignature(raw: wrong, of: text, by: weierstrass.publicKey))
          #expect(!P256.isSignature(der: wrong, of: text, by: weierstrass.publicKey))
        }
      }
    }
  }

  @Test func `bytes that are no key are refused`() {
    #expect(Ed25519.PrivateKey([]) == nil && Ed25519.PrivateKey([UInt8](repeating: 1, count: 33)) == nil)
    #expect(!Ed25519.isSignature([UInt8](repeating: 0, count: 64), of: [], by: []))
    #expect(
      !Ed25519.isSignature([UInt8](repeating: 0, count: 64), of: [], by: [UInt8](repeating: 0xff, count: 32)))
    #expect(P256.PrivateKey([UInt8](repeating: 0, count: 32)) == nil, "the number is zero")
    #expect(P256.PrivateKey([UInt8](repeating: 0xff, count: 32)) == nil, "it is above the curve's order")
    let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    #expect(P256.PrivateKey(order) == nil)
    #expect(P256.PrivateKey(Array(order.dropLast() + [0x50])) != nil)
    #expect(P256.PrivateKey([]) == nil && P256.PrivateKey([UInt8](repeating: 1, count: 31)) == nil)
    let point = P256.PrivateKey().publicKey
    #expect(P256.isPoint(point))
    var beside = point
    beside[64] ^= 1
    let compressed = [2 + point[64] & 1] + point[1...32]
    let hybrid = [6 + point[64] & 1] + point[1...]
    let shapes: [[UInt8]] = [[], [0], beside, Array(point.dropLast()), point + [0], compressed, hybrid]
    for wrong in shapes {
      #expect(!P256.isPoint(wrong))
      #expect(P256.PrivateKey().sharedSecret(with: wrong) == nil)
    }
  }

  /// Written by `openssl genpkey`, `openssl ec` and `openssl pkey`, version 3.0.
  @Test func `a key of the curve is read from PEM, and nothing else is`() throws {
    let text = PEMExamples.ours
    let key = try #require(P256.PrivateKey(pem: text))
    #expect(hex(key.bytes) == PEMExamples.number)
    #expect(P256.PrivateKey(pem: PEMExamples.old)?.bytes == key.bytes)
    #expect(P256.PrivateKey(pem: text.replacing("\n", with: "\r\n"))?.bytes == key.bytes)
    for wrong in [
      "", "-----BEGIN", String(text.dropLast(60)), PEMExamples.otherCurve, PEMExamples.locked,
      PEMExamples.open,
      PEMExamples.edwards,
    ] { #expect(P256.PrivateKey(pem: wrong) == nil) }
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { $0 != "\n" }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private func base64(_ text: String) -> [UInt8] {
  let plain = text.filter { $0 != "\n" }.replacing("-", with: "+").replacing("_", with: "/")
  return Array(Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))!)
}

extension SeededGenerator {
  fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
