import AlarmEngine

/// Who may answer whose alarms: nobody, unless the owner says so and the other agrees.
///
/// Nobody answers for an owner who is disabled, since such an owner could not end it.
public protocol DeputyStore: Sendable {
  /// Offers it to whoever has the login. Nothing tells whether there is somebody.
  /// - Throws: `.taken` where the owner lists that login already; `.tooMany` beyond `Deputy.most`.
  func create(_ deputy: Deputy) async throws(StoreError)
  /// By login.
  func deputies(of owner: AccountID, at now: Instant) async throws(StoreError) -> [Deputy]
  /// - Throws: `.notFound` when nothing under that id is offered to the account.
  /// - Returns: whose alarms they are.
  @discardableResult
  func accept(_ id: DeputyID, by account: AccountID, at now: Instant) async throws(StoreError) -> AccountID
  /// The owner's right, and the deputy's.
  @discardableResult
  func end(_ id: DeputyID, by account: AccountID) async throws(StoreError) -> EndedDeputy
  /// A member lets the manager of their group answer.
  /// - Throws: `.notFound` unless the account is a member by that.
  @discardableResult
  func letManagerAnswer(_ id: GroupMemberID, by member: AccountID) async throws(StoreError) -> EndedDeputy
  /// Ends that: the member's right, and the manager's. The membership stays.
  @discardableResult
  func endManagerAnswering(_ id: GroupMemberID, by account: AccountID) async throws(StoreError) -> EndedDeputy

  /// Whose alarms the account may answer, and who offers it; by the owner's login.
  func deputyFor(_ account: AccountID, at now: Instant) async throws(StoreError) -> [DeputyFor]
  /// Alarms that are not over, of all whose alarms the account may answer; the latest to begin first.
  func othersAlarms(
    answerableBy account: AccountID, limit: Int
  ) async throws(StoreError) -> [OthersAlarm]
  /// - Throws: `.notFound` also where the account may not answer it.
  func othersAlarm(
    _ id: AlarmID, answerableBy account: AccountID
  ) async throws(StoreError) -> OthersAlarm
}
