import AlarmEngine

/// Collections that are given out as signed packs.
///
/// A pack whose owner is disabled, or which has ended, is `.notFound` for everybody.
public protocol PackStore: Sendable {
  /// The private key with which an account signs.
  /// - Parameter new: kept where the account has none yet.
  func packKey(
    of account: AccountID, orElse new: [UInt8], at now: Instant
  ) async throws(StoreError) -> StoredPackKey
  /// The same of an account that has one.
  /// - Throws: `.notFound`.
  func packKey(of account: AccountID) async throws(StoreError) -> StoredPackKey
  /// Puts another key in the place of the account's, which is forgotten. All its packs are made anew when they are asked for.
  /// - Returns: false, and nothing has changed, where the account's key is no longer `secret`.
  func changePackKey(
    of account: AccountID, from secret: [UInt8], to new: StoredPackKey, at now: Instant
  ) async throws(StoreError) -> Bool
  /// Gives a collection out under an address; where it is given out already, it stays where it is.
  /// - Throws: `.notFound` unless it is the owner's; `.taken` for the address.
  @discardableResult
  func publish(
    _ collection: CollectionID, of owner: AccountID, at address: String, now: Instant
  ) async throws(StoreError) -> PublishedPack
  /// Nobody gets it any more under its address. Whoever holds it keeps what they have.
  /// - Throws: `.notFound` where it is not given out.
  func endPack(of collection: CollectionID, owner: AccountID) async throws(StoreError)
  func pack(of collection: CollectionID, owner: AccountID) async throws(StoreError) -> PublishedPack
  func pack(at address: String) async throws(StoreError) -> PublishedPack
  /// Brings a pack up to date with the collection: zones that are others than before get a new version. It is made anew
  /// also where all are the same.
  ///
  /// - Parameter pad: a zone as it is given out; nil leaves it out. The same zone gives the same bytes.
  @discardableResult
  func renewPack(
    at address: String, now: Instant, pad: @escaping @Sendable (StoredZone) -> [UInt8]?
  ) async throws(StoreError) -> PublishedPack
  /// A pack and all its zones, those that went too, at one moment; ascending by id.
  func packedZones(at address: String) async throws(StoreError) -> (pack: PublishedPack, zones: [PackedZone])
}
