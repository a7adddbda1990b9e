import AlarmEngine

/// A new entry for the change feed.
public struct NewChange: Hashable, Sendable {
  public let account: AccountID
  public let kind: ChangeEntry.Kind
  public let id: UInt64

  public init(account: AccountID, kind: ChangeEntry.Kind, id: UInt64) {
    self.account = account
    self.kind = kind
    self.id = id
  }
}
