import AlarmEngine
import Geometry

/// The engine as the page asks it: a request in, an answer out, both `PageValue`s as bytes.
///
/// A request is a map with the name of what is asked under `ask`. Times are milliseconds since 1970 (`…_ms`), lengths
/// metres (`…_m`), places `[latitude, longitude]` in degrees, ids sixteen hexadecimal digits. A request that cannot be
/// met is answered by `{refused: {why, field?}}` and has changed nothing; of a number out of range it says `given`, `least`
/// and `most` too. A form of a list that is no zone or no reminder refuses none of the others: it is named, with the same
/// reasons, in `refused_zones` or `refused_reminders`. Every request may say what only the page knows
/// of the device: `positioning` (`Circumstances.Positioning`), `visible`, `phones_ringing`.
///
/// | ask | takes | answers |
/// | --- | --- | --- |
/// | `version` | | `version` of the engine |
/// | `settings` | | `settings`, each with `name`, `least`, `most`, `default` |
/// | `open` | `device`, `zones` (forms), `armed`, `settings`, `snapshot`?, `reminders`?, `nearby`?, `now_ms` | a report |
/// | `fixes` | `rows` (little-endian doubles, `FixRow`), `now_ms` | a report |
/// | `advance` | `now_ms` | a report |
/// | `command` | `command`, `alarm`?, `until_ms`?, `now_ms` | a report |
/// | `stage_zones` | `zones` (forms), `first`? | `staged`: how many `replace_zones` takes over besides |
/// | `replace_zones` | `zones` (forms), `staged`?, `others`?, `now_ms` | a report |
/// | `clock_jumped` | `by_ms` (negative: set back), `now_ms` by the new clock | a report |
/// | `visibility` | `visible`, `now_ms` | a report |
/// | `snapshot` | | `snapshot` |
/// | `list` | `group`?, `order`?, `search`?, `now_ms` | `groups` of ids, `found`, `total` |
/// | `rows` | `ids`, `now_ms` | `rows` |
/// | `locate` | `place`, `count`?, `now_ms` | `rows`, nearest first |
/// | `map_pins` | `from`, `count`, `now_ms` | `features`, `next`? |
/// | `map_lines` | `view`, `tolerance_m`, `least_m`, `from`, `count`, `now_ms` | `features`, `next`? |
/// | `fresh` | `id`, `place`? | `zone`, `defaults`, `limits` |
/// | `draw` | `zone` (a form), `tolerance_m`, `coarse`? | its lines, area and what is wrong with it |
/// | `insertion` | `zone` (a form), `place` | `index` at which a point belongs, ring after ring |
/// | `shift` | `place`, `north_m`, `east_m` | `place` |
/// | `reshape` | `zone` (a form), `to` | `zone` |
/// | `explain` | `zone`, `from_ms`, `to_ms`, `of`? | `records` |
/// | `why` | `zone`, `from_ms`, `to_ms`, `of`? | `record` that rang, else the nearest miss |
/// | `replay` | `zones` (forms), `rows`, `settings` | `events`, `steps`, `stays`, `refused_rows`; kept for `of: replay` |
/// | `closest` | `limit`? | `rows`: how near the replay came to which zones |
/// | `compare` | `zones` (forms of a file), `more`? | `rows`: new, changed, same or refused |
/// | `stamp` | `kind`, `items`, `clock`, `now_ms` | `items`, `clock`: edits noted in sync records; `refused_items` |
/// | `merge` | `kind`, `items`, `clock` | `items`, `clock`: others' edits taken over |
/// | `restamp` | `items`, `clock`, `now_ms` | `items`, `clock`: edits of a clock that ran ahead |
/// | `read_pad` | `bytes`, `more`? | `zones` (forms), `issues` |
/// | `write_pad` | `zones` (forms) | `bytes`, `changed`, `refused_zones` |
/// | `remind` | `command`, `id`, `reminder`?, `until_ms`?, `index`?, `now_ms` | a report |
/// | `snooze_until` | `choice`, `offsets`, `now_ms` | `until_ms` |
/// | `check` | `zones`?, `reminders`?, `settings`?: what is about to be kept | `zones`, `reminders`: how many; one that is none refuses the request |
/// | `propose` | `zone` (a form)?; without, all that ring | `text`, `addressees` |
public struct PageEngine: Sendable {
  var timeline: Timeline?
  var watch = CertifiedWatch()
  var reminders = ReminderList()
  var settings = Settings.phone
  var circumstances = Circumstances()
  /// Since when the page is out of view.
  var hiddenAt: Instant?
  /// When the page was last told to ask for a position, so that the zones stay watched.
  var requestedAt: Instant?
  var trends: [ApproachTrend] = []
  /// The forms that were open with the zones and are none; listed with the zones that cannot be watched.
  var refusedForms: [RefusedForm] = []
  var refusedReminders: [RefusedForm] = []
  /// The track that was replayed last.
  var replayed: Replayed?
  /// Of a file that is read in pieces.
  var reader = PADReader()
  /// The ids of a file's zones, while they are compared in pieces.
  var received = PADIdentifiers()
  /// Zones that were read ahead of the edit that adds them.
  var staged: [Zone] = []
  /// The forms among them that are none.
  var stagedRefused: [RefusedForm] = []

  public init() {}

  enum Ask: CaseIterable {
    case open, fixes, advance, command, replaceZones, clockJumped, visibility, snapshot, list, rows, locate
    case mapPins, mapLines, fresh, draw, insertion, shift, reshape, explain
    case replay, readPAD, writePAD, remind, snoozeUntil, propose, settings, check
    case why, closest, compare, stamp, merge, restamp, stageZones, version

    var name: Text {
      switch self {
      case .open: "open"
      case .fixes: "fixes"
      case .advance: "advance"
      case .command: "command"
      case .replaceZones: "replace_zones"
      case .clockJumped: "clock_jumped"
      case .visibility: "visibility"
      case .snapshot: "snapshot"
      case .list: "list"
      case .rows: "rows"
      case .locate: "locate"
      case .mapPins: "map_pins"
      case .mapLines: "map_lines"
      case .fresh: "fresh"
      case .draw: "draw"
      case .insertion: "insertion"
      case .shift: "shift"
      case .reshape: "reshape"
      case .explain: "explain"
      case .replay: "replay"
      case .readPAD: "read_pad"
      case .writePAD: "write_pad"
      case .remind: "remind"
      case .snoozeUntil: "snooze_until"
      case .why: "why"
      case .closest: "closest"
      case .compare: "compare"
      case .stamp: "stamp"
      case .merge: "merge"
      case .restamp: "restamp"
      case .stageZones: "stage_zones"
      case .propose: "propose"
      case .settings: "settings"
      case .check: "check"
      case .version: "version"
      }
    }
  }

  public mutating func answer(_ request: [UInt8]) -> [UInt8] {
    let value: PageValue
    do throws(Refusal) {
      value = try answer(to: try Self.parsed(request))
    } catch {
      value = .map([.init("refused", error.form)])
    }
    return value.cbor
  }

  private static func parsed(_ request: [UInt8]) throws(Refusal) -> PageValue {
    do { return try PageValue(cbor: request) } catch { throw .notUnderstood }
  }

  private mutating func answer(to request: PageValue) throws(Refusal) -> PageValue {
    guard let name = request["ask"]?.text, let ask = Ask.allCases.first(where: { $0.name == name }) else {
      throw .unknownAsk
    }
    let fields = Fields(request)
    try takeCircumstances(fields)
    switch ask {
    case .open: return try open(fields)
    case .fixes: return try takeFixes(fields)
    case .advance: return try advance(fields)
    case .command: return try obey(fields)
    case .replaceZones: return try replaceZones(fields)
    case .clockJumped: return try jumpClock(fields)
    case .visibility: return try changeVisibility(fields)
    case .snapshot: return try snapshot()
    case .list: return try list(fields)
    case .rows: return try rows(fields)
    case .locate: return try locate(fields)
    case .mapPins: return try mapPins(fields)
    case .mapLines: return try mapLines(fields)
    case .fresh: return try fresh(fields)
    case .draw: return try draw(fields)
    case .insertion: return try insertion(fields)
    case .shift: return try shift(fields)
    case .reshape: return try reshape(fields)
    case .explain: return try explain(fields)
    case .replay: return try replay(fields)
    case .readPAD: return try readPAD(fields)
    case .writePAD: return try writePAD(fields)
    case .remind: return try remind(fields)
    case .snoozeUntil: return try snoozeUntil(fields)
    case .why: return try why(fields)
    case .closest: return try closest(fields)
    case .compare: return try compare(fields)
    case .stamp: return try stamp(fields)
    case .merge: return try merge(fields)
    case .restamp: return try restamp(fields)
    case .stageZones: return try stageZones(fields)
    case .propose: return try propose(fields)
    case .settings: return PageSetting.list
    case .check: return try check(fields)
    case .version: return .map([.init("version", .text(ProductVersion.text))])
    }
  }

  /// Whether these forms could be opened; nothing is done with them.
  private func check(_ fields: Fields) throws(Refusal) -> PageValue {
    _ = try fields.settings()
    let (zones, refusedZones) = try fields.zones("zones")
    let (reminders, refusedReminders) = try fields.reminders("reminders")
    if let first = (refusedZones + refusedReminders).first { throw .field(first.error) }
    return .map([
      .init("zones", .integer(Int64(zones.count))), .init("reminders", .integer(Int64(reminders.count))),
    ])
  }

  func opened() throws(Refusal) -> Timeline {
    guard let timeline else { throw .notOpen }
    return timeline
  }
}

/// Why a request is not met.
enum Refusal: Error, Equatable, Sendable {
  /// The bytes are no `PageValue`.
  case notUnderstood
  case unknownAsk
  case notOpen
  case nothingReplayed
  case snapshotUnusable
  case field(ZoneForm.FieldError)

  var form: PageValue {
    switch self {
    case .notUnderstood: .map([.init("why", .text("not_understood"))])
    case .unknownAsk: .map([.init("why", .text("unknown_ask"))])
    case .notOpen: .map([.init("why", .text("not_open"))])
    case .nothingReplayed: .map([.init("why", .text("nothing_replayed"))])
    case .snapshotUnusable: .map([.init("why", .text("snapshot_unusable"))])
    case .field(let error): .map(error.entries)
    }
  }
}

extension ZoneForm.Fault {
  var word: Text {
    switch self {
    case .missing: "missing"
    case .wrongKind: "wrong_kind"
    case .outOfRange: "out_of_range"
    case .unknownWord: "unknown_word"
    }
  }
}

// MARK: What requests have in common

extension Fields {
  /// Runs a check whose failure refuses the request.
  private func checked<Value>(_ check: () throws(ZoneForm.FieldError) -> Value) throws(Refusal) -> Value {
    do throws(ZoneForm.FieldError) { return try check() } catch { throw .field(error) }
  }

  /// The present, as the page's clock has it. A clock beyond the year 2100 is wrong, and catching up with it, through
  /// every schedule's openings, would take minutes.
  func now() throws(Refusal) -> Instant {
    let now = try instant("now_ms")
    guard now.millisecondsSince1970 < 4_102_444_800_000 else { throw .field(.init("now_ms", .outOfRange)) }
    return now
  }

  func instant(_ key: Text) throws(Refusal) -> Instant {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    guard let number = value.number else { throw .field(.init(key, .wrongKind)) }
    guard let instant = FixRow.instant(milliseconds: number) else { throw .field(.init(key, .outOfRange)) }
    return instant
  }

  func asked(text key: Text) throws(Refusal) -> Text? {
    try checked { () throws(ZoneForm.FieldError) in try text(key) }
  }
  func asked(bool key: Text) throws(Refusal) -> Bool? {
    try checked { () throws(ZoneForm.FieldError) in try bool(key) }
  }
  func asked(number key: Text, _ allowed: ClosedRange<Double>) throws(Refusal) -> Double? {
    try checked { () throws(ZoneForm.FieldError) in try number(key, allowed) }
  }
  func asked(list key: Text) throws(Refusal) -> [PageValue] {
    try checked { () throws(ZoneForm.FieldError) in try list(key) }
  }

  func identifier(_ key: Text) throws(Refusal) -> UInt64 {
    guard let text = try asked(text: key) else { throw .field(.init(key, .missing)) }
    guard let value = UInt64(hexadecimal: text) else { throw .field(.init(key, .unknownWord)) }
    return value
  }

  func place(_ key: Text) throws(Refusal) -> Coordinate {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    return try checked { () throws(ZoneForm.FieldError) in try ZoneForm.place(value, key) }
  }

  func zone(_ key: Text) throws(Refusal) -> Zone {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    return try checked { () throws(ZoneForm.FieldError) in
      // A zone that is only drawn needs no id yet.
      try ZoneForm.zone(value, fresh: ZoneID(rawValue: 0))
    }
  }

  /// The zones of a list, and the forms that are none.
  func zones(_ key: Text) throws(Refusal) -> (zones: [Zone], refused: [RefusedForm]) {
    let forms = try asked(list: key)
    var zones: [Zone] = []
    zones.reserveCapacity(forms.count)
    var refused: [RefusedForm] = []
    for form in forms {
      do throws(ZoneForm.FieldError) { zones.append(try ZoneForm.zone(form, fresh: nil)) } catch {
        refused.append(RefusedForm(form, error))
      }
    }
    return (zones, refused)
  }

  /// The reminders of a list, and the forms that are none.
  func reminders(_ key: Text) throws(Refusal) -> (reminders: [Reminder], refused: [RefusedForm]) {
    var reminders: [Reminder] = []
    var refused: [RefusedForm] = []
    for form in try asked(list: key) {
      do throws(Refusal) { reminders.append(try ReminderForm.reminder(form)) } catch {
        guard case .field(let fault) = error else { throw error }
        refused.append(RefusedForm(form, fault))
      }
    }
    return (reminders, refused)
  }

  /// Rows of `FixRow.width` little-endian doubles each.
  func rows(_ key: Text) throws(Refusal) -> [Double] {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    guard let bytes = value.bytes else { throw .field(.init(key, .wrongKind)) }
    guard bytes.count % (FixRow.width * 8) == 0 else { throw .field(.init(key, .outOfRange)) }
    var numbers: [Double] = []
    numbers.reserveCapacity(bytes.count / 8)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      var bits: UInt64 = 0
      for place in 0..<8 { bits |= UInt64(bytes[start + place]) << UInt64(8 * place) }
      numbers.append(Double(bitPattern: bits))
    }
    return numbers
  }
}
