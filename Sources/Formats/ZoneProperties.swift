import AlarmEngine
import Foundation
import Geometry

/// The attributes of a zone as named values: `properties` of GeoJSON, `ExtendedData` of KML.
///
/// Ours, written where they differ from what their absence means:
///
/// | key | value |
/// | --- | --- |
/// | `name`, `category` | text |
/// | `alarm_active`, `alarm_vibrate` | true or false |
/// | `alarm_priority` | whole number |
/// | `alarm_sleep_s`, `alarm_lead_s` | seconds |
/// | `alarm_size_m`, `alarm_inset_m`, `alarm_distance_m` | metres |
/// | `alarm_sound` | name without extension |
/// | `alarm_outline` | `locations`, `path`, `area`: what the places mean together |
/// | `alarm_edges` | `geodesic`, `lonlat` |
/// | `alarm_trigger` | `enter`, `inside` (passing through does not count), `leave`, `dwell` |
/// | `alarm_dwell_s` | seconds |
/// | `alarm_assurance` | `safety`, `normal`, `relaxed` |
/// | `alarm_schedule` | `{"time_zone", "windows": [{"days": "12345", "opens", "closes"}], "offsets": [[from_ms, seconds]]}` |
/// | `alarm_messages` | `[{"your_moniker", "to_moniker", "contact_number", "supplement"}]` |
/// | `alarm_notice` | `{"title", "text", "link", "image", "cap_s"}` |
/// | `alarm_pad_rows` | rows of a PAD file that were kept |
///
/// In KML a list or object is JSON text. From other programs' files the name is also taken from `NAME`, `title` and
/// the like, the size from `size`, `radius`.
struct ZoneProperties {
  let values: [String: Any]
  /// What was found unusable, one sentence each.
  private(set) var issues: [String] = []

  init(_ values: [String: Any]) { self.values = values }

  var name: Text {
    for key in ["name", "NAME", "Name", "title", "Title", "NAME_LONG", "unit_name", "label", "description"] {
      if let text = string(key), !text.isEmpty { return Text(text) }
    }
    // Work zone data exchange (WZDx) 4.
    if let details = values["core_details"] as? [String: Any] {
      for key in ["name", "description"] {
        if let text = details[key] as? String, !text.isEmpty { return Text(text) }
      }
    }
    return .empty
  }
  var category: Text { Text(string("category") ?? string("kind") ?? "") }
  var outline: String? { string("alarm_outline") }

  mutating func edges(_ standard: EdgeKind) -> EdgeKind {
    word("alarm_edges", ["geodesic": EdgeKind.geodesic, "lonlat": .lonLat]) ?? standard
  }

  /// All but id, name, outline and edges.
  mutating func apply(to zone: inout Zone) {
    zone.category = category
    zone.active = flag("alarm_active") ?? true
    zone.vibrate = flag("alarm_vibrate") ?? true
    zone.priority = number(["alarm_priority"], -2_147_483_648...2_147_483_647).map { Int32($0) } ?? 0
    zone.sleepTime = time(["alarm_sleep_s"])
    zone.size = size(for: zone.outline)
    zone.inset = .metres(number(["alarm_inset_m", "inset_m"], -1e7...1e7) ?? 0)
    zone.alertDistance = .metres(
      number(["alarm_distance_m", "alert_distance_m", "alert_distance"], 0...1e7) ?? 0)
    zone.leadTime = time(["alarm_lead_s"])
    zone.soundName = Text(string("alarm_sound") ?? "")
    zone.trigger = trigger()
    zone.assurance =
      word("alarm_assurance", ["safety": Assurance.safety, "normal": .normal, "relaxed": .relaxed]) ?? .normal
    zone.schedule = schedule()
    zone.messages = messages()
    zone.notice = notice()
    zone.unknownRows = rows()
  }

  func string(_ key: String) -> String? {
    if let text = values[key] as? String { return text }
    if let number = values[key] as? NSNumber, jsonNumber(number) != nil { return number.stringValue }
    return nil
  }

  private func double(_ value: Any?) -> Double? {
    if let number = jsonNumber(value) { return number }
    guard let text = value as? String else { return nil }
    return DecimalNumber.parse(Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
  }

  private mutating func number(_ keys: [String], _ allowed: ClosedRange<Double>) -> Double? {
    for key in keys {
      guard let value = values[key], !(value is NSNull) else { continue }
      if let text = value as? String, text.isEmpty { continue }
      guard let number = double(value) else {
        issues.append("\(key) \"\(Self.excerpt(value))\" found, a number allowed; the default is taken")
        return nil
      }
      guard allowed.contains(number) else {
        issues.append(
          "\(key) \(number) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed; the default is taken"
        )
        return nil
      }
      return number
    }
    return nil
  }

  private mutating func time(_ keys: [String]) -> TimeSpan? { number(keys, 0...1e9).map { .seconds($0) } }

  /// A size that the zone does not need is kept as it is, where it is one at all.
  private mutating func size(for outline: ZoneOutline) -> Distance? {
    let keys = ["alarm_size_m", "size_m", "radius_m", "size", "radius"]
    let needed: Bool
    switch outline {
    case .locations(let places): needed = places.count < 3
    case .path: needed = true
    case .area: needed = false
    }
    if needed {
      return number(keys, Zone.allowedSize.lowerBound.metres...Zone.allowedSize.upperBound.metres).map {
        .metres($0)
      }
    }
    return double(values["alarm_size_m"]).flatMap { (0...1e7).contains($0) ? .metres($0) : nil }
  }

  private mutating func flag(_ key: String) -> Bool? {
    guard let value = values[key] else { return nil }
    switch "\(value)".lowercased() {
    case "1", "true": return true
    case "0", "false": return false
    default:
      issues.append("\(key) \"\(Self.excerpt(value))\" found, true or false allowed; the default is taken")
      return nil
    }
  }

  private mutating func word<Value>(_ key: String, _ words: [String: Value]) -> Value? {
    guard let value = values[key] else { return nil }
    if let text = value as? String, let found = words[text.lowercased()] { return found }
    let allowed = words.keys.sorted().joined(separator: ", ")
    issues.append("\(key) \"\(Self.excerpt(value))\" found, \(allowed) allowed; the default is taken")
    return nil
  }

  private mutating func trigger() -> Trigger {
    let words: [String: Trigger] = [
      "enter": .enter(passingCounts: true), "inside": .enter(passingCounts: false), "leave": .leave,
      "dwell": .dwell(.zero),
    ]
    let found = word("alarm_trigger", words) ?? .enter(passingCounts: true)
    if case .dwell = found { return .dwell(time(["alarm_dwell_s"]) ?? .zero) }
    return found
  }

  /// A list or an object, as such or as JSON text.
  private mutating func structure(_ key: String) -> Any? {
    guard let value = values[key], !(value is NSNull) else { return nil }
    guard let text = value as? String else { return value }
    if let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8)) { return parsed }
    issues.append("\(key) \"\(Self.excerpt(value))\" found, JSON allowed; it is ignored")
    return nil
  }

  private mutating func schedule() -> Schedule? {
    guard let value = structure("alarm_schedule") else { return nil }
    guard let members = value as? [String: Any] else {
      issues.append("alarm_schedule is no object; the zone is always on duty")
      return nil
    }
    var windows: [Schedule.Window] = []
    for entry in members["windows"] as? [Any] ?? [] {
      guard let window = (entry as? [String: Any]).flatMap(Self.window) else {
        issues.append("alarm_schedule has a window that cannot be read; the zone is always on duty")
        return nil
      }
      windows.append(window)
    }
    let offsets = (members["offsets"] as? [Any] ?? []).compactMap { Self.offset($0) }
    return Schedule(windows: windows, timeZone: Text(members["time_zone"] as? String ?? ""), offsets: offsets)
  }

  private static func window(_ members: [String: Any]) -> Schedule.Window? {
    guard let days = members["days"] as? String, let opens = jsonNumber(members["opens"]),
      let closes = jsonNumber(members["closes"]), (0...1439).contains(opens), (0...1440).contains(closes),
      opens == opens.rounded(.down), closes == closes.rounded(.down)
    else { return nil }
    var weekdays: UInt8 = 0
    for digit in days.utf8 {
      guard (49...55).contains(digit) else { return nil }
      weekdays |= 1 << (digit - 49)
    }
    return .init(weekdays: .init(rawValue: weekdays), opens: Int(opens), closes: Int(closes))
  }

  private static func offset(_ value: Any) -> Schedule.Offset? {
    guard let pair = value as? [Any], pair.count == 2, let from = jsonNumber(pair[0]),
      let seconds = jsonNumber(pair[1]), abs(seconds) <= 172_800,
      from >= Double(Instant.allowed.lowerBound.millisecondsSince1970),
      from <= Double(Instant.allowed.upperBound.millisecondsSince1970)
    else { return nil }
    return .init(from: Instant(millisecondsSince1970: Int64(from)), seconds: Int32(seconds))
  }

  private mutating func messages() -> [Message] {
    guard let list = structure("alarm_messages") as? [Any] else { return [] }
    return list.compactMap { $0 as? [String: Any] }.map { members in
      func text(_ key: String) -> Text { Text(members[key] as? String ?? "") }
      return Message(
        yourMoniker: text("your_moniker"), toMoniker: text("to_moniker"),
        contactNumber: text("contact_number"),
        supplement: text("supplement"))
    }
  }

  private mutating func notice() -> Notice? {
    guard let members = structure("alarm_notice") as? [String: Any] else { return nil }
    func text(_ key: String) -> Text { Text(members[key] as? String ?? "") }
    let cap = jsonNumber(members["cap_s"]).flatMap { (0...1e9).contains($0) ? $0 : nil } ?? 0
    return Notice(
      title: text("title"), text: text("text"), link: text("link"), image: text("image"), cap: .seconds(cap))
  }

  private mutating func rows() -> [[Text]] {
    guard let rows = structure("alarm_pad_rows") as? [Any] else { return [] }
    return rows.prefix(PADReader.maximumRows).compactMap { row in
      (row as? [Any])?.map { Text($0 as? String ?? "") }
    }
  }

  static func excerpt(_ value: Any) -> String { String("\(value)".prefix(60)) }
}
