import AlarmEngine

/// Sounds of people's own.
public protocol SoundStore: Sendable {
  /// Replaces the account's sound of the same id.
  /// - Throws: `.taken` when another has its name.
  func save(_ sound: Sound, bytes: [UInt8]) async throws(StoreError)
  /// Ascending by name.
  func sounds(of account: AccountID) async throws(StoreError) -> [Sound]
  func sound(_ id: SoundID, of account: AccountID) async throws(StoreError) -> (sound: Sound, bytes: [UInt8])
  func deleteSound(_ id: SoundID, of account: AccountID, at now: Instant) async throws(StoreError)
}
