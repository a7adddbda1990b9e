import AlarmEngine

/// A person who may follow a collection which is not public.
public struct Membership: Hashable, Sendable {
  public let id: MembershipID
  /// As the owner wrote it, until the person follows the collection. Until then nothing tells whether there is an account.
  public let login: String
  /// Empty until the person follows the collection.
  public let name: String
  public let since: Instant
  /// The owner let this person follow; otherwise a group does.
  public let isDirect: Bool
  /// The account of a person who has followed the collection, or is in a group that it is given to.
  public let account: AccountID?
}
