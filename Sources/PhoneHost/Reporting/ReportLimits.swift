/// How positions wait for a server on the disk: lines in files, each one small enough for one request.
public enum ReportLimits {
  /// Nothing is added to a file of so many bytes; about 500 positions.
  public static let fileBytes = 64 << 10
  /// About 50,000 positions: two weeks without network at one in 25 s. Beyond, the oldest file goes.
  public static let files = 100
}

extension ReportOutcome {
  /// The outcome that an HTTP status (RFC 9110) of our server means: sent, failed for now, or refused for
  /// good. Redirects are refusals, because the token is for this server only.
  ///
  /// - Parameter status: of the answer; 0 or less where none came.
  public init(status: Int) {
    switch status {
    case ...0, 408, 429, 500...: self = .failed
    case 200..<300: self = .sent
    default: self = .refused
    }
  }
}
