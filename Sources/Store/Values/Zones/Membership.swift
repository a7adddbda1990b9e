import AlarmEngine

/// An account that may follow a collection which is not public.
public struct Membership: Hashable, Sendable {
  public let account: AccountID
  public let login: String
  public let name: String
  public let since: Instant
  /// Whether the owner let the account follow by itself; otherwise a group does.
  public let isDirect: Bool

  public init(account: AccountID, login: String, name: String, since: Instant, isDirect: Bool = true) {
    self.account = account
    self.login = login
    self.name = name
    self.since = since
    self.isDirect = isDirect
  }
}
