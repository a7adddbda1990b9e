/// A member of a zone: the only catalogue of their names.
///
/// The page's forms and the server's API use ``word``, GeoJSON properties and KML data the first of
/// ``propertyNames``. PAD has rows of its own (`PADKey`), a synchronised record has numbers (``field``).
public enum ZoneMember: UInt8, CaseIterable, Hashable, Sendable {
  case name, category, active, vibrate, priority, sleepTime, size, inset, alertDistance, leadTime, floor,
    ceiling,
    soundName, outline, edges, trigger, dwell, schedule, assurance, messages, notice, unknownRows

  /// The name, which ends in the unit of a number. Never changed, because forms and files contain it.
  public var word: Text {
    switch self {
    case .name: "name"
    case .category: "category"
    case .active: "active"
    case .vibrate: "vibrate"
    case .priority: "priority"
    case .sleepTime: "sleep_s"
    case .size: "size_m"
    case .inset: "inset_m"
    case .alertDistance: "alert_distance_m"
    case .leadTime: "lead_s"
    case .floor: "floor_m"
    case .ceiling: "ceiling_m"
    case .soundName: "sound"
    case .outline: "outline"
    case .edges: "edges"
    case .trigger: "trigger"
    case .dwell: "dwell_s"
    case .schedule: "schedule"
    case .assurance: "assurance"
    case .messages: "messages"
    case .notice: "notice"
    case .unknownRows: "pad_rows"
    }
  }

  /// The field of a synchronised record that contains the member.
  public var field: ZoneField {
    switch self {
    case .name: .name
    case .category: .category
    case .active: .active
    case .vibrate: .vibrate
    case .priority: .priority
    case .sleepTime: .sleepTime
    case .size: .size
    case .inset: .inset
    case .alertDistance: .alertDistance
    case .leadTime: .leadTime
    case .floor, .ceiling: .band
    case .soundName: .soundName
    case .outline, .edges: .outline
    case .trigger, .dwell: .trigger
    case .schedule: .schedule
    case .assurance: .assurance
    case .messages: .messages
    case .notice: .notice
    case .unknownRows: .unknownRows
    }
  }

  /// The range and the default; nil if the member is no number.
  public var number: RangedField? {
    switch self {
    case .priority: .priority
    case .sleepTime: .sleepTime
    case .size: .size
    case .inset: .inset
    case .alertDistance: .alertDistance
    case .leadTime: .leadTime
    case .floor: .floor
    case .ceiling: .ceiling
    case .dwell: .dwell
    case .name, .category, .active, .vibrate, .soundName, .outline, .edges, .trigger, .schedule, .assurance,
      .messages, .notice, .unknownRows:
      nil
    }
  }

  /// The names of GeoJSON properties and KML data that contain it. The first one is written; the first one
  /// present is read. Names without `alarm_` are those of other programs.
  public var propertyNames: [Text] {
    switch self {
    case .name:
      [
        "name", "NAME", "Name", "title", "Title", "NAME_LONG", "unit_name", "label", "description",
        // Substitutes for a name.
        "TZID", "tzid", "code", "CODE", "Code", "ref", "REF",
      ]
    case .category: ["category", "kind"]
    case .size: [Self.property(word), "size_m", "radius_m", "size", "radius"]
    case .inset: [Self.property(word), "inset_m"]
    // Earlier versions wrote the second.
    case .alertDistance: [Self.property(word), "alarm_distance_m", "alert_distance_m", "alert_distance"]
    case .active, .vibrate, .priority, .sleepTime, .leadTime, .floor, .ceiling, .soundName, .outline, .edges,
      .trigger, .dwell, .schedule, .assurance, .messages, .notice, .unknownRows:
      [Self.property(word)]
    }
  }

  private static func property(_ word: Text) -> Text {
    Text(utf8: Text("alarm_").utf8 + word.utf8)
  }
}
