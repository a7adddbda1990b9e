import AlarmEngine
import Formats
import Store

/// Shows the notice of a zone on entry (S187-S192). It is counted and put into the outbox in the transaction
/// that records the entry.
extension DeviceEngines {
  /// How long after the entry a notice is still shown.
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
  /// The id of a zone's notice on a device. It differs from every alarm's id and stays the same, so that a
  /// later showing replaces an earlier one.
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
      // Seconds as 32 bits: larger with each showing, until the year 2106.
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
  /// Whether the channel can show notices. OwnTracks has no message for them.
  var showsNotices: Bool {
    switch self {
    case .webPush, .ntfy, .apns, .webhook, .homeAssistant, .mail: true
    case .ownTracks: false
    }
  }
}
