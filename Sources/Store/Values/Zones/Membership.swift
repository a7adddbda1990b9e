import AlarmEngine

/// An account that may follow a collection which is not public.
public struct Membership: Hashable, Sendable {
  public let account: AccountID
  public let login: String
  public let name: String
  public let since: Instant

  public init(account: AccountID, login: String, name: String, since: Instant) {
    self.account = account
    self.login = login
    self.name = name
    self.since = since
  }
}
