import NIOSSL

extension ServerSettings {
  /// The server's own certificate and key, tried here, so that a wrong file is named when the server starts.
  static func tlsFiles(_ values: Values) throws(Refusal) -> TLSFiles? {
    switch (values.text(.tlsCertificate), values.text(.tlsKey)) {
    case (nil, nil): return nil
    case (_?, nil): throw values.refusal(.tlsKey, "the file of the certificate's private key")
    case (nil, _?): throw values.refusal(.tlsCertificate, "the file of the private key's certificates")
    case (let chain?, let key?):
      let files = TLSFiles(certificateChain: chain, privateKey: key)
      guard certificates(chain) != nil else {
        throw values.refusal(.tlsCertificate, "a PEM file of certificates, the server's own first")
      }
      guard (try? NIOSSLPrivateKey(file: key, format: .pem)) != nil else {
        throw values.refusal(.tlsKey, "a PEM file of a private key without a passphrase")
      }
      guard let made = try? files.configuration(), (try? NIOSSLContext(configuration: made)) != nil else {
        throw values.refusal(.tlsKey, "the private key of the certificate in \(chain)")
      }
      return files
    }
  }

  /// The certificates that others are trusted by.
  static func trustRoots(_ values: Values) throws(Refusal) -> String? {
    guard let path = values.text(.trustRoots) else { return nil }
    guard certificates(path) != nil else {
      throw values.refusal(.trustRoots, "a PEM file of certificates")
    }
    return path
  }

  /// Nil for a file that has none.
  private static func certificates(_ path: String) -> [NIOSSLCertificate]? {
    guard let all = try? NIOSSLCertificate.fromPEMFile(path), !all.isEmpty else { return nil }
    return all
  }
}

extension ServerSettings.TLSFiles {
  /// TLS 1.2 or later.
  func configuration() throws -> TLSConfiguration {
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificateChain).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem)))
    tls.minimumTLSVersion = .tlsv12
    return tls
  }
}
