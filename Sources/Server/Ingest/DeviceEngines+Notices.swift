import AlarmEngine
import Formats
import Store

/// What zones show on entry (S187-S192): counted and put into the outbox in the transaction that knows of the entry.
extension DeviceEngines {
  /// What was entered longer ago is no news.
  private static let notedFor = TimeSpan.hours(1)

  func show(
    _ id: ZoneID, since time: Instant, of account: AccountID, _ engine: DeviceEngine,
    _ transaction: inout IngestTransaction
  ) async throws {
    let now = transaction.now
    guard time >= now - Self.notedFor, let zone = engine.zone(id, at: time), let notice = zone.notice else {
      return
    }
    let channels = try await channels(of: account, &transaction).filter { $0.takes(engine.id) }
    let first = channels.map(\.escalationStep).min()
    let payload = OutboxPayload.showing(notice, of: zone, on: engine.device, since: time, at: now)
    let items = channels.filter { $0.escalationStep == first && $0.kind.showsNotices }.map { channel in
      OutboxItem(
        account: account, channel: channel.id, alarm: nil,
        collapseKey: AlarmID(noticeOf: id, on: engine.id).description, payload: payload, createdAt: now,
        dueAt: now, expiresAt: now + Self.notedFor)
    }
    transaction.batch.notices.append(
      NoticeShowing(zone: id, device: engine.id, account: account, cap: notice.cap, items: items))
    transaction.published.insert(account)
  }
}

extension AlarmID {
  /// Under which a zone's notice is known on a device: never an alarm's, and always the same, so that a later showing
  /// takes the place of an earlier one.
  init(noticeOf zone: ZoneID, on device: DeviceID) {
    self.init(
      device: device, zone: ZoneID(rawValue: zone.rawValue.byteSwapped ^ .max),
      began: Instant(millisecondsSince1970: 0))
  }
}

extension OutboxPayload {
  static func showing(
    _ notice: Notice, of zone: Zone, on device: Device, since time: Instant, at now: Instant
  ) -> [UInt8] {
    let value = AlarmNotice(
      alarm: AlarmID(noticeOf: zone.id, on: device.id),
      // Rises from showing to showing, until the year 2106.
      sequence: UInt32(clamping: now.millisecondsSince1970 / 1000), kind: .notice,
      zone: .init(id: zone.id, name: zone.name.string), device: .init(id: device.id, name: device.name),
      time: time, learnedAt: now, priority: zone.priority,
      content: .init(
        title: notice.title.string, text: notice.text.string, link: notice.link.string,
        image: notice.image.string))
    return Array(JSONValue.object(NoticeJSON.members(of: value)).text.utf8)
  }
}

extension ChannelKind {
  /// OwnTracks has only words of its own.
  var showsNotices: Bool {
    switch self {
    case .webPush, .ntfy, .apns, .webhook, .homeAssistant, .mail: true
    case .ownTracks: false
    }
  }
}
