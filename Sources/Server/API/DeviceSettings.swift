import AlarmEngine
import Formats
import Geometry

/// What a person can set for a device, and for all devices of an account (`design.md`, 8): kept as JSON with the names
/// of the API.
public enum DeviceSettings {
  static let members: [Schema.Member] = [
    .allowed("alarm_cycle_s", .number(.alarmCycle), "Between two rings; 10 if left out."),
    .allowed("default_sleep_s", .number(.defaultSleep), "Where a zone states none; 10 if left out."),
    .allowed("default_radius_m", .number(.defaultRadius), "Where a zone states no size; 50 if left out."),
    .allowed("maximum_speed_m_s", .number(.maximumSpeed), "Up to which the guarantee holds; 45."),
    .allowed("unstated_accuracy_m", .number(.unstatedAccuracy), "For fixes that state none; 100."),
    .allowed("danger_margin_m", .number(.dangerMargin), "So near, losing the signal is an event; 50."),
    .allowed("signal_timeout_s", .number(.signalTimeout), "Without a fix for so long, it is lost; 120."),
    .allowed(
      "low_battery_percent", .number(0...highestLowBattery),
      "A battery that falls so low is an alarm; 0 never is one; 10."),
    .allowed("repeat_horizon_s", .number(.repeatHorizon), "An unanswered alarm repeats for so long; 86400."),
  ]

  /// The engine's settings.
  /// - Parameter layers: JSON objects, the more particular later; what they leave out keeps its default.
  public static func settings(_ layers: [String]) -> Settings {
    var settings = Settings.phone
    for layer in layers {
      guard let value = try? JSONValue.parse(Array(layer.utf8)), value.isObject else { continue }
      for member in members {
        guard let number = value[member.name], member.schema.findings(in: number).isEmpty,
          let given = number.double
        else { continue }
        apply(member.name, given, to: &settings)
      }
    }
    return settings
  }

  static let highestLowBattery = 50.0

  /// At which level of the battery an alarm rings, 0 to 1.
  static func lowBattery(_ layers: [String]) -> Double {
    var percent = 10.0
    for layer in layers {
      if let given = (try? JSONValue.parse(Array(layer.utf8)))?["low_battery_percent"]?.double,
        (0...highestLowBattery).contains(given)
      {
        percent = given
      }
    }
    return percent / 100
  }

  private static func apply(_ name: String, _ value: Double, to settings: inout Settings) {
    switch name {
    case "alarm_cycle_s": settings.alarmCycleTime = .seconds(value)
    case "default_sleep_s": settings.defaultSleepTime = .seconds(value)
    case "default_radius_m": settings.defaultRadius = .metres(value)
    case "maximum_speed_m_s": settings.maximumSpeed = .metresPerSecond(value)
    case "unstated_accuracy_m": settings.unstatedAccuracy = .metres(value)
    case "danger_margin_m": settings.dangerMargin = .metres(value)
    case "signal_timeout_s": settings.signalTimeout = .seconds(value)
    case "repeat_horizon_s": settings.repeatHorizon = .seconds(value)
    // The server's own; the engine knows nothing of batteries.
    case "low_battery_percent": break
    default: preconditionFailure("\(name) is no setting")
    }
  }

  /// What the store has, as far as it is allowed still.
  static func json(stored text: String) -> JSONValue {
    guard let members = (try? JSONValue.parse(Array(text.utf8)))?.members else { return .object([]) }
    return .object(
      members.filter { name, value in
        self.members.first { $0.name == name }?.schema.findings(in: value).isEmpty ?? false
      })
  }
}
