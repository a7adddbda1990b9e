#if PostgreSQL
  import PostgreSQLClient

  extension StoreError {
    /// Converts an error of the server. Parameters and stored values are left out.
    init(postgreSQL error: PostgreSQLError) {
      switch error.code {
      case _ where error.isConnectionLost: self = .unavailable(error.message)
      case "53300", "55P03": self = .locked
      case "40001", "40P01": self = .locked
      case "53100": self = .diskFull
      case "25006": self = .readOnly
      case "42501": self = .notAllowed(error.message)
      case "28000", "28P01", "3D000": self = .badAddress(error.message)
      case "XX001", "XX002": self = .corrupted(detail: error.message)
      case "57014": self = .cancelled
      default: self = .failed(code: 0, message: "\(error.code) \(error.message)")
      }
    }
  }
#endif
