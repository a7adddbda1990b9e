import AlarmEngine
import Geometry

/// P7: what we say to Home Assistant, where we are a device as its own app is one.
public enum HomeAssistantMessage: Hashable, Sendable {
  /// To `<instance>/api/mobile_app/registrations`, once, with a bearer token.
  case registration(deviceID: String, deviceName: String, version: String)
  /// To a webhook.
  case updateLocation(
    Fix, battery: Double? = nil, altitude: Distance? = nil, verticalAccuracy: Distance? = nil)
  /// To a webhook, instead of coordinates: the name of a zone there, or nil for none. Entity ids of zones where the
  /// instance knows `in_zones`.
  case updateZone(name: String?, zones: [String] = [])
  /// To a webhook: `proximity_alarm`, which an automation there waits for.
  case alarm(AlarmID, zone: String, state: String)

  public static let eventType = "proximity_alarm"

  public var body: [UInt8] { Array(json.text.utf8) }

  var json: JSONValue {
    switch self {
    case .registration(let deviceID, let deviceName, let version):
      return .object([
        ("device_id", .string(deviceID)), ("app_id", .string("proximity_alarm")),
        ("app_name", .string("Proximity Alarm")), ("app_version", .string(version)),
        ("device_name", .string(deviceName)), ("manufacturer", .string("Proximity Alarm")),
        ("model", .string("server")), ("os_name", .string("Proximity Alarm")),
        ("os_version", .string(version)),
        ("supports_encryption", .bool(false)), ("app_data", .object([])),
      ])
    case .updateLocation(let fix, let battery, let altitude, let verticalAccuracy):
      var data: [(String, JSONValue)] = [
        (
          "gps",
          .array([.number(fix.position.latitude.degrees), .number(fix.position.longitude.degrees)])
        )
      ]
      if case .radius(let radius) = fix.accuracy { data.append(("gps_accuracy", .wholeUp(radius.metres))) }
      if let battery { data.append(("battery", .wholeUp((min(max(battery, 0), 1) * 100).rounded()))) }
      if let speed = fix.speed { data.append(("speed", .wholeUp(speed.metresPerSecond.rounded()))) }
      if let altitude { data.append(("altitude", .whole(altitude.metres))) }
      if let course = fix.course { data.append(("course", .whole(course.degrees))) }
      if let verticalAccuracy { data.append(("vertical_accuracy", .wholeUp(verticalAccuracy.metres))) }
      return Self.webhook("update_location", data)
    case .updateZone(let name, let zones):
      var data: [(String, JSONValue)] = [("location_name", .string(name ?? "not_home"))]
      if !zones.isEmpty { data.append(("in_zones", .array(zones.map { .string($0) }))) }
      return Self.webhook("update_location", data)
    case .alarm(let id, let zone, let state):
      return Self.webhook(
        "fire_event",
        [
          ("event_type", .string(Self.eventType)),
          (
            "event_data",
            .object([("alarm", .string("\(id)")), ("zone", .string(zone)), ("state", .string(state))])
          ),
        ])
    }
  }

  private static func webhook(_ type: String, _ data: [(String, JSONValue)]) -> JSONValue {
    .object([("type", .string(type)), ("data", .object(data))])
  }
}

/// Where to post, as Home Assistant answers a registration.
public struct HomeAssistantWebhook: Hashable, Sendable {
  public var id: String
  public var cloudhook: String?
  public var remote: String?
  public var secret: String?

  /// - Returns: nil where the answer names no webhook.
  public init?(answer bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(Array(PhoneBody.text(bytes))), let id = value["webhook_id"]?.words
    else {
      return nil
    }
    self.id = id
    cloudhook = value["cloudhook_url"]?.words
    remote = value["remote_ui_url"]?.words
    secret = value["secret"]?.words
  }

  /// Addresses to try, in this order.
  public func urls(instance: String) -> [String] {
    var urls = cloudhook.map { [$0] } ?? []
    for base in [remote, instance].compactMap({ $0 }) {
      urls.append(
        (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/api/webhook/\(PercentCoding.encode(id))")
    }
    return urls
  }

  public enum Outcome: Hashable, Sendable {
    case taken
    /// It will not be taken as it is: a mistake of ours.
    case refused
    /// Later, or at the next address: the integration is not loaded, or the instance is in trouble.
    case tryAgain
    /// The device was removed there.
    case registerAgain
  }

  /// What the status of an answer means.
  public static func outcome(status: Int) -> Outcome {
    switch status {
    case 200...299: .taken
    case 410: .registerAgain
    case 404, 408, 429, 500...599: .tryAgain
    default: .refused
    }
  }
}

extension JSONValue {
  /// The nearest whole number; beyond 2e9 it is cut.
  static func whole(_ value: Double) -> Self {
    .integer(Int64(min(max(value.rounded(), -2_000_000_000), 2_000_000_000)))
  }
}
