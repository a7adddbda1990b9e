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
  _ kind: AlarmNotice.Kind = .ring, sequence: UInt32 = 0, zone: String? = "Cliff edge", pad: [UInt8]? = nil,
  device: String = "anna", cause: Cause? = .inside, isPositionShown: Bool = true, messages: [String] = [],
  sound: String? = nil, priority: Int32 = 0, links: AlarmNotice.Links = sampleLinks
) -> AlarmNotice {
  AlarmNotice(
    alarm: AlarmID(rawValue: 0x1f), sequence: sequence, kind: kind,
    zone: zone.map { AlarmNotice.Place(id: ZoneID(rawValue: 7), name: $0, pad: pad) },
    device: AlarmNotice.Device(id: DeviceID(rawValue: 3), name: device), cause: cause, time: someTime,
    learnedAt: someTime + .seconds(2), distance: isPositionShown ? .metres(-38.4) : nil,
    position: isPositionShown
      ? AlarmNotice.Position(
        coordinate: Coordinate(latitude: .degrees(46.051), longitude: .degrees(-14.505)),
        accuracy: .metres(11.2)) : nil,
    messages: messages, sound: sound, priority: priority, links: links)
}

let sampleLinks = AlarmNotice.Links(
  open: "https://alarm.example/l/o", close: "https://alarm.example/l/c", sleep: "https://alarm.example/l/s",
  acknowledge: "https://alarm.example/l/a", forToday: "https://alarm.example/l/t")

/// A zone's display on entry.
let showing = AlarmNotice(
  alarm: AlarmID(rawValue: 0x2f), sequence: 1_790_000_000, kind: .notice,
  zone: AlarmNotice.Place(id: ZoneID(rawValue: 7), name: "Bakery"),
  device: AlarmNotice.Device(id: DeviceID(rawValue: 3), name: "anna"), time: someTime, learnedAt: someTime,
  links: AlarmNotice.Links(open: "https://alarm.example/n/x"),
  content: AlarmNotice.Content(
    title: "Fresh bread", text: "Until noon.\nThen cake.", link: "https://bakery.example/today",
    image: "https://bakery.example/bread.jpg"))

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
