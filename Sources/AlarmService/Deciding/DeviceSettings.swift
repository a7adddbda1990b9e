import AlarmEngine
import Formats
import Geometry

/// A setting that a person can change: its name in the API and in the store, and its allowed values.
package struct SettingField: Sendable {
  package enum Form: Sendable {
    case number(RangedField)
    case numberIn(ClosedRange<Double>)
    case numbers(ClosedRange<Double>, upTo: Int)
  }

  package let name: String
  package let form: Form
  package let meaning: String

  init(_ name: String, _ form: Form, _ meaning: String) {
    self.name = name
    self.form = form
    self.meaning = meaning
  }

  func allows(_ value: JSONValue) -> Bool {
    switch form {
    case .number(let field):
      let isWhole = field.unit == .wholeNumber
      return value.double.map { field.allowed.contains($0) && (!isWhole || $0 == $0.rounded()) } ?? false
    case .numberIn(let allowed): return value.double.map(allowed.contains) ?? false
    case .numbers(let allowed, let most):
      guard let list = value.list, list.count <= most else { return false }
      return list.allSatisfy { $0.double.map(allowed.contains) ?? false }
    }
  }
}

/// The settings that a person can change for a device, and for all devices of an account (`design.md`, 8).
/// They are stored as JSON with the names of the API.
public enum DeviceSettings {
  package static let members: [SettingField] = [
    SettingField("alarm_cycle_s", .number(.alarmCycle), "Time between two rings; 10 if left out."),
    SettingField(
      "default_sleep_s", .number(.defaultSleep), "Sleep time of zones that state none; 10 if left out."),
    SettingField(
      "default_radius_m", .number(.defaultRadius), "Radius of zones that state no size; 50 if left out."),
    SettingField(
      "maximum_speed_m_s", .number(.maximumSpeed),
      "Highest speed for which the guarantee holds; 45 if left out."),
    SettingField(
      "unstated_accuracy_m", .number(.unstatedAccuracy), "Accuracy of fixes that state none; 100 if left out."
    ),
    SettingField(
      "danger_margin_m", .number(.dangerMargin),
      "Distance to a zone within which losing the signal is an event; 50 if left out."),
    SettingField(
      "signal_timeout_s", .number(.signalTimeout),
      "Time without a fix after which the signal is lost; 120 if left out."),
    SettingField(
      "low_battery_percent", .numberIn(0...highestLowBattery),
      "Battery level at which an alarm rings; 0 for never, 10 if left out."),
    SettingField(
      "repeat_horizon_s", .number(.repeatHorizon),
      "Time for which an unanswered alarm repeats; 86400 if left out."),
  ]

  /// Returns the engine's settings.
  /// - Parameter layers: JSON objects, the more specific ones later. Missing members keep their default.
  public static func settings(_ layers: [String]) -> Settings {
    var settings = Settings.phone
    for layer in layers {
      guard let value = try? JSONValue.parse(Array(layer.utf8)), value.isObject else { continue }
      for member in members {
        // The others are settings of the server only.
        guard case .number(let field) = member.form, let given = value[member.name]?.double else { continue }
        // A number that is not allowed any more leaves the setting as it is.
        try? settings.set(field, to: given)
      }
    }
    return settings
  }

  static let highestLowBattery = 50.0

  /// Returns the battery level at which an alarm rings, 0 to 1.
  package static func lowBattery(_ layers: [String]) -> Double {
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

  /// Returns the stored settings that are still allowed.
  package static func json(stored text: String) -> JSONValue {
    guard let members = (try? JSONValue.parse(Array(text.utf8)))?.members else { return .object([]) }
    return .object(
      members.filter { name, value in
        self.members.first { $0.name == name }?.allows(value) ?? false
      })
  }
}
