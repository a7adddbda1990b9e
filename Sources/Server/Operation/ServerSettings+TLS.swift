import Cryptography

#if TLS
  import NIOSSL
#endif

extension ServerSettings {
  /// The server's own certificate and key, tried here, so that a wrong file is reported when the server
  /// starts.
  static func tlsFiles(_ values: Values) throws(Refusal) -> TLSFiles? {
    switch (values.text(.tlsCertificate), values.text(.tlsKey)) {
    case (nil, nil): return nil
    case (_?, nil): throw values.refusal(.tlsKey, "the file of the certificate's private key")
    case (nil, _?): throw values.refusal(.tlsCertificate, "the file of the private key's certificates")
    case (let chain?, let key?):
      #if !TLS
        throw values.refusal(
          .tlsCertificate,
          "HTTPS by --domain or a proxy in front (this program is built without TLS)")
      #else
        let files = TLSFiles(certificateChain: chain, privateKey: key)
        guard CertificateFile.hasCertificates(chain) else {
          throw values.refusal(.tlsCertificate, "a PEM file of certificates, the server's own first")
        }
        guard (try? NIOSSLPrivateKey(file: key, format: .pem)) != nil else {
          throw values.refusal(.tlsKey, "a PEM file of a private key without a passphrase")
        }
        guard let made = try? files.configuration(), (try? NIOSSLContext(configuration: made)) != nil else {
          throw values.refusal(.tlsKey, "the private key of the certificate in \(chain)")
        }
        return files
      #endif
    }
  }

  /// The certificates by which other servers are trusted.
  static func trustRoots(_ values: Values) throws(Refusal) -> String? {
    guard let path = values.text(.trustRoots) else { return nil }
    guard CertificateFile.hasCertificates(path) else {
      throw values.refusal(.trustRoots, "a PEM file of certificates")
    }
    return path
  }
}

#if TLS
  extension ServerSettings.TLSFiles {
    /// TLS 1.2 or later, with authenticated encryption (AEAD) and forward secrecy in both.
    func configuration() throws -> TLSConfiguration {
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificateChain).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
      tls.minimumTLSVersion = .tlsv12
      // The cipher suites of TLS 1.3 all have these properties and are not chosen here.
      tls.cipherSuiteValues = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
      ]
      return tls
    }
  }
#endif
