import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Synchronizes phones and pages: the changes since a cursor, and edits made while offline (S167).
enum SyncRoutes {
  private static let time = Schema.object([
    .needed("time", .time, "Time of a hybrid logical clock."),
    .needed("counter", .integer(0...4_294_967_295), ""),
    .needed("node", .id, "Node that made the edit."),
  ])
  private static let record = Schema.object([
    .needed("id", .id, ""),
    .needed(
      "fields",
      .list(
        .object([
          .needed("field", .integer(0...255), "Number of the field."),
          .needed("value", .base64URL(0...1_400_000), "Bytes of the value."),
          .needed("edited_at", time, "Time of the edit; the later of two values counts."),
        ]), upTo: 256), "Fields, each at most once."), .needed("deleted_at", .optional(time), ""),
  ])
  private static let maximumRecords = 1000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/sync", name: "pull", summary: "Lists the changes since a cursor",
      handler: .account(pull),
      query: [
        .init(
          name: "after", schema: .integer(0...Int64.max),
          meaning: "Cursor to start after; all changes for 0 or if left out."),
        .init(
          name: "limit", schema: .integer(1...500), meaning: "Maximum number of changes; 200 if left out."),
        .init(
          name: "epoch", schema: .text(1...40),
          meaning:
            "`epoch` of the answer that `after` is from. It lets the server detect that an older backup was restored. "
            + "In that case, or if changes after `after` are no longer stored, the answer is 410, and the client "
            + "starts again at 0 and sends all its own records."),
      ],
      answers: [
        .json(
          .object([
            .needed(
              "changes",
              .list(
                .object([
                  .needed("cursor", .integer(0...Int64.max), ""),
                  .needed("kind", .words(ChangeEntry.Kind.allCases.map(\.name)), ""), .needed("id", .id, ""),
                  .needed("is_deleted", .boolean, ""), .needed("changed_at", .time, ""),
                  .needed(
                    "record", .optional(record), "Fields of a zone or reminder with their edits, else null."),
                ]), upTo: 500), "Changes, each object once at its last change."),
            .needed("next", .integer(0...Int64.max), "Value of `after` for the next page."),
            .needed("has_more", .boolean, ""),
            .needed("epoch", .text(1...40), "Value of `epoch` to send with `next`."),
          ]), "A page of changes.")
      ]),
    Route(
      method: .post, path: "/api/v1/sync", name: "push",
      summary: "Merges edits field by field: the later of two counts. Repeating the request does no harm",
      handler: .account(push),
      body: .json(
        .object([
          .allowed("zones", .list(record, upTo: maximumRecords), ""),
          .allowed("reminders", .list(record, upTo: maximumRecords), ""),
        ])),
      answers: [
        .json(
          .object([
            .needed(
              "zones", .list(record, upTo: maximumRecords),
              "Zones after the merge, to be merged by the client in turn."),
            .needed("reminders", .list(record, upTo: maximumRecords), "Reminders after the merge."),
            .needed(
              "refused",
              .list(
                .object([
                  .needed("kind", .words(["zone", "reminder"]), ""), .needed("id", .id, ""),
                  .needed("reason", .text(1...4000), "The value found and the values allowed."),
                ]), upTo: 2 * maximumRecords),
              "Records that were refused and left unchanged; the others are merged."
            ),
          ]), "The records sent, merged.")
      ]),
  ]

  private static func pull(_ call: Call, _ signed: Signed) async throws -> Response {
    let after = ChangeCursor(rawValue: call.query["after"]?.whole ?? 0)
    let epoch = call.query["epoch"]?.string
    guard try await call.resumes(signed.account, after: after, epoch) else {
      throw Problem(
        .gone,
        "the changes after \(after) are no longer available: start again at 0, and send all your own records")
    }
    let page = try await call.store.changes(
      of: signed.account, after: after, limit: Int(call.query["limit"]?.whole ?? 200))
    let readIn: FeedEpoch
    if let known = page.epoch { readIn = known } else { readIn = try await call.store.feedEpoch() }
    var changes: [JSONValue] = []
    for entry in page.entries {
      changes.append(
        .object(members(of: entry) + [("record", try await record(of: entry, call, signed) ?? .null)]))
    }
    return .json(
      .object([
        ("changes", .array(changes)), ("next", .integer(page.next.rawValue)),
        ("has_more", .bool(page.hasMore)), ("epoch", .string(readIn.description)),
      ]))
  }

  static func members(of entry: ChangeEntry) -> [(String, JSONValue)] {
    [
      ("cursor", .integer(entry.cursor.rawValue)), ("kind", .string(entry.kind.name)),
      ("id", .string(AccountID(rawValue: entry.id).description)), ("is_deleted", .bool(entry.isDeleted)),
      ("changed_at", entry.changedAt.json),
    ]
  }

  private static func record(
    of entry: ChangeEntry, _ call: Call, _ signed: Signed
  ) async throws -> JSONValue? {
    // A record that was purged since is nil; the entry itself tells that it is gone.
    switch entry.kind {
    case .zone:
      let id = ZoneID(rawValue: entry.id)
      return try await found { try await call.store.zoneRecord(id, of: signed.account) }.map {
        json($0.id.description, $0.record)
      }
    case .reminder:
      let id = ReminderID(rawValue: entry.id)
      return try await found { try await call.store.reminderRecord(id, of: signed.account) }.map {
        json($0.id.description, $0.record)
      }
    case .account, .settings, .device, .collection, .follow, .channel, .message, .sound, .alarm, .notice,
      .sealed, .checkIn, .expectedArrival:
      return nil
    }
  }

  /// The collections whose followers are to be notified of an edit of these zones.
  private static func collections(
    of zones: [ZoneRecord], _ call: Call, _ signed: Signed
  ) async throws -> Set<CollectionID> {
    var all: Set<CollectionID> = []
    for zone in zones {
      let stored = try await found { try await call.store.zone(zone.id, of: signed.account) }
      if let collection = stored?.collection { all.insert(collection) }
    }
    return all
  }

  private static func push(_ call: Call, _ signed: Signed) async throws -> Response {
    let sent = (call.json["zones"]?.list ?? []).map { value in
      ZoneRecord(id: ZoneID(rawValue: id(value)), record: record(value))
    }
    var zones: [ZoneRecord] = []
    var untimed: [RefusedRecord] = []
    for zone in sent {
      if let reason = unknownTimeZone(zone.record) {
        untimed.append(RefusedRecord(id: zone.id.rawValue, reason: reason))
      } else {
        zones.append(zone)
      }
    }
    let reminders = (call.json["reminders"]?.list ?? []).map { value in
      ReminderRecord(id: ReminderID(rawValue: id(value)), record: record(value))
    }
    guard try await call.store.zoneCount(of: signed.account) + zones.count <= ZoneRoutes.maximumZones else {
      throw StoreError.tooMany(allowed: ZoneRoutes.maximumZones)
    }
    let before = try await collections(of: zones, call, signed)
    let mergedZones =
      zones.isEmpty
      ? MergedRecords(records: [], refused: [])
      : try await call.store.merge(zones, of: signed.account, at: call.now)
    let mergedReminders =
      reminders.isEmpty
      ? MergedRecords(records: [], refused: [])
      : try await call.store.merge(reminders, of: signed.account, at: call.now)
    if !zones.isEmpty {
      var audience: Set<AccountID> = [signed.account]
      for collection in before.union(try await collections(of: zones, call, signed)) {
        audience.formUnion(try await call.store.audience(of: collection))
      }
      try await call.zonesChanged(audience.sorted())
    }
    if !reminders.isEmpty { try await call.remindersChanged(signed.account) }
    return .json(
      .object([
        ("zones", .array(mergedZones.records.map { json($0.id.description, $0.record) })),
        ("reminders", .array(mergedReminders.records.map { json($0.id.description, $0.record) })),
        (
          "refused",
          .array(
            (untimed + mergedZones.refused).map { json("zone", $0) }
              + mergedReminders.refused.map { json("reminder", $0) })
        ),
      ]))
  }

  /// The reason why a zone's schedule has no times: it has neither offsets nor a known time zone. Offsets
  /// given by a client are used if the server does not know the time zone's name; for a known name they are
  /// computed when the zone is loaded.
  private static func unknownTimeZone(_ record: SyncRecord) -> FieldError? {
    let (draft, _) = ZoneDraft.stored(id: ZoneID(rawValue: 0), record: record)
    guard let schedule = draft.schedule, schedule.offsets.isEmpty, !schedule.timeZone.isEmpty,
      !TimeZoneOffsets.isKnown(schedule.timeZone.string)
    else { return nil }
    return .unknownTimeZone(given: schedule.timeZone)
  }

  private static func json(_ kind: String, _ refused: RefusedRecord) -> JSONValue {
    .object([
      ("kind", .string(kind)), ("id", .string(ZoneID(rawValue: refused.id).description)),
      ("reason", .string(refused.reason.message)),
    ])
  }

  private static func id(_ value: JSONValue) -> UInt64 { value["id"]?.string.flatMap { parsedID($0) } ?? 0 }

  private static func record(_ value: JSONValue) -> SyncRecord {
    let fields = (value["fields"]?.list ?? []).compactMap { entry -> FieldRegister? in
      guard let edited = entry["edited_at"].flatMap(time),
        let bytes = entry["value"]?.string.flatMap(Base64URL.decode)
      else { return nil }
      return FieldRegister(field: UInt8(entry["field"]?.whole ?? 0), value: bytes, editedAt: edited)
    }
    return SyncRecord(fields: fields, deletedAt: value.given("deleted_at").flatMap(time))
  }

  private static func time(_ value: JSONValue) -> HybridTime? {
    guard let instant = value["time"]?.string.flatMap(RFC3339.instant(from:)) else { return nil }
    return HybridTime(
      time: instant, counter: UInt32(value["counter"]?.whole ?? 0),
      node: value["node"]?.string.flatMap { parsedID($0) } ?? 0)
  }

  private static func json(_ id: String, _ record: SyncRecord) -> JSONValue {
    let fields = record.fields.map { register in
      JSONValue.object([
        ("field", .integer(Int64(register.field))), ("value", .string(Base64URL.encode(register.value))),
        ("edited_at", json(register.editedAt)),
      ])
    }
    return .object([
      ("id", .string(id)), ("fields", .array(fields)), ("deleted_at", record.deletedAt.map(json) ?? .null),
    ])
  }

  private static func json(_ time: HybridTime) -> JSONValue {
    .object([
      ("time", time.time.json), ("counter", .integer(Int64(time.counter))),
      ("node", .string(AccountID(rawValue: time.node).description)),
    ])
  }
}

extension Call {
  /// True if a client can continue after a cursor without missing a change.
  /// - Parameter epoch: as in an answer of ours; nil if the client kept none.
  func resumes(
    _ account: AccountID, after cursor: ChangeCursor, _ epoch: String?
  ) async throws -> Bool {
    guard let epoch else { return try await store.canResume(account, after: cursor, of: nil) }
    guard let known = FeedEpoch(epoch) else { return cursor <= .start }
    return try await store.canResume(account, after: cursor, of: known)
  }
}

extension ChangeEntry.Kind {
  /// The name in the API and in the event stream.
  var name: String {
    switch self {
    case .account: "account"
    case .settings: "settings"
    case .device: "device"
    case .zone: "zone"
    case .collection: "collection"
    case .follow: "follow"
    case .channel: "channel"
    case .message: "message"
    case .sound: "sound"
    case .reminder: "reminder"
    case .alarm: "alarm"
    case .notice: "notice"
    case .sealed: "sealed"
    case .checkIn: "check_in"
    case .expectedArrival: "expected_arrival"
    }
  }
}
