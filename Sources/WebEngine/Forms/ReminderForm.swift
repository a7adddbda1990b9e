import AlarmEngine
import Geometry

/// A reminder as a page keeps and edits it: `id`, `title`, `items` (`[{text, done}]`), `places`
/// (`[{name, place}]`), `radius_m`, `repeats`, `state` (`active`, `snoozed` with `until_ms`, `completed`).
enum ReminderForm {
  static func form(of reminder: Reminder) -> PageValue {
    var entries: [PageValue.Entry] = [
      .init("id", .text(Text(reminder.id.description))), .init("title", .text(reminder.title)),
      .init(
        "items",
        .list(reminder.items.map { .map([.init("text", .text($0.text)), .init("done", .bool($0.done))]) })),
      .init("places", .list(reminder.places.map { form(of: $0) })),
      .init("radius_m", .number(reminder.radius.metres)), .init("repeats", .bool(reminder.repeats)),
    ]
    switch reminder.state {
    case .active: entries.add("state", .text("active"))
    case .completed: entries.add("state", .text("completed"))
    case .snoozed(let until):
      entries.add("state", .text("snoozed"))
      entries.add("until_ms", .integer(until.millisecondsSince1970))
    }
    return .map(entries)
  }

  private static func form(of place: Reminder.Place) -> PageValue {
    .map([.init("name", .text(place.name)), .init("place", EventForm.place(place.coordinate))])
  }

  /// One line of the Nearby list: `id` of the reminder, `name`, `place`, `distance_m`.
  static func form(of near: NearbyPlace) -> PageValue {
    .map([
      .init("id", .text(Text(near.reminder.description))), .init("name", .text(near.place.name)),
      .init("place", EventForm.place(near.place.coordinate)),
      .init("distance_m", .number(near.distance.metres)),
    ])
  }

  static func nearby(_ form: PageValue) throws(Refusal) -> NearbyPlace {
    let fields = Fields(form)
    return NearbyPlace(
      reminder: ReminderID(rawValue: try fields.identifier("id")),
      place: .init(name: try fields.asked(text: "name") ?? .empty, coordinate: try fields.place("place")),
      distance: .metres(try fields.asked(number: "distance_m", 0...3e7) ?? 0))
  }

  /// Returns the form of an effect on which a page has to act; nil for the others. The list of near reminders
  /// is in every report anyway.
  static func form(of effect: ReminderList.Effect) -> PageValue? {
    switch effect {
    case .notify(let id, let place, let distance):
      .map([
        .init("effect", .text("notify")), .init("id", .text(Text(id.description))),
        .init("name", .text(place.name)),
        .init("distance_m", .number(distance.metres)),
      ])
    case .withdraw(let id):
      .map([.init("effect", .text("withdraw")), .init("id", .text(Text(id.description)))])
    case .refused(let id, _):
      .map([.init("effect", .text("refused")), .init("id", .text(Text(id.description)))])
    case .nearbyChanged, .ignored: nil
    }
  }

  static func reminder(_ form: PageValue) throws(Refusal) -> Reminder {
    let fields = Fields(form)
    var items: [Reminder.Item] = []
    for item in try fields.asked(list: "items") {
      let parts = Fields(item)
      items.append(
        .init(try parts.asked(text: "text") ?? .empty, done: try parts.asked(bool: "done") ?? false))
    }
    var places: [Reminder.Place] = []
    for place in try fields.asked(list: "places") {
      let parts = Fields(place)
      places.append(
        .init(name: try parts.asked(text: "name") ?? .empty, coordinate: try parts.place("place")))
    }
    let state: Reminder.State
    switch try fields.asked(text: "state") {
    case let word where word == nil || word == "active": state = .active
    case let word where word == "completed": state = .completed
    case let word where word == "snoozed": state = .snoozed(until: try fields.instant("until_ms"))
    default: throw .field(.init("state", .unknownWord))
    }
    let radius = try fields.asked(number: "radius_m", 0...1e7).map { Distance.metres($0) }
    let id = ReminderID(rawValue: try fields.identifier("id"))
    let title = try fields.asked(text: "title") ?? .empty
    let repeats = try fields.asked(bool: "repeats") ?? false
    do throws(ReminderError) {
      return try Reminder(
        id: id, title: title, items: items, places: places, radius: radius ?? Reminder.defaultRadius,
        repeats: repeats, state: state)
    } catch {
      throw .field(.init("radius_m", .outOfRange))
    }
  }
}
