import AlarmEngine

/// End-to-end encrypted messages between accounts: whose keys there are, who agreed to hear from whom, and what waits. The store
/// sees opaque bytes, their size, their time, and the two accounts.
public protocol SealedStore: Sendable {
  /// The same key of the account is kept once: what is stored is returned.
  /// - Throws: `.tooMany` beyond `SealedKey.most`.
  @discardableResult
  func register(_ key: SealedKey) async throws(StoreError) -> SealedKey
  /// The oldest first.
  func sealedKeys(of account: AccountID) async throws(StoreError) -> [SealedKey]
  /// With all that waits for it.
  func removeSealedKey(_ id: SealedKeyID, of account: AccountID, at now: Instant) async throws(StoreError)

  /// Asks whoever has that login. Asking again does nothing; asking somebody who has asked oneself agrees.
  /// - Throws: `.tooMany` beyond `SealedContact.most`; `.taken` for the account's own login.
  func ask(
    _ login: String, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> SealedContact
  /// Those that the account asked or that ask it, agreed or not; by the time they were asked. Both sides see one that was agreed to.
  func sealedContacts(of account: AccountID, at now: Instant) async throws(StoreError) -> [SealedContact]
  /// - Throws: `.notFound` when nobody asks the account by that.
  func agree(_ id: SealedContactID, by account: AccountID, at now: Instant) async throws(StoreError)
  /// Ends it for both, or withdraws or declines; what waits between the two goes.
  func end(_ id: SealedContactID, by account: AccountID, at now: Instant) async throws(StoreError)

  /// The keys of the other of the two, the oldest first.
  /// - Throws: `.notFound` where there is no agreement.
  func sealedKeys(
    by contact: SealedContactID, for account: AccountID
  ) async throws(StoreError) -> [SealedKey]
  /// Keeps a message for the key's owner.
  /// - Returns: the account it is for.
  /// - Throws: `.notFound` where the key's owner and the sender have no agreement and are not the same; `.taken` when the id is;
  ///   `.tooMany` beyond `SealedMessage.most` for the key.
  func post(_ message: SealedMessage) async throws(StoreError) -> AccountID
  /// What waits for a key, the oldest first. Notes that its owner asked.
  func sealedMessages(
    for key: SealedKeyID, of account: AccountID, limit: Int, at now: Instant
  ) async throws(StoreError) -> [SealedMessage]
  /// Drops what was read. Ids that are not there, or not the account's, are passed over.
  func dropSealed(_ ids: [SealedMessageID], of account: AccountID) async throws(StoreError)
}
