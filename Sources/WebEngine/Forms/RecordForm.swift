import AlarmEngine

/// A `SyncRecord` as a page keeps it: `fields` (`[{field, value, at}]`, `value` bytes) and `deleted_at`.
///
/// A hybrid time is `[milliseconds, counter, node]`, the node in sixteen hexadecimal digits.
enum RecordForm {
  static func form(of record: SyncRecord) -> PageValue {
    var entries: [PageValue.Entry] = [
      .init(
        "fields",
        .list(
          record.fields.map {
            .map([
              .init("field", .integer(Int64($0.field))), .init("value", .bytes($0.value)),
              .init("at", form(of: $0.editedAt)),
            ])
          }))
    ]
    if let deletedAt = record.deletedAt { entries.add("deleted_at", form(of: deletedAt)) }
    return .map(entries)
  }

  static func form(of time: HybridTime) -> PageValue {
    .list([
      .integer(time.time.millisecondsSince1970), .integer(Int64(time.counter)),
      .text(Text(ZoneID(rawValue: time.node).description)),
    ])
  }

  static func record(_ form: PageValue) throws(Refusal) -> SyncRecord {
    let fields = Fields(form)
    var registers: [FieldRegister] = []
    for entry in try fields.asked(list: "fields") {
      guard let number = entry["field"]?.integer, let field = UInt8(exactly: number),
        let value = entry["value"]?.bytes, let at = entry["at"]
      else { throw .field(.init("fields", .wrongKind)) }
      registers.append(FieldRegister(field: field, value: value, editedAt: try time(at, "fields")))
    }
    let deletedAt: HybridTime? =
      if let value = fields.present("deleted_at") { try time(value, "deleted_at") } else { nil }
    return SyncRecord(fields: registers, deletedAt: deletedAt)
  }

  static func time(_ value: PageValue, _ field: Text) throws(Refusal) -> HybridTime {
    guard let parts = value.list, parts.count == 3, let milliseconds = parts[0].integer,
      let count = parts[1].integer, let digits = parts[2].text
    else { throw .field(.init(field, .wrongKind)) }
    let time = Instant(millisecondsSince1970: milliseconds)
    guard Instant.allowed.contains(time), let counter = UInt32(exactly: count) else {
      throw .field(.init(field, .outOfRange))
    }
    guard let node = UInt64(hexadecimal: digits) else { throw .field(.init(field, .unknownWord)) }
    return HybridTime(time: time, counter: counter, node: node)
  }
}

extension HybridClock {
  /// The page's clock: `node`, and the latest time it made or received.
  init(_ fields: Fields) throws(Refusal) {
    guard let form = fields.present("clock") else { throw .field(.init("clock", .missing)) }
    let parts = Fields(form)
    let node = try parts.identifier("node")
    if let last = parts.present("last") {
      self.init(node: node, last: try RecordForm.time(last, "clock"))
    } else {
      self.init(node: node)
    }
  }

  var form: PageValue {
    var entries: [PageValue.Entry] = [.init("node", .text(Text(ZoneID(rawValue: node).description)))]
    if let last { entries.add("last", RecordForm.form(of: last)) }
    return .map(entries)
  }

  /// Advances the clock so that all further times are later than `time`, however far ahead `time` is: it was
  /// accepted when it was stored.
  mutating func follow(_ time: HybridTime?) {
    guard let time, last.map({ $0 < time }) ?? true else { return }
    self = HybridClock(node: node, last: time)
  }
}
