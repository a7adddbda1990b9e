import COpenSSL

/// Files of X.509 certificates in PEM.
package enum CertificateFile {
  /// True if the file has at least one certificate and all in it can be read.
  package static func hasCertificates(_ path: String) -> Bool {
    guard let file = BIO_new_file(path, "r") else {
      ERR_clear_error()
      return false
    }
    defer { BIO_free(file) }
    var count = 0
    while let certificate = PEM_read_bio_X509(file, nil, nil, nil) {
      X509_free(certificate)
      count += 1
    }
    // At the end of the file OpenSSL reports an error of its own: no further certificate begins.
    let error = ERR_peek_last_error()
    ERR_clear_error()
    return count > 0 && proximity_is_end_of_pem(error) == 1
  }
}
