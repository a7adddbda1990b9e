import AlarmEngine
import Geometry

extension Parser {
  /// Reads the bytes as the part of a snapshot after its version, device and revision, with a valid checksum.
  /// The snapshot is refused, or gives a timeline that saves to one encoding only and accepts further inputs.
  @Sendable static func snapshot(_ bytes: [UInt8]) {
    let zones = WatchedZones([
      zone(1, .enter(passingCounts: true)), zone(2, .leave()), zone(3, .dwell(.minutes(1))),
    ])
    let device = DeviceID(rawValue: 1)
    let head = Timeline(device: device, settings: .phone, watched: zones).snapshot().prefix(1 + 8 + 8)
    guard var timeline = restored(sealed(head + bytes), zones) else { return }
    let again = timeline.snapshot()
    precondition(restored(again, zones)?.snapshot() == again, "a snapshot changes when it is saved again")
    let start = timeline.nextDue ?? Instant(millisecondsSince1970: 1_780_272_000_000)
    for second in 0..<3 {
      timeline.insert([
        .fix(
          Fix(
            position: Coordinate(latitude: .degrees(47.5), longitude: .degrees(11)), accuracy: .unstated,
            measuredAt: min(start, latest) + .seconds(Double(second))))
      ])
    }
    timeline.advance(to: min(start, latest) + .hours(1))
    timeline.forget(keeping: 1)
  }

  /// Does the same for a companion alarm: the bytes follow the version, the companion and the device.
  @Sendable static func companion(_ bytes: [UInt8]) {
    guard
      let rules = try? CompanionRules(
        companion: CompanionID(rawValue: 1), device: DeviceID(rawValue: 1), trigger: .within,
        distance: .metres(500), assurance: .normal)
    else { return }
    func restored(_ bytes: [UInt8]) -> CompanionAlarm? {
      try? CompanionAlarm(snapshot: bytes, rules, watcher: .phone, target: .phone)
    }
    let fresh = CompanionAlarm(rules, begins: latest, watcher: .phone, target: .phone)
    guard var alarm = restored(sealed(fresh.snapshot().prefix(1 + 8 + 8) + bytes)) else { return }
    let again = alarm.snapshot()
    precondition(restored(again)?.snapshot() == again, "a snapshot changes when it is saved again")
    let start = min(alarm.wantsFrom, latest)
    let fixes = (0..<3).map { second in
      Fix(
        position: Coordinate(latitude: .degrees(47.5), longitude: .degrees(11)), accuracy: .unstated,
        measuredAt: start + .seconds(Double(second)))
    }
    alarm.judge(watcher: fixes, target: fixes, through: start + .hours(1))
  }

  private static var latest: Instant { Instant.allowed.upperBound - .hours(2) }

  private static func restored(_ bytes: [UInt8], _ zones: WatchedZones) -> Timeline? {
    try? Timeline(snapshot: bytes, device: DeviceID(rawValue: 1), settings: .phone) {
      $0 == zones.revision ? zones : nil
    }
  }

  private static func zone(_ id: UInt64, _ trigger: Trigger) -> Zone {
    .small(
      id, at: Coordinate(latitude: .degrees(47.5), longitude: .degrees(11)), trigger,
      id == 3 ? .safety : .normal)
  }

  /// Appends the checksum of snapshots: FNV-1a of all bytes before it, mixed by SplitMix64's last step,
  /// little-endian.
  private static func sealed(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
    return body + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
  }
}
