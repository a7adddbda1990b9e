import AlarmEngine

/// Devices, the names under which they report, and their tokens.
public protocol DeviceStore: Sendable {
  /// - Throws: `.taken` when the id or an identity is.
  func create(_ device: Device, identities: [DeviceIdentity]) async throws(StoreError)
  func device(_ id: DeviceID, of account: AccountID) async throws(StoreError) -> Device
  /// The device of any account, for the ingest and the delivery.
  func device(_ id: DeviceID) async throws(StoreError) -> Device
  /// Ascending by name, then id.
  func devices(of account: AccountID) async throws(StoreError) -> [Device]
  /// The devices with a tracker id and a position, in the same order.
  func trackedDevices(of account: AccountID, limit: Int) async throws(StoreError) -> [Device]
  /// Saves name, tracker id, arming, settings, interval and passphrase.
  @discardableResult
  func save(_ device: Device, over revision: Revision, at now: Instant) async throws(StoreError) -> Device
  /// Deletes the device with its fixes, commands, events and alarms.
  func deleteDevice(_ id: DeviceID, of account: AccountID, at now: Instant) async throws(StoreError)

  func identities(of device: DeviceID) async throws(StoreError) -> [DeviceIdentity]
  func add(_ identity: DeviceIdentity, to device: DeviceID, of account: AccountID) async throws(StoreError)
  func remove(_ identity: DeviceIdentity, of account: AccountID) async throws(StoreError)

  /// Looks up an identity without making a device.
  func find(_ identity: DeviceIdentity) async throws(StoreError) -> IdentifiedDevice
  /// The device of an identity. If there is none it is made, for `identity.account` or unclaimed.
  /// - Parameter limit: the most unclaimed devices; beyond it the one that was silent longest is deleted.
  func device(
    identifiedBy identity: DeviceIdentity, makingOne made: Device, unclaimedLimit limit: Int
  ) async throws(StoreError) -> Device
  /// The unclaimed devices; those that reported last come first.
  func unclaimedDevices(limit: Int) async throws(StoreError) -> [Device]
  /// Gives an unclaimed device to an account. Its last fix becomes the first of its history.
  /// - Parameter token: the token with which the device reports from now on. Its names then belong to the
  ///   account, and reports under them need proof. If nil, anybody who knows the device's name can still
  ///   report as the device.
  /// - Throws: `.notFound` when it is not unclaimed.
  @discardableResult
  func claim(
    _ device: DeviceID, for account: AccountID, token: DeviceToken?, at now: Instant
  ) async throws(StoreError) -> Device

  func create(_ token: DeviceToken) async throws(StoreError)
  /// - Throws: `.notFound` also when it has expired or its account is disabled.
  func token(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> DeviceToken
  func touch(_ token: DeviceTokenID, at now: Instant) async throws(StoreError)
  /// Ascending by creation.
  func tokens(of account: AccountID) async throws(StoreError) -> [DeviceToken]
  func revoke(_ token: DeviceTokenID, of account: AccountID) async throws(StoreError)
}
