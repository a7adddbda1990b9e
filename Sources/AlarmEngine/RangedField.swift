import Geometry

/// A number that people, files and programs give for a zone, a reminder or a device: its name, its unit, its
/// range and its default.
///
/// This is the only table of ranges. PAD, GeoJSON, KML, sync records, the page's forms, the server's API and
/// its settings use it, so that a number accepted by one of them is accepted by all.
///
/// | field | unit | allowed | default |
/// | --- | --- | --- | --- |
/// | `priority` | whole number | 32 bits | 0 |
/// | `sleep_s` | seconds | 0 to 1,000,000,000 (31 years) | `default_sleep_s` |
/// | `size_m` | metres | 0 to 10,000,000; see below | `default_radius_m` |
/// | `inset_m` | metres | -10,000,000 to 10,000,000 | 0 |
/// | `alert_distance_m` | metres | 0 to 10,000,000 | 0 |
/// | `lead_s`, `dwell_s` | seconds | 0 to 1,000,000,000 | none |
/// | `floor_m`, `ceiling_m` | metres over sea level | -12,000 to 100,000 | none |
/// | `cap_s` of a notice | seconds | 0 to 1,000,000,000 | 0 |
/// | `radius_m` of a reminder | metres | 50 to 5,000 | 150 |
/// | `alarm_cycle_s` | seconds | 1 to 3,600 | 10 |
/// | `default_sleep_s` | seconds | 0 to 86,400 | 10 |
/// | `default_radius_m` | metres | 1 to 1,000,000 | 50 |
/// | `maximum_speed_m_s` | metres a second | 1 to 340 | 45 |
/// | `unstated_accuracy_m` | metres | 0 to 10,000 | 100 |
/// | `danger_margin_m` | metres | 0 to 1,000,000 | 50 |
/// | `signal_timeout_s` | seconds | 10 to 86,400 | 120 |
/// | `repeat_horizon_s` | seconds | 60 to 604,800 | 86,400 |
/// | `report_interval_s` | seconds | 60 to 2,592,000 | none |
///
/// A size of zero is kept for polygons, where it has no meaning, because old PAD files state it; a circle or
/// a path needs ``Zone/allowedSize``.
public enum RangedField: UInt8, CaseIterable, Hashable, Sendable {
  // Fields of a zone.
  case priority, sleepTime, size, inset, alertDistance, leadTime, floor, ceiling, dwell, noticeCap
  // A field of a reminder.
  case reminderRadius
  // Settings of a device.
  case alarmCycle, defaultSleep, defaultRadius, maximumSpeed, unstatedAccuracy, dangerMargin, signalTimeout,
    repeatHorizon
  // A field of a device.
  case reportInterval

  public enum Unit: UInt8, Hashable, Sendable {
    case wholeNumber, seconds, metres, metresPerSecond
  }

  /// The name in the server's API, which ends in the unit.
  public var name: Text {
    switch self {
    case .priority: ZoneMember.priority.word
    case .sleepTime: ZoneMember.sleepTime.word
    case .size: ZoneMember.size.word
    case .inset: ZoneMember.inset.word
    case .alertDistance: ZoneMember.alertDistance.word
    case .leadTime: ZoneMember.leadTime.word
    case .floor: ZoneMember.floor.word
    case .ceiling: ZoneMember.ceiling.word
    case .dwell: ZoneMember.dwell.word
    case .noticeCap: "cap_s"
    case .reminderRadius: "radius_m"
    case .alarmCycle: "alarm_cycle_s"
    case .defaultSleep: "default_sleep_s"
    case .defaultRadius: "default_radius_m"
    case .maximumSpeed: "maximum_speed_m_s"
    case .unstatedAccuracy: "unstated_accuracy_m"
    case .dangerMargin: "danger_margin_m"
    case .signalTimeout: "signal_timeout_s"
    case .repeatHorizon: "repeat_horizon_s"
    case .reportInterval: "report_interval_s"
    }
  }

  public var unit: Unit {
    switch self {
    case .priority: .wholeNumber
    case .sleepTime, .leadTime, .dwell, .noticeCap, .alarmCycle, .defaultSleep, .signalTimeout,
      .repeatHorizon, .reportInterval:
      .seconds
    case .size, .inset, .alertDistance, .floor, .ceiling, .reminderRadius, .defaultRadius, .unstatedAccuracy,
      .dangerMargin:
      .metres
    case .maximumSpeed: .metresPerSecond
    }
  }

  /// The numbers that belong to a zone itself, in the order of its forms.
  public static let ofZone: [Self] = [
    .priority, .sleepTime, .size, .inset, .alertDistance, .leadTime, .floor, .ceiling,
  ]

  /// True for a height over sea level.
  public var isHeight: Bool { self == .floor || self == .ceiling }

  /// In `unit`.
  public var allowed: ClosedRange<Double> {
    switch self {
    case .priority: -2_147_483_648...2_147_483_647
    case .sleepTime, .leadTime, .dwell, .noticeCap: 0...1e9
    // A quarter of the way round the earth.
    case .size, .alertDistance: 0...1e7
    case .inset: -1e7...1e7
    case .floor, .ceiling: Altitude.allowed
    case .reminderRadius: 50...5000
    case .alarmCycle: 1...3600
    case .defaultSleep: 0...86_400
    case .defaultRadius: 1...1e6
    case .maximumSpeed: 1...340
    case .unstatedAccuracy: 0...10_000
    case .dangerMargin: 0...1e6
    case .signalTimeout: 10...86_400
    case .repeatHorizon: 60...604_800
    case .reportInterval: 60...2_592_000
    }
  }

  /// The default for a phone, in `unit`; nil if a missing number means that there is none, or that a setting
  /// applies.
  public var byDefault: Double? {
    switch self {
    case .priority, .inset, .alertDistance, .noticeCap: 0
    case .reminderRadius: Reminder.defaultRadius.metres
    default: value(in: .phone)
    }
  }

  /// The setting's value, in `unit`; nil for a field that is no setting of a device.
  public func value(in settings: Settings) -> Double? {
    switch self {
    case .priority, .sleepTime, .size, .inset, .alertDistance, .leadTime, .floor, .ceiling, .dwell,
      .noticeCap,
      .reminderRadius, .reportInterval:
      nil
    case .alarmCycle: settings.alarmCycleTime.seconds
    case .defaultSleep: settings.defaultSleepTime.seconds
    case .defaultRadius: settings.defaultRadius.metres
    case .maximumSpeed: settings.maximumSpeed.metresPerSecond
    case .unstatedAccuracy: settings.unstatedAccuracy.metres
    case .dangerMargin: settings.dangerMargin.metres
    case .signalTimeout: settings.signalTimeout.seconds
    case .repeatHorizon: settings.repeatHorizon.seconds
    }
  }
}

/// A number beyond what its field allows: ``RangedField/allowed``.
public struct NumberOutOfRange: Error, Hashable, Sendable {
  public let field: RangedField
  /// In the field's unit.
  public let given: Double

  public init(_ field: RangedField, given: Double) {
    self.field = field
    self.given = given
  }
}

extension ZoneDraft {
  /// Checks all numbers against the table of ranges.
  /// - Throws: the first number that is out of range.
  func checkNumbers() throws(NumberOutOfRange) {
    for field in RangedField.allCases { try Self.check(self[field], field) }
  }

  /// Returns the draft with every number that is out of range replaced by the default of a new zone, and a
  /// trigger's time by zero. A floor that is not below the ceiling is removed, and so is the ceiling.
  public func withNumbersInRange() -> ZoneDraft {
    var draft = self
    for field in RangedField.allCases where (try? Self.check(self[field], field)) == nil {
      draft[field] = nil
    }
    if let floor = draft.floor, let ceiling = draft.ceiling, floor >= ceiling {
      (draft.floor, draft.ceiling) = (nil, nil)
    }
    return draft
  }

  private static func check(_ number: Double?, _ field: RangedField) throws(NumberOutOfRange) {
    guard let number, !field.allowed.contains(number) else { return }
    throw NumberOutOfRange(field, given: number)
  }
}
