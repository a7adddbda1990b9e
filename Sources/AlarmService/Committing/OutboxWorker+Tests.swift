import AlarmEngine
import Delivery
import Formats
import Logging
import Store

/// Tests of channels, and the notifications about failed ones.
extension OutboxWorker {
  /// A test that has not arrived after this time has failed.
  private static let testHorizon = TimeSpan.hours(1)

  package static func dailyTest(of channel: Store.Channel, at now: Instant) -> OutboxItem {
    item(
      for: channel,
      .test(.init(title: "Daily test", text: "Alarms arrive here. There is nothing to do.")), key: "test",
      at: now)
  }

  /// Records the outcome of a test, and notifies the account's other channels if it failed.
  func tested(
    _ channel: Store.Channel, failure: String?, at now: Instant
  ) async throws(StoreError) {
    try await store.record(ChannelTest(at: now, failure: failure), of: channel.id)
    hub.publish(channel.account)
    guard let failure else { return }
    logger.notice("a daily test did not arrive", metadata: ["channel": "\(channel.id)"])
    let name = channel.name.isEmpty ? channel.kind.rawValue : channel.name.excerpt(100)
    let words = AlarmNotice.Content(
      title: "\(name): the daily test did not arrive",
      text: "Alarms do not arrive there either, until this is mended: \(failure)")
    let others = try await store.channels(of: channel.account).filter { $0.isActive && $0.id != channel.id }
    try await store.enqueue(
      others.map { Self.item(for: $0, .notice(words, of: nil), key: "test of \(channel.id)", at: now) })
    wakes.deliver()
  }

  private static func item(
    for channel: Store.Channel, _ message: AlarmNotice.Message, key: String, at now: Instant
  ) -> OutboxItem {
    let notice = AlarmNotice(
      alarm: .random(), sequence: 0, message, device: .init(id: .random(), name: ""), time: now,
      learnedAt: now)
    return OutboxItem(
      account: channel.account, channel: channel.id, alarm: nil, collapseKey: key,
      payload: Array(JSONValue.object(NoticeJSON.members(of: notice)).text.utf8), createdAt: now, dueAt: now,
      expiresAt: now + (notice.kind == .test ? testHorizon : .hours(24)))
  }
}
