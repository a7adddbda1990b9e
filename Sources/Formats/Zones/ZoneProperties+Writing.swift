import AlarmEngine
import Geometry

extension ZoneProperties {
  /// The attributes of a zone but its id, its name and its places, in a fixed order.
  static func members(of zone: Zone) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if !zone.category.isEmpty { members.append(("category", .string(zone.category.string))) }
    if !zone.active { members.append(("alarm_active", .bool(false))) }
    if !zone.vibrate { members.append(("alarm_vibrate", .bool(false))) }
    if zone.priority != 0 { members.append(("alarm_priority", .integer(Int64(zone.priority)))) }
    if let time = zone.sleepTime { members.append(("alarm_sleep_s", .number(time.seconds))) }
    if let size = zone.size { members.append(("alarm_size_m", .number(size.metres))) }
    if zone.inset != .zero { members.append(("alarm_inset_m", .number(zone.inset.metres))) }
    if zone.alertDistance != .zero {
      members.append(("alarm_distance_m", .number(zone.alertDistance.metres)))
    }
    if let time = zone.leadTime { members.append(("alarm_lead_s", .number(time.seconds))) }
    if !zone.soundName.isEmpty { members.append(("alarm_sound", .string(zone.soundName.string))) }
    func add(_ key: String, _ value: some Worded) { members.append((key, .string(value.word.string))) }
    add("alarm_outline", zone.outline.kind)
    add("alarm_edges", zone.edges)
    if zone.trigger.kind != .enter { add("alarm_trigger", zone.trigger.kind) }
    if case .dwell(let time) = zone.trigger { members.append(("alarm_dwell_s", .number(time.seconds))) }
    if zone.assurance != .normal { add("alarm_assurance", zone.assurance) }
    if let schedule = zone.schedule { members.append(("alarm_schedule", value(of: schedule))) }
    if !zone.messages.isEmpty { members.append(("alarm_messages", .array(zone.messages.map(value)))) }
    if let notice = zone.notice { members.append(("alarm_notice", value(of: notice))) }
    if !zone.unknownRows.isEmpty {
      let rows = zone.unknownRows.map { row in JSONValue.array(row.map { .string($0.string) }) }
      members.append(("alarm_pad_rows", .array(rows)))
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
