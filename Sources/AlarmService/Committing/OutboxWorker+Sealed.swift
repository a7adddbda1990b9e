import AlarmEngine
import Delivery
import Formats
import Store

/// Notifies a person that a sealed message waits.
extension OutboxWorker {
  private static let sealedHorizon = TimeSpan.hours(24)

  /// Sends a notification through each channel that shows one at once. It contains neither the message nor
  /// its sender: the browser that has the key fetches and decrypts it.
  package func tellOfSealed(_ account: AccountID, at now: Instant) async throws(StoreError) {
    let channels = try await store.channels(of: account).filter {
      $0.isActive && $0.kind.traits.contains(.showsAtOnce)
    }
    guard !channels.isEmpty else { return }
    let words = AlarmNotice.Content(
      title: "A sealed message has come", text: "Open Proximity Alarm: only there it can be read.")
    try await store.enqueue(
      channels.map { channel in
        let notice = AlarmNotice(
          alarm: .random(), sequence: 0, .notice(words, of: nil), device: .init(id: .random(), name: ""),
          time: now, learnedAt: now)
        return OutboxItem(
          account: account, channel: channel.id, alarm: nil, collapseKey: "sealed",
          payload: Array(JSONValue.object(NoticeJSON.members(of: notice)).text.utf8), createdAt: now,
          dueAt: now, expiresAt: now + Self.sealedHorizon)
      })
    wakes.deliver()
  }
}
