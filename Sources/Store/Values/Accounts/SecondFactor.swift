import AlarmEngine

/// What somebody signs in with beside the password: codes of an authenticator app.
public struct SecondFactor: Hashable, Sendable {
  public let account: AccountID
  /// What the codes are made of.
  public let secret: [UInt8]
  /// Nil until a first code has shown that the app has the secret; until then nobody is asked for codes.
  public internal(set) var confirmedAt: Instant?
  /// The half minute of the code that was used last.
  public internal(set) var lastStep: Int64
  /// Codes on paper that are left, each good once.
  public internal(set) var recoveryCodes: Int

  public init(account: AccountID, secret: [UInt8]) {
    self.account = account
    self.secret = secret
    confirmedAt = nil
    lastStep = 0
    recoveryCodes = 0
  }

  public static let recoveryCodesAtFirst = 10
}
