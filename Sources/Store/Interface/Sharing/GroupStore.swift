import AlarmEngine

/// Groups of people, to whom a manager gives collections of zones.
///
/// An invitation or a link that has run out is `.notFound` for everybody, and so is one of a manager who is disabled.
public protocol GroupStore: Sendable {
  /// - Throws: `.tooMany` beyond `PeopleGroup.most`.
  func create(_ group: PeopleGroup) async throws(StoreError)
  func rename(_ id: GroupID, to name: String, of owner: AccountID) async throws(StoreError)
  /// Ends all memberships with it.
  /// - Returns: who was a member.
  @discardableResult
  func deleteGroup(_ id: GroupID, of owner: AccountID, at now: Instant) async throws(StoreError)
    -> [AccountID]
  /// By name.
  func groups(of owner: AccountID, at now: Instant) async throws(StoreError) -> [PeopleGroup]
  func group(_ id: GroupID, of owner: AccountID, at now: Instant) async throws(StoreError) -> PeopleGroup

  /// Lets all members of a group follow a collection, those too who join later. Nobody follows it by that.
  /// - Throws: `.notFound` unless both are the owner's; `.tooMany`.
  /// - Returns: the members.
  @discardableResult
  func give(
    _ collection: CollectionID, to group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [AccountID]
  /// Takes that back. Who may follow the collection by nothing else no longer follows it.
  /// - Throws: `.notFound` where it was not given.
  /// - Returns: the members.
  @discardableResult
  func takeBack(
    _ collection: CollectionID, from group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [AccountID]

  /// Invites whoever has the login. Nothing tells whether there is somebody.
  /// - Throws: `.taken` where the group lists that login already; `.tooMany`.
  func invite(
    _ login: String, as id: GroupMemberID, to group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError)
  /// Makes a link by which whoever has it may join; one made before is worth nothing any more.
  func setLink(
    _ hash: TokenHash, endsAt: Instant, of group: GroupID, owner: AccountID
  ) async throws(StoreError)
  func endLink(of group: GroupID, owner: AccountID) async throws(StoreError)
  func offeredGroup(_ link: TokenHash, at now: Instant) async throws(StoreError) -> OfferedGroup
  /// Who is a member already stays it, as they are.
  /// - Throws: `.notFound` also for the manager; `.tooMany`.
  @discardableResult
  func join(_ link: TokenHash, by account: AccountID, at now: Instant) async throws(StoreError)
    -> OfferedGroup
  /// - Throws: `.notFound` when the account is not invited by that.
  @discardableResult
  func accept(
    _ id: GroupMemberID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> OfferedGroup
  /// Ends a membership or an invitation: the member's right, and the manager's.
  @discardableResult
  func end(
    _ id: GroupMemberID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> EndedMembership

  /// By login; those of the past `PeopleGroup.endingIsShown` too whose membership has ended.
  func members(
    of group: GroupID, owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [GroupMember]
  /// What the account is in, is invited to and was in, by the group's name, with what the manager sees of it.
  func memberships(of account: AccountID, at now: Instant) async throws(StoreError) -> [GroupMembership]
}
