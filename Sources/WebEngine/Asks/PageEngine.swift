import AlarmEngine
import Geometry
import PAD

/// The engine as the page asks it: a request in, an answer out, both `PageValue`s as bytes.
///
/// A request is a map with the name of what is asked under `ask`. Times are milliseconds since 1970 (`…_ms`), lengths
/// metres (`…_m`), places `[latitude, longitude]` in degrees, ids sixteen hexadecimal digits. A request that cannot be
/// met is answered by `{refused: {why, field?}}` and has changed nothing; of a number out of range it says `given`, `least`
/// and `most` too. A form of a list that is no zone or no reminder refuses none of the others: it is named, with the same
/// reasons, in `refused_zones` or `refused_reminders`. Every request may say what only the page knows
/// of the device: `positioning` (`Circumstances.Positioning`), `visible`, `phones_ringing`. ``Ask/all`` is the table of
/// what can be asked.
public struct PageEngine: Sendable {
  var timeline: Timeline?
  /// The page is out of view.
  var isHidden = false
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
    guard let name = request["ask"]?.text, let ask = Ask.all.first(where: { $0.name == name }) else {
      throw .unknownAsk
    }
    let fields = Fields(request)
    try takeCircumstances(fields)
    return try ask.answer(&self, fields)
  }

  /// Whether these forms could be opened; nothing is done with them.
  func check(_ fields: Fields) throws(Refusal) -> PageValue {
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
    case .noPlaces: "no_locations"
    case .tooFewPlaces: "too_few_places"
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

  /// A zone that is being drawn: it needs no id yet.
  func draft(_ key: Text) throws(Refusal) -> ZoneDraft {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    return try checked { () throws(ZoneForm.FieldError) in
      try ZoneForm.draft(value, fresh: ZoneID(rawValue: 0))
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
