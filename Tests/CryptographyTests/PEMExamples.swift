/// Made for these tests, and used nowhere else.
enum PEMExamples {
  /// The private key in hexadecimal, as `openssl ec -text` shows it.
  static let number = "88e7699537fece72dfb1c6a4018fd646d8c56cb7284d757603e9448ee62d8b2e"
  /// The key in PKCS #8.
  static let ours = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiOdplTf+znLfscak
    AY/WRtjFbLcoTXV2A+lEjuYtiy6hRANCAAR+f8wZRCzuG8pNmsFGQXDbtsiNqatm
    QRWXHMr+trsdYl3XYZJkn3oY8IxTmmn2ffRA7r9DWpuKenwZo+I53s6d
    -----END PRIVATE KEY-----

    """
  /// The key in SEC 1.
  static let old = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIIjnaZU3/s5y37HGpAGP1kbYxWy3KE11dgPpRI7mLYsuoAoGCCqGSM49
    AwEHoUQDQgAEfn/MGUQs7hvKTZrBRkFw27bIjamrZkEVlxzK/ra7HWJd12GSZJ96
    GPCMU5pp9n30QO6/Q1qbinp8GaPiOd7OnQ==
    -----END EC PRIVATE KEY-----

    """
  /// The key, encrypted with a password.
  static let locked = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgJc8vUgJw2VgICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELunC2JmtkE577SXo9SNEYYEgZBo
    oWH/HUrtiySvGG15BnGvRESbcGlKZRSYphbtV7NZewuTWo3vRY8RbN3QpGsY8wDN
    tp44s27Cv0a30cOl3Lv035CEUw7Kl2aDmK8ZuXdUfB2vc1on+t3I+x06EUAdgzO9
    GWBn0+s0taHXsd5PmbM2FjaI+m/whH8tT7OXgU3UfGwsFrAziIGFezzgZxnEeEI=
    -----END ENCRYPTED PRIVATE KEY-----

    """
  /// The public key.
  static let open = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfn/MGUQs7hvKTZrBRkFw27bIjamr
    ZkEVlxzK/ra7HWJd12GSZJ96GPCMU5pp9n30QO6/Q1qbinp8GaPiOd7OnQ==
    -----END PUBLIC KEY-----

    """
  /// A key of the curve P-384.
  static let otherCurve = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDCy7oIeTZn19Qg0giG
    g8bcZWQwAbHqc4aO64GZfpuMMA3T8WTGRLaefygnY9JGc2ShZANiAAQFiY/JzgOg
    ccCFhUh+kiOGNug6pL4p9qhI93cmK1mBTM5NExjoq3jZ6XFmv/27fqn1rTRDYTo6
    bjHXVceaTt9BJYAo5OaXgfn2IHFbBQ2kL/SSMUzq9t5nLXHpzXH8UJ8=
    -----END PRIVATE KEY-----

    """
  /// A key of Ed25519.
  static let edwards = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIHzDnEfWiapk+HApAnv0l/r1tJ00dErwzw5E5zk9yhoW
    -----END PRIVATE KEY-----

    """
}
