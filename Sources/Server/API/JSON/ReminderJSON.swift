import AlarmEngine
import AlarmService
import Formats
import Geometry

/// Reminders in the API's format (S200-S220).
enum ReminderJSON {
  static let members: [Schema.Member] = [
    .needed("title", .text(0...200), ""),
    .allowed(
      "items",
      .list(
        .object([
          .needed("text", .text(0...500), ""), .allowed("done", .boolean, "False if left out."),
        ]), upTo: 500), "The shopping list."),
    .allowed(
      "places",
      .list(
        .object([
          .needed("name", .text(0...200), ""), .needed("latitude", .number(-90...90), "Degrees north."),
          .needed("longitude", .number(-180...180), "Degrees east."),
        ]), upTo: 200), "The reminder is announced at any of these places."),
    .allowed(
      "radius_m", .number(.reminderRadius), "Distance from a place at which it is announced; 150 if left out."
    ),
    .allowed("repeats", .boolean, "True if it becomes active again after a visit on which it was completed."),
    .allowed(
      "state",
      .variants(
        tag: "kind",
        [
          .init(word: "active", members: []),
          .init(
            word: "snoozed", members: [.needed("until", .time, "Time at which it becomes active again.")]),
          .init(word: "completed", members: []),
        ]), "Active, if left out."),
  ]

  static func reminder(_ value: JSONValue, id: ReminderID) throws(Problem) -> Reminder {
    let places = (value["places"]?.list ?? []).map { place in
      Reminder.Place(name: Text(place["name"]?.string ?? ""), coordinate: ZoneJSON.coordinate(place))
    }
    let items = (value["items"]?.list ?? []).map { item in
      Reminder.Item(Text(item["text"]?.string ?? ""), done: item["done"]?.flag ?? false)
    }
    let radius = value["radius_m"]?.double.map { Distance.metres($0) } ?? Reminder.defaultRadius
    do {
      return try Reminder(
        id: id, title: Text(value["title"]?.string ?? ""), items: items, places: places, radius: radius,
        repeats: value["repeats"]?.flag ?? false, state: state(value["state"]))
    } catch {
      throw .invalid("/radius_m", FieldError.reminder(error).message)
    }
  }

  private static func state(_ value: JSONValue?) -> Reminder.State {
    switch value?["kind"]?.string {
    case "snoozed":
      value?["until"]?.string.flatMap(RFC3339.instant(from:)).map { .snoozed(until: $0) } ?? .active
    case "completed": .completed
    default: .active
    }
  }

  static func members(of reminder: Reminder) -> [(String, JSONValue)] {
    [
      ("title", .string(reminder.title.string)),
      (
        "items",
        .array(
          reminder.items.map { item in
            .object([("text", .string(item.text.string)), ("done", .bool(item.done))])
          })
      ),
      (
        "places",
        .array(
          reminder.places.map { place in
            .object([
              ("name", .string(place.name.string)),
              ("latitude", .number(place.coordinate.latitude.degrees)),
              ("longitude", .number(place.coordinate.longitude.degrees)),
            ])
          })
      ), ("radius_m", .number(reminder.radius.metres)), ("repeats", .bool(reminder.repeats)),
      ("state", json(reminder.state)),
    ]
  }

  private static func json(_ state: Reminder.State) -> JSONValue {
    switch state {
    case .active: .object([("kind", .string("active"))])
    case .snoozed(let until): .object([("kind", .string("snoozed")), ("until", until.json)])
    case .completed: .object([("kind", .string("completed"))])
    }
  }
}
