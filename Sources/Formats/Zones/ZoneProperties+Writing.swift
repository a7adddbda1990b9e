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
    switch zone.outline {
    case .locations: members.append(("alarm_outline", .string("locations")))
    case .path: members.append(("alarm_outline", .string("path")))
    case .area: members.append(("alarm_outline", .string("area")))
    }
    members.append(("alarm_edges", .string(zone.edges == .geodesic ? "geodesic" : "lonlat")))
    switch zone.trigger {
    case .enter(passingCounts: true): break
    case .enter(passingCounts: false): members.append(("alarm_trigger", .string("inside")))
    case .leave: members.append(("alarm_trigger", .string("leave")))
    case .dwell(let time):
      members.append(("alarm_trigger", .string("dwell")))
      members.append(("alarm_dwell_s", .number(time.seconds)))
    }
    switch zone.assurance {
    case .normal: break
    case .safety: members.append(("alarm_assurance", .string("safety")))
    case .relaxed: members.append(("alarm_assurance", .string("relaxed")))
    }
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
            let days = (1...7).filter { window.weekdays.rawValue & 1 << UInt8($0 - 1) != 0 }.map(String.init)
              .joined()
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
