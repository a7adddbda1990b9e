import AlarmEngine
import Delivery
import Formats
import Geometry
import Store

/// The reminders of an account as one phone meets them.
///
/// A list of the engine decides, as in the page. It is made of the stored reminders when the device is loaded,
/// and each edit of a reminder has the devices of its account loaded again, so it is never older than the store.
struct DeviceReminders: Sendable {
  var list: ReminderList
  /// Completed reminders that begin anew when the phone has left their places. The list knows one phone only,
  /// and would restart what another phone's visit has completed. So the store restarts them, for all phones.
  private let restarting: Set<ReminderID>
  /// The approximate memory that they take.
  let bytes: Int
  /// Effects of a change of the clock, which are still to be told.
  var pending: [ReminderList.Effect] = []

  init(_ stored: [StoredReminder] = [], settings: Settings = .phone) {
    var reminders: [Reminder] = []
    var restarting: Set<ReminderID> = []
    for stored in stored where stored.fault == nil && !stored.reminder.places.isEmpty {
      var reminder = stored.reminder
      if reminder.state == .completed {
        guard reminder.repeats else { continue }
        restarting.insert(reminder.id)
      }
      reminder.repeats = false
      reminders.append(reminder)
    }
    list = ReminderList(reminders, settings: settings)
    self.restarting = restarting
    bytes = reminders.reduce(0) { $0 + 400 + 100 * ($1.items.count + $1.places.count) }
  }

  var isEmpty: Bool { list.reminders.isEmpty }

  func reminder(_ id: ReminderID) -> Reminder? { list.reminders.first { $0.id == id } }

  /// The reminders that have begun anew since a former state of the list, ascending.
  func restarted(since former: ReminderList) -> [ReminderID] {
    restarting.filter { former.isNear($0) && !list.isNear($0) }.sorted()
  }
}

/// Tells people of reminders near whose places a phone is (S200-S220).
///
/// A telling, the state of the visit that forbids a second one, and the deliveries are written in one
/// transaction, which another process's change of the device or an edit of a reminder undoes (see
/// `IngestBatch.versions`).
extension WatchedDecision {
  /// How long after it a telling is still delivered.
  private static let remindedFor = TimeSpan.hours(1)
  /// A position that came later than this may be one of a queue that a phone sends one by one. The next one
  /// may show that the visit is over, so the telling waits, and that withdraws it.
  private static let mayBeOfQueue = TimeSpan.minutes(2)

  /// Restores what the phone was near, and withdraws what was deleted or completed since.
  mutating func reviveReminders(_ snapshot: DeviceSnapshot?) {
    // Bytes that cannot be read begin a new visit: a reminder told twice is better than one never told.
    let gone = snapshot.flatMap { try? device.reminders.list.restore($0.reminders) } ?? []
    if !gone.isEmpty { part.stored.insert(id) }
    tell(gone.map { .withdraw($0) })
  }

  /// Judges the reminders of a device that was loaded by its last position. The list has no position if it had
  /// no reminder or the device was disarmed; otherwise it has this one already.
  mutating func judgeRevivedReminders() {
    step(device.record.lastFix.map { [.fix($0)] } ?? [])
  }

  /// Gives the reminders the positions of a report. Only the last state counts: a visit that is over within
  /// the report is not told.
  mutating func remind(_ fixes: [Fix]) {
    let fixes = fixes.sorted { $0.measuredAt < $1.measuredAt }
    let isOld = fixes.last.map { now - $0.measuredAt > Self.mayBeOfQueue } ?? false
    step(fixes.map { .fix($0) }, after: isOld ? AlarmRecord.waitsWhenLate : .zero)
  }

  /// Lets time pass for the reminders, so that snoozes end.
  mutating func remindOfTime() { step([]) }

  private mutating func step(_ inputs: [ReminderList.Input], after wait: TimeSpan = .zero) {
    guard device.record.isArmed, !device.reminders.isEmpty else { return }
    let former = device.reminders.list
    var effects = device.reminders.pending
    device.reminders.pending = []
    for input in [.advance(to: now)] + inputs { effects += device.reminders.list.step(input) }
    // Time alone changes nothing that has to be kept.
    if effects.contains(where: { if case .ignored = $0 { false } else { true } }) { part.stored.insert(id) }
    part.batch.restarted += device.reminders.restarted(since: former).map {
      ReminderRestart(id: $0, account: account)
    }
    tell(effects, after: wait)
  }

  /// Tells people what a step has led to: of each reminder the last effect, and nothing if it begins and ends
  /// in the same step.
  private mutating func tell(_ effects: [ReminderList.Effect], after wait: TimeSpan = .zero) {
    var ends: [ReminderID: (first: ReminderList.Effect, last: ReminderList.Effect)] = [:]
    for effect in effects {
      switch effect {
      case .notify(let id, _, _), .withdraw(let id): ends[id] = (ends[id]?.first ?? effect, effect)
      case .nearbyChanged, .ignored, .refused: break
      }
    }
    guard !ends.isEmpty else { return }
    let channels = facts.channels(of: account).filter {
      $0.isActive && $0.kind.traits.contains(.showsNotices)
    }
    let event = ChannelRule.Event(
      .reminder, of: id, during: now...now, offsets: ruleOffsets(for: channels, around: now))
    let first = channels.filter { $0.rule.allows(event) }.ofLowestStep
    // Which channels were told is not stored. With rules, it may have been others than would be told now.
    let told = channels.allSatisfy(\.rule.isEverything) ? first : channels
    for (_, effect) in ends.sorted(by: { $0.key < $1.key }) {
      switch (effect.first, effect.last) {
      case (_, .notify(let id, let place, let distance)):
        guard let reminder = device.reminders.reminder(id), !first.isEmpty else { continue }
        let payload = OutboxPayload.reminding(
          of: reminder, at: place, distance.metres, on: device.record, at: now)
        part.batch.reminded.append(
          ReminderTelling(
            reminder: id, account: account, device: self.id, at: now, place: place.name.string,
            distance: distance.metres, items: items(for: first, id, payload, after: wait)))
      case (.withdraw, .withdraw(let id)):
        let payload = OutboxPayload.withdrawing(id, device.reminders.reminder(id)?.state, at: now)
        part.batch.outbox += items(for: told, id, payload)
      default: continue
      }
      part.published.insert(account)
    }
  }

  private func items(
    for channels: [Channel], _ reminder: ReminderID, _ payload: [UInt8], after wait: TimeSpan = .zero
  ) -> [OutboxItem] {
    channels.map {
      OutboxItem(
        account: account, channel: $0.id, alarm: nil,
        collapseKey: AlarmNotice.collapseKey(of: reminder), payload: payload, createdAt: now,
        dueAt: now + wait, expiresAt: now + Self.remindedFor)
    }
  }
}

extension OutboxPayload {
  /// The most items of a list in one message, and the most bytes of each.
  private static let itemsAtMost = 50
  private static let itemBytes = 200

  /// The message that tells of a reminder: its title, the place with the distance, and the items to do.
  static func reminding(
    of reminder: Reminder, at place: Reminder.Place, _ metres: Double, on device: Device, at now: Instant
  ) -> [UInt8] {
    let open = reminder.items.filter { !$0.done && !$0.text.isEmpty }.map {
      $0.text.string.excerpt(itemBytes)
    }
    var items = Array(open.prefix(itemsAtMost))
    if open.count > items.count { items.append("and \(open.count - items.count) more") }
    let name = place.name.string.excerpt(itemBytes)
    let away = "\(Int(metres.rounded())) m away"
    let lines = [name.isEmpty ? away : "\(name), \(away)"] + items
    let title = reminder.title.isEmpty ? (name.isEmpty ? "Reminder" : name) : reminder.title.string
    let value = AlarmNotice(
      alarm: AlarmID(rawValue: reminder.id.rawValue), sequence: sequence(at: now),
      .reminder(.init(title: title, text: lines.joined(separator: "\n"))),
      device: .init(id: device.id, name: device.name), time: now, learnedAt: now,
      distance: .metres(metres), position: .init(coordinate: place.coordinate), messages: items)
    return Array(JSONValue.object(NoticeJSON.members(of: value)).text.utf8)
  }

  static func withdrawing(_ reminder: ReminderID, _ state: Reminder.State?, at now: Instant) -> [UInt8] {
    let reason: AlarmWithdrawal.Reason = if case .snoozed? = state { .slept } else { .cleared }
    let value = AlarmWithdrawal(
      alarm: AlarmID(rawValue: reminder.rawValue), sequence: sequence(at: now), reason: reason,
      isOfReminder: true)
    return Array(JSONValue.object(NoticeJSON.members(of: value)).text.utf8)
  }

  /// Seconds as 32 bits: larger with each telling, until the year 2106.
  private static func sequence(at now: Instant) -> UInt32 {
    UInt32(clamping: now.millisecondsSince1970 / 1000)
  }
}
