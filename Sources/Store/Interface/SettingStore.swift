import AlarmEngine

/// The settings of accounts, and the server's own values.
public protocol SettingStore: Sendable {
  /// `{}` at revision 0 when nothing was saved.
  func settings(of account: AccountID) async throws(StoreError) -> AccountSettings
  @discardableResult
  func saveSettings(
    _ json: String, of account: AccountID, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> AccountSettings

  /// The server's own value of that name: a signing key, for instance. When there is none, `standard` is stored and
  /// returned, so that all processes have the same.
  func serverValue(_ name: String, orElse standard: [UInt8]) async throws(StoreError) -> [UInt8]
  func setServerValue(_ name: String, to value: [UInt8]) async throws(StoreError)
}
