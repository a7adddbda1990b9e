import AlarmEngine

/// A second factor besides the password: codes of an authenticator app.
public struct SecondFactor: Hashable, Sendable {
  public let account: AccountID
  /// The secret from which the codes are computed.
  public let secret: [UInt8]
  /// When a first code proved that the app has the secret. Nil until then; no codes are asked for while it is
  /// nil.
  public internal(set) var confirmedAt: Instant?
  /// The 30-second step of the last code used.
  public internal(set) var lastStep: Int64
  /// The number of recovery codes left. Each works once.
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
