import AlarmEngine
import Geometry

/// Reads our own rows (`PADKey`).
extension PADDraft {
  mutating func takeOwn(_ row: PADRow, _ key: PADKey, _ issues: inout [PADIssue.Kind]) {
    switch key {
    case .id:
      id = PADDraft.id(row.bytes(1))
      if id == nil { issues.append(.unknownWord(key, found: row.excerpt(1))) }
    case .trigger: takeTrigger(row, &issues)
    case .assurance:
      if let chosen: Assurance = choose(row, key, &issues) { zone.assurance = chosen }
    case .edges:
      if let chosen: EdgeKind = choose(row, key, &issues) { zone.edges = chosen }
    case .outline:
      if let chosen: ZoneOutline.Kind = choose(row, key, &issues) { kind = chosen }
    case .vertex: takeVertex(row, &issues)
    case .timeZone: schedule.timeZone = row.text(1)
    case .window: schedule.takeWindow(row, &issues)
    case .offset: schedule.takeOffset(row, &issues)
    case .message:
      zone.messages.append(
        Message(
          yourMoniker: row.text(1), toMoniker: row.text(2), contactNumber: row.text(3),
          supplement: row.text(4)))
    case .noticeTitle: changeNotice { $0.title = row.text(1) }
    case .noticeText: changeNotice { $0.text = row.text(1) }
    case .noticeLink: changeNotice { $0.link = row.text(1) }
    case .noticeImage: changeNotice { $0.image = row.text(1) }
    case .noticeCap:
      let cap = TimeSpan.seconds(number(row, key, .noticeCap, &issues) ?? 0)
      changeNotice { $0.cap = cap }
    default: break  // The rows of the classic format and of numbers, which `take` reads.
    }
  }

  private mutating func changeNotice(_ change: (inout Notice) -> Void) {
    var changed = zone.notice ?? Notice(title: .empty, text: .empty)
    change(&changed)
    zone.notice = changed
  }

  private func choose<Value: Worded>(
    _ row: PADRow, _ key: PADKey, _ issues: inout [PADIssue.Kind]
  ) -> Value? {
    for value in Value.allCases where row.says(value.word, at: 1) { return value }
    issues.append(.unknownWord(key, found: row.excerpt(1)))
    return nil
  }

  private mutating func takeTrigger(_ row: PADRow, _ issues: inout [PADIssue.Kind]) {
    guard let chosen: Trigger.Kind = choose(row, .trigger, &issues) else { return }
    // Without a time it is zero: the zone rings at once rather than never.
    zone.trigger = chosen.trigger(after: .zero)
    guard chosen == .dwell || chosen.hasTime && row.fields.count > 2 else { return }
    guard let seconds = row.number(2) else {
      issues.append(.notANumber(.trigger, found: row.excerpt(2)))
      return
    }
    let allowed = RangedField.dwell.allowed
    guard allowed.contains(seconds) else {
      issues.append(.outOfRange(.trigger, found: seconds, allowed: allowed))
      return
    }
    zone.trigger = chosen.trigger(after: .seconds(seconds))
  }

  private mutating func takeVertex(_ row: PADRow, _ issues: inout [PADIssue.Kind]) {
    guard let part = row.count(1), let ring = row.count(2), part >= 1 else {
      issues.append(.incomplete(.vertex))
      locationsLost += 1
      return
    }
    guard let place = place(row, 3, &issues) else {
      locationsLost += 1
      return
    }
    vertices.append(Vertex(part: part, ring: ring, place: place))
  }

  /// Reads an id of sixteen hexadecimal digits.
  static func id(_ bytes: ArraySlice<UInt8>) -> ZoneID? {
    guard bytes.count == 16 else { return nil }
    var value: UInt64 = 0
    for byte in bytes {
      switch PADKey.lowercased(byte) {
      case let digit where digit >= 48 && digit <= 57: value = value << 4 | UInt64(digit - 48)
      case let letter where letter >= 97 && letter <= 102: value = value << 4 | UInt64(letter - 87)
      default: return nil
      }
    }
    return ZoneID(rawValue: value)
  }
}

/// Collects the rows of a schedule.
struct PADSchedule {
  var timeZone: Text?
  var windows: [Schedule.Window] = []
  var offsets: [Schedule.Offset] = []

  /// The schedule; nil if there were no such rows or no window was readable: the zone is then always on duty.
  var value: Schedule? {
    guard timeZone != nil || !windows.isEmpty || !offsets.isEmpty else { return nil }
    if windowsLost, windows.isEmpty { return nil }
    return Schedule(windows: windows, timeZone: timeZone ?? .empty, offsets: offsets)
  }
  private var windowsLost = false

  mutating func takeWindow(_ row: PADRow, _ issues: inout [PADIssue.Kind]) {
    guard let days = Schedule.Weekdays(digits: row.bytes(1)), let opens = row.count(2), opens < 1440,
      let closes = row.count(3), closes <= 1440
    else {
      issues.append(.incomplete(.window))
      windowsLost = true
      return
    }
    windows.append(Schedule.Window(weekdays: days, opens: opens, closes: closes))
  }

  mutating func takeOffset(_ row: PADRow, _ issues: inout [PADIssue.Kind]) {
    let lowest = Double(Instant.allowed.lowerBound.millisecondsSince1970)
    let highest = Double(Instant.allowed.upperBound.millisecondsSince1970)
    let allowed =
      Double(
        Schedule.Offset.allowedSeconds.lowerBound)...Double(
        Schedule.Offset.allowedSeconds.upperBound)
    guard let from = row.number(1), (lowest...highest).contains(from), let seconds = row.number(2) else {
      issues.append(.incomplete(.offset))
      return
    }
    guard allowed.contains(seconds) else {
      issues.append(.outOfRange(.offset, found: seconds, allowed: allowed))
      return
    }
    offsets.append(
      Schedule.Offset(from: Instant(millisecondsSince1970: Int64(from)), seconds: Int32(seconds)))
  }
}

extension PADRow {
  /// Reads a whole number from 0 to a million.
  func count(_ column: Int) -> Int? {
    guard let value = number(column), value >= 0, value <= 1_000_000, value == value.rounded(.down) else {
      return nil
    }
    return Int(value)
  }
}
