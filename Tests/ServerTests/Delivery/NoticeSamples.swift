import AlarmEngine
import Geometry
import Store

@testable import AlarmService
@testable import Delivery
@testable import Server

/// 2026-09-21T14:13:20Z
let someTime = Instant(millisecondsSince1970: 1_790_000_000_000)

/// Tests use loopback endpoints.
let anywhere = TargetPolicy(allowsPrivateNetworks: true)

func notice(
  _ kind: AlarmNotice.Kind = .ring, sequence: UInt32 = 0, zone: String = "Cliff edge", pad: [UInt8]? = nil,
  device: String = "anna", cause: Cause? = .inside, isPositionShown: Bool = true, messages: [String] = [],
  sound: String? = nil, priority: Int32 = 0, links: AlarmNotice.Links = sampleLinks
) -> AlarmNotice {
  AlarmNotice(
    alarm: AlarmID(rawValue: 0x1f), sequence: sequence,
    message(kind, .init(id: ZoneID(rawValue: 7), name: zone), cause),
    device: AlarmNotice.Device(id: DeviceID(rawValue: 3), name: device), time: someTime,
    learnedAt: someTime + .seconds(2), distance: isPositionShown ? .metres(-38.4) : nil,
    position: isPositionShown
      ? AlarmNotice.Position(
        coordinate: Coordinate(latitude: .degrees(46.051), longitude: .degrees(-14.505)),
        accuracy: .metres(11.2)) : nil,
    messages: messages, sound: sound, priority: priority, links: links, pad: pad)
}

/// A message of each kind.
func message(_ kind: AlarmNotice.Kind, _ place: AlarmNotice.Place, _ cause: Cause? = .inside)
  -> AlarmNotice.Message
{
  let content = AlarmNotice.Content(title: "Fresh bread", text: "Until noon.")
  return switch kind {
  case .ring: .ring(place, cause ?? .inside)
  case .repeat: .repeat(place, cause ?? .inside)
  case .cleared: .cleared(.place(place, cause))
  case .missedSignal: .missedSignal(place)
  case .deviceSilent: .deviceSilent
  case .batteryLow: .batteryLow(level: 0.09)
  case .distress: .distress
  case .checkInMissed: .checkInMissed
  case .checkInOver: .checkInOver
  case .checkInSoon: .checkInSoon
  case .notArrived: .notArrived(place, by: "08:00")
  case .arrived: .arrived(place, at: "08:12")
  case .deviceUnreadable: .deviceUnreadable(.noKey)
  case .companionNear: .companionNear(place)
  case .companionApart: .companionApart(place)
  case .companionLost: .companionLost(place)
  case .companionEnded: .companionEnded(place)
  case .notice: .notice(content, of: place)
  case .perhaps: .perhaps(place)
  case .reminder: .reminder(content)
  case .test: .test(content)
  }
}

let sampleLinks = AlarmNotice.Links(
  open: "https://alarm.example/l/o", close: "https://alarm.example/l/c", sleep: "https://alarm.example/l/s",
  acknowledge: "https://alarm.example/l/a", forToday: "https://alarm.example/l/t")

/// A zone's display on entry.
let showing = AlarmNotice(
  alarm: AlarmID(rawValue: 0x2f), sequence: 1_790_000_000,
  .notice(
    AlarmNotice.Content(
      title: "Fresh bread", text: "Until noon.\nThen cake.", link: "https://bakery.example/today",
      image: "https://bakery.example/bread.jpg"),
    of: AlarmNotice.Place(id: ZoneID(rawValue: 7), name: "Bakery")),
  device: AlarmNotice.Device(id: DeviceID(rawValue: 3), name: "anna"), time: someTime, learnedAt: someTime,
  links: AlarmNotice.Links(open: "https://alarm.example/n/x"))

let withdrawal = AlarmWithdrawal(alarm: AlarmID(rawValue: 0x1f), sequence: 4, reason: .acknowledged)

func configuration(
  _ kind: ChannelKind, _ json: String, policy: TargetPolicy = anywhere
) throws -> ChannelConfiguration {
  try ChannelConfiguration(kind: kind, json: Array(json.utf8), policy: policy)
}

/// Runs with a client that is shut down afterwards.
func withHTTP<Value: Sendable>(
  policy: TargetPolicy = anywhere, limits: DeliveryHTTP.Limits = DeliveryHTTP.Limits(),
  trustRoots: String? = nil,
  speaksHTTP2: Bool = false, resolver: HostResolver = .system,
  _ body: @Sendable (DeliveryHTTP) async throws -> Value
) async throws -> Value {
  let http = DeliveryHTTP(
    policy: policy, limits: limits, trustRoots: trustRoots, speaksHTTP2: speaksHTTP2, resolver: resolver)
  do {
    let value = try await body(http)
    http.shutdown()
    return value
  } catch {
    http.shutdown()
    throw error
  }
}
