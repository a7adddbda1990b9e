import AlarmEngine
import Geometry

extension ZoneProperties {
  /// Returns the attributes of a zone except its id, name and places, in a fixed order.
  package static func members(of zone: ZoneDraft) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    func add(_ member: ZoneMember, _ value: JSONValue) { members.append((Self.name(member), value)) }
    if !zone.category.isEmpty { add(.category, .string(zone.category.string)) }
    if !zone.active { add(.active, .bool(false)) }
    if !zone.vibrate { add(.vibrate, .bool(false)) }
    for member in ZoneMember.allCases where member != .dwell {
      guard let field = member.number, let number = zone[field], number != field.byDefault else { continue }
      add(member, field.unit == .wholeNumber ? .integer(Int64(number)) : .number(number))
    }
    if !zone.soundName.isEmpty { add(.soundName, .string(zone.soundName.string)) }
    func add(_ member: ZoneMember, _ value: some Worded) { add(member, .string(value.word.string)) }
    add(.outline, zone.outline.kind)
    add(.edges, zone.edges)
    if zone.trigger.kind != .enter { add(.trigger, zone.trigger.kind) }
    if let time = zone.trigger.time { add(.dwell, .number(time.seconds)) }
    if zone.assurance != .normal { add(.assurance, zone.assurance) }
    if let schedule = zone.schedule { add(.schedule, value(of: schedule)) }
    if !zone.messages.isEmpty { add(.messages, .array(zone.messages.map(value))) }
    if let notice = zone.notice { add(.notice, value(of: notice)) }
    if !zone.unknownRows.isEmpty {
      let rows = zone.unknownRows.map { row in JSONValue.array(row.map { .string($0.string) }) }
      add(.unknownRows, .array(rows))
    }
    return members
  }

  private static func value(of schedule: Schedule) -> JSONValue {
    .object([
      ("time_zone", .string(schedule.timeZone.string)),
      (
        "windows",
        .array(
          schedule.windows.map { window in
            let days = window.weekdays.numbers.map(String.init).joined()
            return .object([
              ("days", .string(days)), ("opens", .integer(Int64(window.opens))),
              ("closes", .integer(Int64(window.closes))),
            ])
          })
      ),
      (
        "offsets",
        .array(
          schedule.offsets.map { offset in
            .array([.integer(offset.from.millisecondsSince1970), .integer(Int64(offset.seconds))])
          })
      ),
    ])
  }

  private static func value(of message: Message) -> JSONValue {
    .object([
      ("your_moniker", .string(message.yourMoniker.string)),
      ("to_moniker", .string(message.toMoniker.string)),
      ("contact_number", .string(message.contactNumber.string)),
      ("supplement", .string(message.supplement.string)),
    ])
  }

  private static func value(of notice: Notice) -> JSONValue {
    .object([
      ("title", .string(notice.title.string)), ("text", .string(notice.text.string)),
      ("link", .string(notice.link.string)), ("image", .string(notice.image.string)),
      ("cap_s", .number(notice.cap.seconds)),
    ])
  }
}
