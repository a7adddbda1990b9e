import AlarmEngine
import Geometry
import Store

/// The status that phones report, and the alarms about it. A low battery rings once for each discharge, the
/// SOS button until a person acknowledges it, and unreadable messages until one can be read.
extension WatchedDecision {
  /// The rise above the low level from which a battery counts as charged.
  private static let recovery = 0.05
  /// An SOS button pressed longer ago makes no alarm.
  private static let latestDistress = TimeSpan.hours(24)

  mutating func notePhone(_ report: DeviceReport) {
    let before = device.record.status
    device.record.status.take(report, by: now)
    var recorder = recorder(device.open)
    noteBattery(&recorder)
    noteDistress(report.told.sorted { $0.at < $1.at }, &recorder)
    noteUnread(report, &recorder)
    if device.record.status.isNews(after: before) {
      part.batch.statuses[id] = device.record.status
      part.moved[id] = account
      part.published.insert(account)
    }
    if !recorder.changed.isEmpty {
      finish(recorder)
      part.stored.insert(id)
    }
  }

  private mutating func noteBattery(_ recorder: inout AlarmRecorder) {
    let status = device.record.status
    guard let level = status.battery else { return }
    // The setting cannot be higher, so most reports need not read it.
    let couldBeLow = level <= DeviceSettings.highestLowBattery / 100
    guard couldBeLow || status.lowBatterySince != nil else { return }
    // The level, from 0 to 1, at which the battery counts as low; 0 never rings.
    let low = DeviceSettings.lowBattery([facts.settings(of: account), device.record.settings])
    if status.isCharging == true || level >= low + Self.recovery || low <= 0 {
      device.record.status.lowBatterySince = nil
      recorder.end { $0.isLowBattery }
    } else if level <= low, status.lowBatterySince == nil, device.record.isArmed {
      let began = status.toldAt ?? now
      device.record.status.lowBatterySince = began
      recorder.lowBattery(level, at: began)
    }
  }

  /// Rings whether or not the device is armed: a person who presses the button needs help.
  private mutating func noteDistress(_ told: [PhoneTold], _ recorder: inout AlarmRecorder) {
    for press in told where press.isDistress {
      let at = min(press.at, now)
      guard at > now - Self.latestDistress else { continue }
      let open = recorder.alarms.values.filter { $0.isDistress && $0.isOpen }
      // Some buttons are reported with each position until they are released.
      if open.contains(where: { $0.awaitsAnswer || at <= $0.answeredAt ?? .allowed.upperBound }) {
        continue
      }
      // A position that was sent again makes no new alarm.
      if facts.alarm(recorder.distressID(at: at)) != nil { continue }
      recorder.end { $0.isDistress }
      recorder.distress(at: at, press.position)
    }
    guard let last = told.last, !last.isDistress else { return }
    recorder.end { alarm in
      alarm.isDistress && alarm.isAcknowledged && alarm.answeredAt.map { last.at > $0 } ?? false
    }
  }

  /// Makes one alarm for as long as the messages cannot be read. It begins once the device is armed.
  private func noteUnread(_ report: DeviceReport, _ recorder: inout AlarmRecorder) {
    if let unread = device.record.status.unread {
      let isUnread = report.unread != nil || report.malformed != nil
      let rings = recorder.alarms.values.contains { $0.isUnreadable && $0.isOpen }
      if isUnread, recorder.device.isArmed, !rings { recorder.unreadable(unread) }
    } else if report.isHeard {
      recorder.end { $0.isUnreadable }
    }
  }
}
