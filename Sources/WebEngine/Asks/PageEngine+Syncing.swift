import AlarmEngine

extension PageEngine {
  /// The kind of a synchronised item: a zone or a reminder. It is a form here and fields in a record.
  private enum Kind {
    case zone, reminder

    init(_ fields: Fields) throws(Refusal) {
      switch try fields.asked(text: "kind") {
      case let word where word == "zone": self = .zone
      case let word where word == "reminder": self = .reminder
      case nil: throw .field(.init("kind", .missing))
      default: throw .field(.init("kind", .unknownWord))
      }
    }

    func values(_ form: PageValue) throws(Refusal) -> [(field: UInt8, value: [UInt8])] {
      switch self {
      case .zone:
        do throws(ZoneForm.FieldError) { return try ZoneForm.zone(form, fresh: nil).fields } catch {
          throw .field(error)
        }
      case .reminder: return try ReminderForm.reminder(form).fields
      }
    }

    /// - Returns: nil where nothing of the record can be shown, and what is wrong with it.
    func form(_ id: UInt64, _ record: SyncRecord) -> (form: PageValue?, why: [PageValue.Entry]) {
      let unreadable: [PageValue.Entry] = [.init("why", .text("unreadable"))]
      switch self {
      case .zone:
        let (zone, fault) = ZoneDraft.stored(id: ZoneID(rawValue: id), record: record)
        switch fault {
        case nil: return (ZoneForm.form(of: zone), [])
        // It is kept as it is: listed with the zones that cannot be watched, until somebody mends it.
        case .outOfRange?, .ceilingNotAboveFloor?, .noLocations?, .tooFewPlaces?:
          return (ZoneForm.form(of: zone), fault?.entries ?? [])
        case .sizeOutOfRange?, .idTaken?, .unreadable?:
          return (nil, unreadable)
        }
      case .reminder:
        let (reminder, fault) = Reminder.stored(id: ReminderID(rawValue: id), record: record)
        return fault == nil ? (ReminderForm.form(of: reminder), []) : (nil, unreadable)
      }
    }
  }

  /// Notes edits: of each item's `form` the fields that differ from its `record` are edited now; without a form the
  /// thing is deleted. Answers the records that changed, and the clock; `refused_items` names the forms that are no zones or no
  /// reminders, of which nothing was noted.
  ///
  /// A thing whose record cannot be shown has no form that a page could keep: it is deleted only by an item that says
  /// `removed`, so that an unreadable zone is never taken for one that somebody deleted.
  func stamp(_ fields: Fields) throws(Refusal) -> PageValue {
    let kind = try Kind(fields)
    let now = try fields.now()
    var clock = try HybridClock(fields)
    var changed: [PageValue] = []
    var refused: [PageValue] = []
    for item in try fields.asked(list: "items") {
      let parts = Fields(item)
      let id = try parts.identifier("id")
      var record = try parts.record("record")
      clock.follow(record.latest)
      if let form = parts.present("form") {
        let values: [(field: UInt8, value: [UInt8])]
        do throws(Refusal) { values = try kind.values(form) } catch {
          guard case .field(let fault) = error else { throw error }
          refused.append(RefusedForm(form, fault).form)
          continue
        }
        let differs = values.contains { record.value(of: $0.field) != $0.value }
        guard differs || !record.exists else { continue }
        record.edit(to: values, at: clock.tick(at: now))
      } else {
        let isRemoved = try parts.asked(bool: "removed") ?? false
        guard record.exists, isRemoved || kind.form(id, record).form != nil else { continue }
        record.delete(at: clock.tick(at: now))
      }
      changed.append(Self.item(id, record))
    }
    return .map([
      .init("items", .list(changed)), .init("clock", clock.form), .init("refused_items", .list(refused)),
    ])
  }

  /// Merges others' edits: for each item, `record` (ours, if there is one) and `theirs` become one.
  ///
  /// Returns for each its merged `record`, whether that is new to us (`changed`) and to them (`ahead`), and
  /// its `form` while it exists; `why`, with `field`, `given`, `least` and `most` of a number out of range,
  /// where it cannot be watched. An item without a form cannot be shown.
  func merge(_ fields: Fields) throws(Refusal) -> PageValue {
    let kind = try Kind(fields)
    var clock = try HybridClock(fields)
    var items: [PageValue] = []
    for item in try fields.asked(list: "items") {
      let parts = Fields(item)
      let id = try parts.identifier("id")
      let ours = try parts.record("record")
      let theirs = try parts.record("theirs")
      clock.follow(theirs.latest)
      var merged = ours
      merged.merge(theirs)
      var entries: [PageValue.Entry] = [
        .init("id", .text(Text(ZoneID(rawValue: id).description))),
        .init("record", RecordForm.form(of: merged)), .init("changed", .bool(merged != ours)),
        .init("ahead", .bool(merged != theirs)),
      ]
      if merged.exists {
        let (form, why) = kind.form(id, merged)
        if let form { entries.add("form", form) }
        entries += why
      }
      items.append(.map(entries))
    }
    return .map([.init("items", .list(items)), .init("clock", clock.form)])
  }

  /// Dates this page's edits anew that are later than now, after a clock that ran ahead was corrected.
  func restamp(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let wrong = try HybridClock(fields)
    var clock = HybridClock(node: wrong.node)
    func isOurs(_ time: HybridTime) -> Bool { time.node == wrong.node && time.time > now }
    var items: [(UInt64, SyncRecord)] = []
    for item in try fields.asked(list: "items") {
      let parts = Fields(item)
      let record = try parts.record("record")
      items.append((try parts.identifier("id"), record))
      let times = record.fields.map { $0.editedAt } + [record.deletedAt].compactMap { $0 }
      for time in times where !isOurs(time) { clock.follow(time) }
    }
    var changed: [PageValue] = []
    for (id, record) in items {
      let isWrong = record.fields.contains { isOurs($0.editedAt) } || record.deletedAt.map(isOurs) ?? false
      guard isWrong else { continue }
      let edited = clock.tick(at: now)
      let deleted = clock.tick(at: now)
      // The order of edits and deletion is kept: an item deleted after its edits stays deleted, and one
      // edited after its deletion stays.
      let moved = SyncRecord(
        fields: record.fields.map { register in
          isOurs(register.editedAt)
            ? FieldRegister(field: register.field, value: register.value, editedAt: edited) : register
        },
        deletedAt: record.deletedAt.map { !isOurs($0) ? $0 : record.exists ? edited : deleted })
      changed.append(Self.item(id, moved))
    }
    return .map([.init("items", .list(changed)), .init("clock", clock.form)])
  }

  private static func item(_ id: UInt64, _ record: SyncRecord) -> PageValue {
    .map([
      .init("id", .text(Text(ZoneID(rawValue: id).description))),
      .init("record", RecordForm.form(of: record)),
    ])
  }
}

extension Fields {
  /// Returns the record of a field; an absent one is a record without edits.
  fileprivate func record(_ key: Text) throws(Refusal) -> SyncRecord {
    guard let value = present(key) else { return SyncRecord() }
    return try RecordForm.record(value)
  }
}
