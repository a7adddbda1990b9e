import AlarmEngine
import Geometry

/// A number that people set in a page (S157-S165), by the name that the server's API has for it too.
///
/// The unit ends the name. Switches and words (`bypass_to_map`, theme) are the page's own matter.
enum PageSetting: CaseIterable {
  case alarmCycle, defaultSleep, defaultRadius, maximumSpeed
  /// The Standard Threshold (S113).
  case dangerMargin
  /// Settings that OwnTracks is set up with.
  case distanceFilter, closeRegionTimeout
  case mapSelectorRange, zoneMapRange
  case reminderRadius

  /// The settings that the engine has on every device are in its table of ranges.
  private var field: RangedField? {
    switch self {
    case .alarmCycle: .alarmCycle
    case .defaultSleep: .defaultSleep
    case .defaultRadius: .defaultRadius
    case .maximumSpeed: .maximumSpeed
    case .dangerMargin: .dangerMargin
    case .reminderRadius: .reminderRadius
    case .distanceFilter, .closeRegionTimeout, .mapSelectorRange, .zoneMapRange: nil
    }
  }

  var name: Text {
    switch self {
    case .alarmCycle: "alarm_cycle_s"
    case .defaultSleep: "default_sleep_s"
    case .defaultRadius: "default_radius_m"
    case .maximumSpeed: "maximum_speed_m_s"
    case .dangerMargin: "danger_margin_m"
    case .distanceFilter: "distance_filter_m"
    case .closeRegionTimeout: "close_region_timeout_s"
    case .mapSelectorRange: "map_selector_range_km"
    case .zoneMapRange: "zone_map_range_km"
    case .reminderRadius: "reminder_radius_m"
    }
  }

  /// The range of allowed values, here and in the server's API.
  var allowed: ClosedRange<Double> {
    if let field { return field.allowed }
    return switch self {
    case .alarmCycle, .defaultSleep, .defaultRadius, .maximumSpeed, .dangerMargin, .reminderRadius: 0...0
    case .distanceFilter: 0...1e5
    // Android wakes an app no more often.
    case .closeRegionTimeout: 900...86_400
    case .mapSelectorRange, .zoneMapRange: 0.01...40_000
    }
  }

  var byDefault: Double {
    if let value = field?.byDefault { return value }
    return switch self {
    case .alarmCycle, .defaultSleep, .defaultRadius, .maximumSpeed, .dangerMargin, .reminderRadius: 0
    case .distanceFilter: 50
    case .closeRegionTimeout: 900
    case .mapSelectorRange: 500
    case .zoneMapRange: 50
    }
  }

  /// Those that differ from the product's default, as the page sets them.
  static func form(of settings: Settings) -> PageValue {
    var entries: [PageValue.Entry] = []
    for setting in allCases {
      guard let value = setting.field?.value(in: settings), value != setting.byDefault else { continue }
      entries.add(setting.name, .number(value))
    }
    return .map(entries)
  }

  /// Sets an allowed value in a page engine's settings. Settings that the engine does not use are ignored.
  func apply(_ value: Double, to settings: inout Settings) {
    if let field { try? settings.set(field, to: value) }
  }

  /// All of them: `name`, `least`, `most`, `default`.
  static var list: PageValue {
    .map([
      .init(
        "settings",
        .list(
          allCases.map {
            .map([
              .init("name", .text($0.name)), .init("least", .number($0.allowed.lowerBound)),
              .init("most", .number($0.allowed.upperBound)), .init("default", .number($0.byDefault)),
            ])
          }))
    ])
  }
}

extension Fields {
  /// Reads the settings of the form; absent ones keep the product's default.
  func settings() throws(Refusal) -> Settings {
    var settings = Settings.phone
    guard let form = present("settings") else { return settings }
    let fields = Fields(form)
    for setting in PageSetting.allCases {
      guard let value = try fields.asked(number: setting.name, setting.allowed) else { continue }
      setting.apply(value, to: &settings)
    }
    return settings
  }
}
