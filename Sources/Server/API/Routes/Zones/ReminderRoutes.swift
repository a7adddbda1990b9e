import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Reminder lists (S200-S220).
enum ReminderRoutes {
  private static let reminder = Schema.object(
    [
      .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
      .needed("saved_at", .time, ""),
      .needed(
        "refused", .optional(.text(1...4000)), "Reason why it is not announced; null if it is valid."
      ),
    ] + ReminderJSON.members)
  private static let edited = Schema.object(ReminderJSON.members)
  static let maximumReminders = 10_000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/reminders", name: "listReminders", summary: "Lists all reminders",
      handler: .account { call, signed in
        let reminders = try await call.store.reminders(of: signed.account)
        return .items(reminders.map(json))
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
        answer(try await call.store.reminder(try id(call), of: signed.account))
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
        call.parts.hub.publish(signed.account)
        return .nothing
      }, headers: [ZoneRoutes.ifMatch], answers: [.nothing("Deleted.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> ReminderID {
    ReminderID(rawValue: try call.id("reminder"))
  }

  private static func json(_ stored: StoredReminder) -> JSONValue {
    .object(
      [
        ("id", .string(stored.reminder.id.description)), ("revision", .integer(stored.revision.rawValue)),
        ("saved_at", stored.savedAt.json),
        ("refused", stored.fault.map { .string($0.message) } ?? .null),
      ] + ReminderJSON.members(of: stored.reminder))
  }

  private static func answer(_ stored: StoredReminder, status: HTTPResponse.Status = .ok) -> Response {
    .json(
      json(stored), revision: stored.revision, status: status,
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
    call.parts.hub.publish(signed.account)
    return answer(stored, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    if call.isCreation { return try await create(call, signed, id: id) }
    let reminder = try ReminderJSON.reminder(call.json, id: id)
    let stored = try await call.store.save(
      reminder, of: signed.account, over: try call.expectedRevision(), at: call.now)
    call.parts.hub.publish(signed.account)
    return answer(stored)
  }
}
