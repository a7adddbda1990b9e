import AlarmEngine

extension PageEngine {
  mutating func remind(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let command = try Self.reminderCommand(fields)
    _ = try opened()
    let change = timeline!.advance(to: now)
    let effects = reminders.step(.command(command, at: now))
    return report(change, effects: effects, at: now)
  }

  private static func reminderCommand(_ fields: Fields) throws(Refusal) -> ReminderList.Command {
    guard let word = try fields.asked(text: "command") else { throw .field(.init("command", .missing)) }
    func reminder() throws(Refusal) -> Reminder {
      guard let form = fields.present("reminder") else { throw .field(.init("reminder", .missing)) }
      return try ReminderForm.reminder(form)
    }
    if word == "add" { return .add(try reminder()) }
    if word == "edit" { return .edit(try reminder()) }
    let id = ReminderID(rawValue: try fields.identifier("id"))
    if word == "remove" { return .remove(id) }
    if word == "complete" { return .complete(id) }
    if word == "restart" { return .restart(id) }
    if word == "snooze" { return .snooze(id, until: try fields.instant("until_ms")) }
    if word == "toggle" {
      guard let index = try fields.asked(number: "index", 0...1e6) else {
        throw .field(.init("index", .missing))
      }
      return .toggleItem(id, index: Int(index))
    }
    throw .field(.init("command", .unknownWord))
  }

  /// When a reminder that is put off by a `choice` comes back: `30m`, `1h`, `3h`, `tomorrow` (9:00), `1w`.
  func snoozeUntil(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let choice: ReminderSnooze
    switch try fields.asked(text: "choice") {
    case let word where word == "30m": choice = .halfAnHour
    case let word where word == "1h": choice = .oneHour
    case let word where word == "3h": choice = .threeHours
    case let word where word == "tomorrow": choice = .tomorrowMorning
    case let word where word == "1w": choice = .oneWeek
    default: throw .field(.init("choice", .unknownWord))
    }
    var offsets: [Schedule.Offset] = []
    for offset in try fields.asked(list: "offsets") {
      guard let pair = offset.list, pair.count == 2, let from = pair[0].integer, let seconds = pair[1].integer
      else {
        throw .field(.init("offsets", .wrongKind))
      }
      do {
        offsets.append(
          try Schedule.Offset(
            from: Instant(millisecondsSince1970: from), checkingSeconds: Int(clamping: seconds)))
      } catch { throw .field(.init("offsets", .outOfRange)) }
    }
    return .map([.init("until_ms", .integer(choice.until(from: now, offsets: offsets).millisecondsSince1970))]
    )
  }
}
