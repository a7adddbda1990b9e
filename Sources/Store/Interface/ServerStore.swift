/// All that the server keeps.
///
/// One method is one transaction: done wholly when it returns, not at all when it throws. Whatever belongs to
/// somebody is asked for with the account; what is another's is `.notFound`. Every form passes the same contract
/// suite.
public protocol ServerStore:
  AccountStore, SessionStore, DeviceStore, ZoneStore, CollectionStore, ChannelStore, MessageStore, SoundStore,
  ReminderStore, NoticeStore, MailAddressStore, SettingStore, IngestStore, DueStore, AlarmStore, OutboxStore,
  ChangeStore,
  MaintenanceStore
{
  /// Lets go of the file; every call from then on throws `.closed`.
  func close() async throws(StoreError)
}
