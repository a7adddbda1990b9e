import AlarmEngine
import Geometry
import PAD

/// The engine's interface to the page: a request in, an answer out, both `PageValue`s as bytes.
///
/// A request is a map with the request's name under `ask`. Times are milliseconds since 1970 (`…_ms`),
/// lengths metres (`…_m`), places `[latitude, longitude]` in degrees, ids sixteen hexadecimal digits. A
/// refused request is answered by `{refused: {why, field?}}` and changes nothing; for a number out of range
/// `given`, `least` and `most` are added. An invalid form in a list of zones or reminders does not refuse the
/// others: it is listed, with the same reasons, in `refused_zones` or `refused_reminders`. Every request may
/// contain the page's data about the device: `positioning` (`Circumstances.Positioning`), `visible`,
/// `phones_ringing`. ``Ask/all`` is the table of requests.
public struct PageEngine: Sendable {
  var timeline: Timeline?
  /// True if the page is out of view.
  var isHidden = false
  var reminders = ReminderList()
  var settings = Settings.phone
  var circumstances = Circumstances()
  /// The time from which the page is out of view.
  var hiddenAt: Instant?
  /// The time of the last request to the page for a position to keep the zones watched.
  var requestedAt: Instant?
  var trends: [ApproachTrend] = []
  /// The invalid forms among the open zones; listed with the zones that cannot be watched.
  var refusedForms: [RefusedForm] = []
  var refusedReminders: [RefusedForm] = []
  /// The track replayed last.
  var replayed: Replayed?
  /// The reader of a file that arrives in pieces.
  var reader = PADReader()
  /// The ids of a file's zones, while they are compared in pieces.
  var received = PADIdentifiers()
  /// Zones read before the edit that adds them.
  var staged: [Zone] = []
  /// The invalid forms among them.
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

  /// Checks whether these forms could be opened, without opening them.
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

/// The reason for refusing a request.
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

  /// Returns the present by the page's clock. A clock beyond the year 2100 is refused: it is wrong, and
  /// advancing to it through the openings of every schedule would take minutes.
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
  func asked(whole key: Text, _ allowed: ClosedRange<Double>) throws(Refusal) -> Int64? {
    try checked { () throws(ZoneForm.FieldError) in try whole(key, allowed) }
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

  /// Returns the zone being drawn, which needs no id yet.
  func draft(_ key: Text) throws(Refusal) -> ZoneDraft {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    return try checked { () throws(ZoneForm.FieldError) in
      try ZoneForm.draft(value, fresh: ZoneID(rawValue: 0))
    }
  }

  /// Returns the zones of a list, and the invalid forms.
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

  /// Returns the reminders of a list, and the invalid forms.
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

  /// Returns the numbers of rows of `FixRow.width` little-endian doubles each.
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
