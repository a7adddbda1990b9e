import AlarmEngine
import Delivery
import Formats
import Store

/// Shows the notice of a zone on entry (S187-S192). It is counted and put into the outbox in the transaction
/// that records the entry.
extension WatchedDecision {
  /// How long after the entry a notice is still shown.
  private static let notedFor = TimeSpan.hours(1)

  mutating func show(_ zoneID: ZoneID, since time: Instant) {
    guard time >= now - Self.notedFor, let zone = device.zone(zoneID, at: time), let notice = zone.notice
    else { return }
    let payload = OutboxPayload.showing(notice, of: zone, on: device.record, since: time, at: now)
    let items = firstChannels(for: .notice, of: zone).filter {
      $0.kind.traits.contains(.showsNotices)
    }.map { channel in
      OutboxItem(
        account: account, channel: channel.id, alarm: nil,
        collapseKey: AlarmID(noticeOf: zoneID, on: id).description, payload: payload, createdAt: now,
        dueAt: now, expiresAt: now + Self.notedFor)
    }
    part.batch.notices.append(
      NoticeShowing(zone: zoneID, device: id, account: account, cap: notice.cap, items: items))
    part.published.insert(account)
  }

  /// Announces, without sound, that the phone is possibly in a zone. A later notification replaces it.
  mutating func tellDoubt(about zoneID: ZoneID, _ event: Event) {
    guard case .perhaps(_, let distance, let position, _) = event.kind,
      event.time >= now - Self.notedFor, let zone = device.zone(zoneID, at: event.time)
    else { return }
    let id = AlarmID(noticeOf: zoneID, on: id)
    let notice = AlarmNotice(
      alarm: id, sequence: UInt32(clamping: now.millisecondsSince1970 / 1000),
      .perhaps(.init(id: zoneID, name: zone.name.string)),
      device: .init(id: self.id, name: device.record.name),
      time: event.time, learnedAt: now, distance: distance, position: .init(coordinate: position),
      priority: zone.priority)
    let payload = Array(JSONValue.object(NoticeJSON.members(of: notice)).text.utf8)
    for channel in firstChannels(for: .perhaps, of: zone)
    where channel.kind.traits.contains(.showsNotices) {
      part.batch.outbox.append(
        OutboxItem(
          account: account, channel: channel.id, alarm: nil, collapseKey: id.description, payload: payload,
          createdAt: now, dueAt: now, expiresAt: now + Self.notedFor))
    }
    part.published.insert(account)
  }

  /// The channels of the lowest step whose rules allow what is shown on entering a zone.
  private mutating func firstChannels(for kind: NoticeKind, of zone: Zone) -> [Channel] {
    let channels = facts.channels(of: account)
    let event = ChannelRule.Event(
      kind, of: zone, on: id, at: now, offsets: ruleOffsets(for: channels, around: now))
    return channels.filter { $0.isActive && $0.rule.allows(event) }.ofLowestStep
  }
}

extension [Channel] {
  var ofLowestStep: Self {
    let first = map(\.escalationStep).min()
    return filter { $0.escalationStep == first }
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
      sequence: UInt32(clamping: now.millisecondsSince1970 / 1000),
      .notice(
        .init(
          title: notice.title.string, text: notice.text.string, link: notice.link.string,
          image: notice.image.string), of: .init(id: zone.id, name: zone.name.string)),
      device: .init(id: device.id, name: device.name), time: time, learnedAt: now, priority: zone.priority)
    return Array(JSONValue.object(NoticeJSON.members(of: value)).text.utf8)
  }
}
