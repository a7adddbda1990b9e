import AlarmEngine

/// Who may see where whose devices are.
///
/// A share that has ended, by its time or by either side, is `.notFound` for everybody; so is one whose owner is disabled.
public protocol ShareStore: Sendable {
  /// - Throws: `.notFound` when the device is not the owner's; `.taken`; `.tooMany` beyond `Share.most`.
  func create(_ share: Share) async throws(StoreError)
  /// Saves `precision`, `endsAt` and `endsIn`. With another `endsIn` all positions since now count.
  /// - Throws: `.notFound` unless it is the owner's.
  func save(_ share: Share, at now: Instant) async throws(StoreError)
  /// The latest first.
  func shares(of owner: AccountID, at now: Instant) async throws(StoreError) -> [Share]
  /// What others let the account see, and what they offer it; by the owner's login, then by device name.
  func shares(with viewer: AccountID, at now: Instant) async throws(StoreError) -> [ReceivedShare]
  func share(_ link: TokenHash, at now: Instant) async throws(StoreError) -> ReceivedShare
  /// - Throws: `.notFound` when nothing under that id is offered to the account.
  func accept(_ id: ShareID, by viewer: AccountID, at now: Instant) async throws(StoreError)
  /// Ends it for both sides.
  /// - Throws: `.notFound` when the account has not given it, does not see by it, and is not offered it.
  func end(_ id: ShareID, by account: AccountID, at now: Instant) async throws(StoreError)
  /// Notes up to when the device is known not to have arrived.
  func note(_ id: ShareID, lookedTo time: Instant) async throws(StoreError)
}
