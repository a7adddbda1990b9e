import AlarmEngine

/// A person who may follow a collection that is not public.
public struct Membership: Hashable, Sendable {
  public let id: MembershipID
  /// The login as the owner wrote it, until the person follows the collection. Until then it does not reveal
  /// whether such an account exists.
  public let login: String
  /// Empty until the person follows the collection.
  public let name: String
  public let since: Instant
  /// True if the owner named this person. If false, a group gives the permission.
  public let isDirect: Bool
  /// The account of a person who has followed the collection, or is in a group to which it is given.
  public let account: AccountID?
}
