import AlarmEngine
import Formats
import Geometry
import MQTTClient
import Store

/// The retained messages about a phone on the broker: its position, and its presence in each zone.
///
/// They depend only on the store's content, so that they can be compared with those on the broker.
struct MQTTPhoneStates {
  /// A zone, and whether the phone is in it.
  struct Place {
    let id: ZoneID
    let name: String
    let presence: MQTTPresence.State
  }

  /// The first level of the server's topics.
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

  /// The prefix of the phone's topics.
  var base: String { Self.base(root, login, device) }
  var stateTopic: String { "\(base)/state" }
  var alarmTopic: String { "\(base)/alarm" }
  func topic(of zone: ZoneID) -> String { Self.topic(of: zone, below: base) }

  static func base(_ root: String, _ login: String, _ device: DeviceID) -> String {
    "\(root)/\(MQTTTopic.level(login))/\(device)"
  }
  static func topic(of zone: ZoneID, below base: String) -> String { "\(base)/zone/\(zone)" }

  /// The topics to subscribe to in order to learn which states the broker has.
  static func filters(_ root: String) -> [String] { ["\(root)/+/+/state", "\(root)/+/+/zone/+"] }

  /// True if a topic below our first level carries a retained state.
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

  /// Position, accuracy, battery and zones have the names that Home Assistant expects.
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

/// The presence of a phone in a zone, judged by its last position alone, for programs that read it now and
/// then. The zone's alarm decides about ringing; it uses more data.
enum MQTTPresence {
  enum State: String, CaseIterable, Sendable { case inside, outside, unknown }

  /// The phone counts as inside as long as the circle that holds it reaches at most this far out of the zone.
  static let reach = Distance.metres(100)

  /// - Parameters:
  ///   - distance: from the position to the zone's edge, negative inside.
  ///   - accuracy: the radius of the circle that holds the phone; nil if the phone calls its position
  ///     invalid.
  ///   - before: the previous state.
  /// - Returns: `before` if the position is not decisive.
  static func state(_ distance: Distance, accuracy: Distance?, before: State) -> State {
    guard let accuracy else { return before }
    if distance <= .zero, distance + accuracy <= reach { return .inside }
    if distance > accuracy { return .outside }
    return before
  }
}
