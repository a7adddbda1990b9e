import AlarmEngine
import Formats
import Geometry
import MQTTClient
import Store

/// What stands retained on the broker about a phone: where it is, and in which zones.
///
/// Made of what the store has, and the same for the same, so that it can be compared with what the broker has.
struct MQTTPhoneStates {
  /// A zone, and whether the phone is in it.
  struct Place {
    let id: ZoneID
    let name: String
    let presence: MQTTPresence.State
  }

  /// The first level of our topics.
  let root: String
  let login: String
  let device: DeviceID
  let name: String
  let fix: Fix?
  let lastSeen: Instant?
  /// 0 to 1.
  let battery: Double?
  let places: [Place]
  let sharesPosition: Bool

  /// The topics of the phone are below it.
  var base: String { Self.base(root, login, device) }
  var stateTopic: String { "\(base)/state" }
  var alarmTopic: String { "\(base)/alarm" }
  func topic(of zone: ZoneID) -> String { Self.topic(of: zone, below: base) }

  static func base(_ root: String, _ login: String, _ device: DeviceID) -> String {
    "\(root)/\(MQTTTopic.level(login))/\(device)"
  }
  static func topic(of zone: ZoneID, below base: String) -> String { "\(base)/zone/\(zone)" }

  /// What the server has to read to know which states the broker has.
  static func filters(_ root: String) -> [String] { ["\(root)/+/+/state", "\(root)/+/+/zone/+"] }

  /// Whether a topic below our first level is of a retained state.
  static func isState(_ topic: String) -> Bool {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return (levels.count == 4 && levels[3] == "state") || (levels.count == 5 && levels[3] == "zone")
  }

  /// Payloads by topics.
  var messages: [String: [UInt8]] {
    var messages = [stateTopic: JSONValue.object(state).bytes]
    for place in places {
      messages[topic(of: place.id)] =
        JSONValue.object([
          ("state", .string(place.presence.rawValue)), ("zone", .string(place.name)),
          ("device", .string(name)),
        ]).bytes
    }
    return messages
  }

  /// Positions, accuracy, battery and zones have the names by which Home Assistant knows them.
  private var state: [(String, JSONValue)] {
    let inside = places.filter { $0.presence == .inside }
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("in_zones", .array(inside.map { .string($0.name) })),
      ("zone_ids", .array(inside.map { .string("\($0.id)") })),
    ]
    if let lastSeen { members.append(("last_seen", .string(RFC3339.string(from: lastSeen)))) }
    if let fix {
      members.append(("measured_at", .string(RFC3339.string(from: fix.measuredAt))))
      if sharesPosition {
        members += [
          ("latitude", .number(fix.position.latitude.degrees)),
          ("longitude", .number(fix.position.longitude.degrees)),
        ]
      }
      if case .radius(let radius) = fix.accuracy { members.append(("gps_accuracy", .number(radius.metres))) }
    }
    if let battery { members.append(("battery_level", .integer(Int64((battery * 100).rounded())))) }
    return members
  }
}

/// Whether a phone is in a zone, by its last position alone: for programs that look at it from time to time. What rings is
/// decided by the zone's alarm, which knows more.
enum MQTTPresence {
  enum State: String, CaseIterable, Sendable { case inside, outside, unknown }

  /// How far out of a zone the circle that holds the phone may reach where the phone is still taken for inside.
  static let reach = Distance.metres(100)

  /// - Parameters:
  ///   - distance: of the position to the zone's edge, negative inside.
  ///   - accuracy: radius of the circle that holds the phone; nil where the phone calls its position invalid.
  ///   - before: what it was.
  /// - Returns: `before` where the position does not tell.
  static func state(_ distance: Distance, accuracy: Distance?, before: State) -> State {
    guard let accuracy else { return before }
    if distance <= .zero, distance + accuracy <= reach { return .inside }
    if distance > accuracy { return .outside }
    return before
  }
}
