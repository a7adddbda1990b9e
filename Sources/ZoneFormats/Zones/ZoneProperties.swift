import AlarmEngine
import Geometry
import PAD

/// The attributes of a zone as named values: `properties` of GeoJSON, `ExtendedData` of KML.
///
/// Our keys, written only if the value differs from the default:
///
/// | key | value |
/// | --- | --- |
/// | `name`, `category` | text |
/// | `alarm_active`, `alarm_vibrate` | true or false |
/// | `alarm_priority`, `alarm_size_m` and the other numbers (`RangedField.ofZone`) | in the field's unit |
/// | `alarm_sound` | name without extension |
/// | `alarm_outline` | `locations`, `path`, `area`: what the places mean together |
/// | `alarm_edges` | `geodesic`, `lonlat` |
/// | `alarm_trigger` | `enter`, `inside` (passing through does not count), `leave`, `dwell` |
/// | `alarm_dwell_s` | seconds inside for `dwell`, outside for `leave` |
/// | `alarm_assurance` | `safety`, `normal`, `relaxed` |
/// | `alarm_schedule` | `{"time_zone", "windows": [{"days": "12345", "opens", "closes"}], "offsets": [[from_ms, seconds]]}` |
/// | `alarm_messages` | `[{"your_moniker", "to_moniker", "contact_number", "supplement"}]` |
/// | `alarm_notice` | `{"title", "text", "link", "image", "cap_s"}` |
/// | `alarm_pad_rows` | rows of a PAD file that were kept |
///
/// In KML a list or object is JSON text. ``ZoneMember/propertyNames`` also has the names that other programs
/// and earlier versions use.
package struct ZoneProperties {
  package let values: [String: JSONValue]
  /// The keys in the order of the file, each once. The last value of equal keys counts.
  package let keys: [String]
  /// The keys that name a member.
  private let candidates: [(member: ZoneMember, rank: Int, key: String)]
  /// Unusable values, one sentence each.
  package private(set) var issues: [ZoneRemark] = []
  /// Values that may be read otherwise than meant, one sentence each.
  package private(set) var warnings: [ZoneRemark] = []

  package init(_ members: [(String, JSONValue)]) {
    var values: [String: JSONValue] = [:]
    for (key, value) in members { values[key] = value }
    self.values = values
    var seen: Set<String> = []
    keys = members.map { $0.0 }.filter { seen.insert($0).inserted }
    candidates = keys.flatMap { key in (Self.members[key] ?? []).map { ($0.member, $0.rank, key) } }
  }

  private mutating func note(_ sentence: String, _ kind: ZoneFileNote.Kind = .badValue) {
    issues.append(ZoneRemark(kind: kind, text: sentence))
  }

  package var name: Text {
    for key in Self.names(.name) { if let text = string(key), !text.isEmpty { return Text(text) } }
    // Work zone data exchange (WZDx) 4.
    for key in ["name", "description"] {
      if let text = values["core_details"]?[key]?.string, !text.isEmpty { return Text(text) }
    }
    return .empty
  }
  package var category: Text { Text(string(.category) ?? "") }
  var outline: String? { string(.outline) }

  mutating func edges(_ standard: EdgeKind) -> EdgeKind { word(.edges) ?? standard }

  /// Sets all members except id, name, outline and edges.
  mutating func apply(to draft: inout ZoneDraft) {
    draft.category = category
    draft.active = flag(.active) ?? true
    draft.vibrate = flag(.vibrate) ?? true
    for member in ZoneMember.allCases {
      guard let field = member.number, member != .dwell else { continue }
      draft[field] =
        member == .size ? size(for: draft.outline)?.metres : number(member, whole: field.unit == .wholeNumber)
    }
    dropCrossedHeights(of: &draft)
    draft.soundName = Text(string(.soundName) ?? "")
    draft.trigger = trigger()
    draft.assurance = word(.assurance) ?? Assurance.normal
    draft.schedule = schedule()
    draft.messages = messages()
    draft.notice = notice()
    draft.unknownRows = rows()
  }

  private static let names = Dictionary(
    uniqueKeysWithValues: ZoneMember.allCases.map { ($0, $0.propertyNames.map { $0.string }) })
  private static func names(_ member: ZoneMember) -> [String] { names[member] ?? [] }
  /// The name used for writing.
  package static func name(_ member: ZoneMember) -> String { names(member)[0] }

  /// The members that each name stands for, and the name's place among those of the member.
  private static let members: [String: [(member: ZoneMember, rank: Int)]] = {
    var members: [String: [(member: ZoneMember, rank: Int)]] = [:]
    for member in ZoneMember.allCases {
      for (rank, name) in names(member).enumerated() { members[name, default: []].append((member, rank)) }
    }
    return members
  }()

  /// Returns the first of the member's names that has a value, and the value.
  private func given(_ member: ZoneMember) -> (key: String, value: JSONValue)? {
    var first: (rank: Int, key: String, value: JSONValue)?
    for candidate in candidates where candidate.member == member {
      if let first, first.rank < candidate.rank { continue }
      guard let value = values[candidate.key] else { continue }
      if case .null = value { continue }
      if value.string?.isEmpty == true { continue }
      first = (candidate.rank, candidate.key, value)
    }
    return first.map { ($0.key, $0.value) }
  }

  private func string(_ member: ZoneMember) -> String? { given(member).flatMap { string($0.key) } }

  package func string(_ key: String) -> String? {
    switch values[key] {
    case .string(let text): text
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .null, .bool, .array, .object, nil: nil
    }
  }

  func double(_ value: JSONValue?) -> Double? {
    value?.decimal
  }

  private mutating func number(_ member: ZoneMember) -> Double? {
    guard let (key, value) = given(member), let allowed = member.number?.allowed else { return nil }
    guard let number = double(value) else {
      note("\(key) \"\(value.excerpt)\" found, a number allowed; the default is taken")
      return nil
    }
    guard allowed.contains(number) else {
      note(
        "\(key) \(number) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed; the default is taken"
      )
      return nil
    }
    return number
  }

  private mutating func number(_ member: ZoneMember, whole: Bool) -> Double? {
    guard let number = number(member) else { return nil }
    if !whole || number == number.rounded() { return number }
    note("\(Self.name(member)) \(number) found, a whole number allowed; the default is taken")
    return nil
  }

  private mutating func dropCrossedHeights(of draft: inout ZoneDraft) {
    guard let floor = draft.floor, let ceiling = draft.ceiling, floor >= ceiling else { return }
    note(
      "\(Self.name(.ceiling)) \(ceiling.metres) found, more than the floor of \(floor.metres) allowed; "
        + "the zone gets neither")
    (draft.floor, draft.ceiling) = (nil, nil)
  }

  /// Returns the size. One that the zone does not need is kept if it is in range, and otherwise ignored.
  private mutating func size(for outline: ZoneOutline) -> Distance? {
    let needed: Bool
    switch outline {
    case .locations(let places): needed = places.count < 3
    case .path: needed = true
    case .area: needed = false
    }
    if needed { return neededSize() }
    return double(values[Self.name(.size)]).flatMap {
      RangedField.size.allowed.contains($0) ? .metres($0) : nil
    }
  }

  private mutating func neededSize() -> Distance? {
    let allowed = Zone.allowedSize.lowerBound.metres...Zone.allowedSize.upperBound.metres
    switch StatedSize(names: Self.names(.size), keys: keys, values: values) {
    case .metres(let metres, _) where allowed.contains(metres): return .metres(metres)
    case .metres(let metres, let key):
      note(
        "\(key) \(metres) m found, \(allowed.lowerBound) to \(allowed.upperBound) allowed; the default is taken",
        .badSize)
    case .unreadable(let key, let why): note("\(key) \(why); the default is taken", .badSize)
    case .notUnderstood(let keys):
      for key in keys {
        let sentence =
          "\(key.prefix(60)) \"\(values[key]?.excerpt ?? "")\" found, which is not a known way to state a size "
          + "(\(StatedSize.allowed) allowed, as in radius_m); the default is taken"
        warnings.append(ZoneRemark(kind: .unknownSize, text: sentence))
      }
    }
    return nil
  }

  private mutating func flag(_ member: ZoneMember) -> Bool? {
    guard let (key, value) = given(member) else { return nil }
    switch value {
    case .bool(let flag): return flag
    case .integer(1), .string("1"), .string("true"): return true
    case .integer(0), .string("0"), .string("false"): return false
    case .null: return nil
    case .integer, .number, .string, .array, .object:
      note("\(key) \"\(value.excerpt)\" found, true or false allowed; the default is taken")
      return nil
    }
  }

  private mutating func word<Value: Worded>(_ member: ZoneMember) -> Value? {
    guard let (key, value) = given(member) else { return nil }
    if let text = value.string, let found = Value(word: Text(text.lowercased())) { return found }
    let allowed = Value.allCases.map { $0.word.string }.sorted().joined(separator: ", ")
    note("\(key) \"\(value.excerpt)\" found, \(allowed) allowed; the default is taken")
    return nil
  }

  private mutating func trigger() -> Trigger {
    let kind = word(.trigger) ?? Trigger.Kind.enter
    return kind.trigger(after: kind.hasTime ? .seconds(number(.dwell) ?? 0) : .zero)
  }

  /// Returns a list or an object, given as such or as JSON text.
  private mutating func structure(_ member: ZoneMember) -> JSONValue? {
    guard let (key, value) = given(member) else { return nil }
    guard let text = value.string else { return value }
    if let parsed = try? JSONValue.parse(Array(text.utf8)) { return parsed }
    note("\(key) \"\(value.excerpt)\" found, JSON allowed; it is ignored")
    return nil
  }

  private mutating func schedule() -> Schedule? {
    guard let value = structure(.schedule) else { return nil }
    var windows: [Schedule.Window] = []
    for entry in value["windows"]?.list ?? [] {
      guard let window = Self.window(entry) else {
        note("alarm_schedule has a window that cannot be read; the zone is always on duty")
        return nil
      }
      windows.append(window)
    }
    guard value.isObject else {
      note("alarm_schedule: \(value.kind) found, an object allowed; the zone is always on duty")
      return nil
    }
    var offsets: [Schedule.Offset] = []
    for entry in value["offsets"]?.list ?? [] {
      guard let offset = Self.offset(entry) else {
        let allowed = Schedule.Offset.allowedSeconds
        note(
          "alarm_schedule offset \(entry.excerpt) found, milliseconds since 1970 and \(allowed.lowerBound) to "
            + "\(allowed.upperBound) seconds allowed; it is left out")
        continue
      }
      offsets.append(offset)
    }
    return Schedule(windows: windows, timeZone: Text(value["time_zone"]?.string ?? ""), offsets: offsets)
  }

  private static func window(_ value: JSONValue) -> Schedule.Window? {
    guard let days = value["days"]?.string, case .integer(let opens)? = value["opens"],
      case .integer(let closes)? = value["closes"], let opens = Int(exactly: opens),
      let closes = Int(exactly: closes), Schedule.Window.allowedOpening.contains(opens),
      Schedule.Window.allowedClosing.contains(closes)
    else { return nil }
    guard let weekdays = Schedule.Weekdays(digits: days.utf8) else { return nil }
    return .init(weekdays: weekdays, opens: opens, closes: closes)
  }

  private static func offset(_ value: JSONValue) -> Schedule.Offset? {
    guard let pair = value.list, pair.count == 2, case .integer(let from) = pair[0],
      case .integer(let seconds) = pair[1], let seconds = Int(exactly: seconds)
    else { return nil }
    let instant = Instant(millisecondsSince1970: from)
    guard Instant.allowed.contains(instant) else { return nil }
    return try? Schedule.Offset(from: instant, checkingSeconds: seconds)
  }

  private mutating func messages() -> [Message] {
    (structure(.messages)?.list ?? []).filter { $0.isObject }.map { entry in
      func text(_ key: String) -> Text { Text(entry[key]?.string ?? "") }
      return Message(
        yourMoniker: text("your_moniker"), toMoniker: text("to_moniker"),
        contactNumber: text("contact_number"),
        supplement: text("supplement"))
    }
  }

  private mutating func notice() -> Notice? {
    guard let value = structure(.notice), value.isObject else { return nil }
    func text(_ key: String) -> Text { Text(value[key]?.string ?? "") }
    let allowed = RangedField.noticeCap.allowed
    var cap = 0.0
    if let given = value["cap_s"]?.double {
      if allowed.contains(given) {
        cap = given
      } else {
        note(
          "alarm_notice cap_s \(given) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed; 0 is taken"
        )
      }
    }
    return Notice(
      title: text("title"), text: text("text"), link: text("link"), image: text("image"), cap: .seconds(cap))
  }

  private mutating func rows() -> [[Text]] {
    (structure(.unknownRows)?.list ?? []).prefix(PADReader.maximumRows).compactMap { row in
      row.list?.map { Text($0.string ?? "") }
    }
  }
}
