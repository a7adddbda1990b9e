import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Reminder lists (S200-S220).
enum ReminderRoutes {
  private static let telling = Schema.object([
    .needed("device_id", .id, "The phone that was near."), .needed("at", .time, ""),
    .needed("place", .text(0...4000), "The name of the nearest place."),
    .needed("distance_m", .number(0...21_000_000), "How far it was."),
  ])
  static let reminder = Schema.object(
    [
      .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
      .needed("saved_at", .time, ""),
      .needed(
        "refused", .optional(.text(1...4000)), "Reason why it is not announced; null if it is valid."
      ),
      .needed(
        "told", .list(telling, upTo: 100_000),
        "When people were last told of it by each phone that reports, the latest first."),
    ] + ReminderJSON.members)
  private static let edited = Schema.object(ReminderJSON.members)
  static let maximumReminders = 10_000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/reminders", name: "listReminders", summary: "Lists all reminders",
      handler: .account { call, signed in
        let reminders = try await call.store.reminders(of: signed.account)
        let tellings = Dictionary(
          grouping: try await call.store.reminderTellings(of: signed.account), by: \.reminder)
        return .items(reminders.map { json($0, tellings[$0.reminder.id] ?? []) })
      }, answers: [.json(.items(reminder, upTo: 100_000), "Reminders, by id.")]),
    Route(
      method: .post, path: "/api/v1/reminders", name: "createReminder", summary: "Creates a reminder",
      handler: .account { call, signed in
        try await create(call, signed, id: call.newID(ReminderID.self, for: signed, "reminders"))
      }, body: .json(edited),
      answers: [
        .json(reminder, "The reminder.", status: .created, hasETag: true),
        .json(reminder, "The reminder created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/reminders/{reminder}", name: "getReminder",
      summary: "Returns one reminder",
      handler: .account { call, signed in
        try await answer(try await call.store.reminder(try id(call), of: signed.account), call)
      }, answers: [.json(reminder, "The reminder.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/reminders/{reminder}", name: "putReminder",
      summary: "Saves an edited reminder with its state, or creates one under an id chosen by a phone",
      handler: .account(put), headers: [ZoneRoutes.ifMatch, ZoneRoutes.ifNoneMatch], body: .json(edited),
      answers: [
        .json(reminder, "Saved.", hasETag: true),
        .json(reminder, "Created.", status: .created, hasETag: true),
      ]),
    Route(
      method: .delete, path: "/api/v1/reminders/{reminder}", name: "deleteReminder",
      summary: "Deletes a reminder",
      handler: .account { call, signed in
        try await call.store.deleteReminder(
          try id(call), of: signed.account, over: try call.statedRevision(), at: call.now)
        try await call.remindersChanged(signed.account)
        return .nothing
      }, headers: [ZoneRoutes.ifMatch], answers: [.nothing("Deleted.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> ReminderID {
    ReminderID(rawValue: try call.id("reminder"))
  }

  private static func json(_ stored: StoredReminder, _ tellings: [ReminderTelling]) -> JSONValue {
    .object(
      [
        ("id", .string(stored.reminder.id.description)), ("revision", .integer(stored.revision.rawValue)),
        ("saved_at", stored.savedAt.json),
        ("refused", stored.fault.map { .string($0.message) } ?? .null),
        (
          "told",
          .array(
            tellings.map { telling in
              .object([
                ("device_id", .string("\(telling.device)")), ("at", telling.at.json),
                ("place", .string(telling.place)), ("distance_m", .number(telling.distance)),
              ])
            })
        ),
      ] + ReminderJSON.members(of: stored.reminder))
  }

  static func answer(
    _ stored: StoredReminder, _ call: Call, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let tellings = try await call.store.reminderTellings(of: stored.account, stored.reminder.id)
    return .json(
      json(stored, tellings), revision: stored.revision, status: status,
      location: status == .created ? "/api/v1/reminders/\(stored.reminder.id)" : nil)
  }

  private static func create(_ call: Call, _ signed: Signed, id: ReminderID) async throws -> Response {
    guard try await call.store.reminders(of: signed.account).count < maximumReminders else {
      throw StoreError.tooMany(allowed: maximumReminders)
    }
    let reminder = try ReminderJSON.reminder(call.json, id: id)
    let (stored, isNew) = try await call.once {
      try await call.store.save(reminder, of: signed.account, over: nil, at: call.now)
    } find: {
      try await call.store.reminder(id, of: signed.account)
    }
    try await call.remindersChanged(signed.account)
    return try await answer(stored, call, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    if call.isCreation { return try await create(call, signed, id: id) }
    let reminder = try ReminderJSON.reminder(call.json, id: id)
    let stored = try await call.store.save(
      reminder, of: signed.account, over: try call.expectedRevision(), at: call.now)
    try await call.remindersChanged(signed.account)
    return try await answer(stored, call)
  }
}
