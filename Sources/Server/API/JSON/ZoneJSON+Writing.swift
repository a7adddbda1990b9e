import AlarmEngine
import Formats
import Geometry

extension ZoneJSON {
  /// All members of `ZoneJSON.members`, in their order, none left out.
  static func members(of zone: ZoneDraft) -> [(String, JSONValue)] {
    let first: [(ZoneMember, JSONValue)] = [
      (.name, .string(zone.name.string)), (.category, .string(zone.category.string)),
      (.active, .bool(zone.active)), (.vibrate, .bool(zone.vibrate)),
    ]
    let numbers = RangedField.ofZone.map { field in
      let isWhole = field.unit == .wholeNumber
      let number = zone[field].map { isWhole ? JSONValue.integer(Int64($0)) : .number($0) }
      return (field.name.string, number ?? .null)
    }
    let others: [(ZoneMember, JSONValue)] = [
      (.soundName, .string(zone.soundName.string)), (.outline, json(zone.outline)),
      (.edges, .string(zone.edges.word.string)), (.trigger, json(zone.trigger)),
      (.schedule, zone.schedule.map(json) ?? .null), (.assurance, .string(zone.assurance.word.string)),
      (.messages, .array(zone.messages.map(json))), (.notice, zone.notice.map(json) ?? .null),
      (
        .unknownRows,
        .array(zone.unknownRows.map { row in .array(row.map { .string($0.string) }) })
      ),
    ]
    return first.map { ($0.word.string, $1) } + numbers + others.map { ($0.word.string, $1) }
  }

  static func json(_ zone: ZoneDraft) -> JSONValue { .object(members(of: zone)) }

  static func json(_ place: Coordinate) -> JSONValue {
    .object([
      ("latitude", .number(place.latitude.degrees)), ("longitude", .number(place.longitude.degrees)),
    ])
  }

  private static func json(_ outline: ZoneOutline) -> JSONValue {
    func list(_ places: [Coordinate]) -> JSONValue { .array(places.map { json($0) }) }
    switch outline {
    case .locations(let places), .path(let places):
      return .object([("kind", .string(outline.kind.word.string)), ("places", list(places))])
    case .area(let polygon):
      let parts = polygon.parts.map { part in
        JSONValue.object([
          ("outer", list(part.outer.vertices)), ("holes", .array(part.holes.map { list($0.vertices) })),
        ])
      }
      return .object([("kind", .string("area")), ("parts", .array(parts))])
    }
  }

  private static func json(_ trigger: Trigger) -> JSONValue {
    switch trigger {
    case .enter(let passingCounts):
      .object([("kind", .string("enter")), ("passing_counts", .bool(passingCounts))])
    case .leave(after: .zero): .object([("kind", .string("leave"))])
    case .enterAndLeave(let passingCounts, let time):
      .object(
        [("kind", .string("enter_leave")), ("passing_counts", .bool(passingCounts))]
          + (time == .zero ? [] : [("dwell_s", .number(time.seconds))]))
    case .leave(let time), .dwell(let time):
      .object([("kind", .string(trigger.kind.word.string)), ("dwell_s", .number(time.seconds))])
    }
  }

  static func json(_ window: Schedule.Window) -> JSONValue {
    .object([
      ("weekdays", .array(window.weekdays.numbers.map { .integer(Int64($0)) })),
      ("opens_min", .integer(Int64(window.opens))), ("closes_min", .integer(Int64(window.closes))),
    ])
  }

  private static func json(_ schedule: Schedule) -> JSONValue {
    let windows = schedule.windows.map { json($0) }
    let offsets = schedule.offsets.map { offset in
      JSONValue.object([("from", offset.from.json), ("utc_offset_s", .integer(Int64(offset.seconds)))])
    }
    return .object([
      ("time_zone", .string(schedule.timeZone.string)), ("windows", .array(windows)),
      ("offsets", .array(offsets)),
    ])
  }

  private static func json(_ message: Message) -> JSONValue {
    .object([
      ("your_moniker", .string(message.yourMoniker.string)),
      ("to_moniker", .string(message.toMoniker.string)),
      ("contact_number", .string(message.contactNumber.string)),
      ("supplement", .string(message.supplement.string)),
    ])
  }

  private static func json(_ notice: Notice) -> JSONValue {
    .object([
      ("title", .string(notice.title.string)), ("text", .string(notice.text.string)),
      ("link", .string(notice.link.string)), ("image", .string(notice.image.string)),
      ("cap_s", .number(notice.cap.seconds)),
    ])
  }
}
