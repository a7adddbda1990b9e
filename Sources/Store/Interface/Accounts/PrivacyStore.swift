import AlarmEngine

/// Accounts in private mode, of which the store takes and has no place.
///
/// While an account is private, whatever would store a place of it throws `.privateAccount`: zones, reminders, collections,
/// shares, imports, the claim of a device. What its devices report is refused by the ingest (`Device.isPrivate`).
public protocol PrivacyStore: Sendable {
  /// Turns private mode on or off. From then on nothing new is taken; what is there is for `erasePlaces`.
  ///
  /// Devices stay by name, so that what they go on reporting is known to be the account's, and refused. They need not
  /// report any more.
  func setPrivate(_ isPrivate: Bool, _ account: AccountID, at now: Instant) async throws(StoreError)
  func storedPlaces(of account: AccountID) async throws(StoreError) -> StoredPlaces
  /// Erases places of a private account, at most about `limit` rows. Its audit log keeps what was done, and no subject.
  /// - Returns: what was erased; call again until that is nothing.
  /// - Throws: `.notFound` unless the account is private.
  func erasePlaces(of account: AccountID, limit: Int) async throws(StoreError) -> StoredPlaces
  /// Overwrites what was erased, as far as that is the store's own: pages of the file, and its log.
  func forgetErased() async throws(StoreError)
  /// Ascending.
  func privateAccounts() async throws(StoreError) -> [AccountID]
}
