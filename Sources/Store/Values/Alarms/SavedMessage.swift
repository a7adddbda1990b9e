import AlarmEngine

/// A message kept to be used in several zones (S87-S104).
public struct SavedMessage: Hashable, Sendable {
  public let id: MessageID
  public let account: AccountID
  public var message: Message
  public internal(set) var revision: Revision

  public init(id: MessageID = .random(), account: AccountID, message: Message, revision: Revision = .first) {
    self.id = id
    self.account = account
    self.message = message
    self.revision = revision
  }
}
