/// All that the server keeps.
///
/// Each method is one transaction: complete when it returns, without effect when it throws. Methods take the
/// account whose data they use; data of another account is `.notFound`. Every implementation passes the same
/// contract suite.
public protocol ServerStore:
  AccountStore, SessionStore, DeviceStore, ZoneStore, CollectionStore, ChannelStore, MessageStore, SoundStore,
  ReminderStore, NoticeStore, MailAddressStore, TryStore, RoleStore, SettingStore, IngestStore,
  HistoryStore, DueStore, AlarmStore, OutboxStore, ChangeStore, AwakeStore, ShareStore, GroupStore,
  DeputyStore, CompanionStore, SecondFactorStore, LoginIdentityStore, PasskeyStore,
  AuditStore, PackStore, PrivacyStore, SealedStore, MaintenanceStore
{
  /// Closes the file. Every later call throws `.closed`.
  func close() async throws(StoreError)
}
