import AlarmEngine
import Foundation
import Geometry

/// The fences to set in OwnTracks: circles around the nearest zones, and the fences to remove.
///
/// Send it if it differs from the one sent last. The fences only wake the app; the engine decides on alarms.
public struct OwnTracksFences: Hashable, Sendable {
  public struct Circle: Hashable, Sendable {
    public var zone: ZoneID
    public var name: String
    public var center: Coordinate
    /// Whole metres.
    public var radius: Distance
  }
  /// Nearest first.
  public private(set) var circles: [Circle] = []
  /// Ids of our fences that the phone is to remove. Only OwnTracks on iOS can remove fences.
  public private(set) var removed: [String] = []

  /// The most circles; iOS keeps twenty regions, the person's own among them.
  public static let most = 15
  /// The smallest radius; iOS watches a smaller circle at about this radius anyway.
  public static let smallestRadius = Distance.metres(100)

  /// Chooses the fences for a phone at a place.
  ///
  /// A circle covers its zone with inset and alert distance, or lead time at `speed` if that reaches farther,
  /// so that the phone wakes no later than the alarm is due. Inactive zones have no fence. OwnTracks on
  /// Android gets no removals: it has no command for them, and refuses a body with an impossible position.
  /// - Parameters:
  ///   - zones: candidates, in any order; thousands cost milliseconds, so hand in those of the neighbourhood.
  ///   - known: the `regionID`s of the phone's last `waypoints` report; without them nothing is removed.
  public init(
    zones: [Zone], near place: Coordinate, speed: Speed = .metresPerSecond(0), known: [String] = [],
    platform: OwnTracksPlatform = .unknown, defaultRadius: Distance = .metres(50)
  ) {
    var found: [(circle: Circle, distance: Double, zone: Zone)] = []
    for zone in zones where zone.active {
      guard var around = OwnTracksWaypoints.circle(around: zone.draft, defaultRadius: defaultRadius) else {
        continue
      }
      let lead = (zone.leadTime?.seconds ?? 0) * speed.metresPerSecond
      around.radius += max(zone.alertDistance.metres, lead) - zone.inset.metres
      // A zone whose inset leaves nothing can never ring.
      guard around.radius > 0 else { continue }
      let radius = max(around.radius, Self.smallestRadius.metres).rounded(.up)
      let circle = Circle(
        zone: zone.id, name: OwnTracksWaypoints.safeName(zone.name.string), center: around.center,
        radius: .metres(min(radius, PhoneReportBuilder.farthest)))
      found.append((circle, place.distance(to: around.center).metres - radius, zone))
    }
    found.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.circle.zone < $1.circle.zone }
    for candidate in found where circles.count < Self.most {
      // A zone without an area can never ring.
      if (try? candidate.zone.shape(defaultRadius: defaultRadius)) != nil { circles.append(candidate.circle) }
    }
    guard platform == .ios else { return }
    let kept = Set(circles.map { Self.regionID(of: $0.zone) })
    removed = Set(known).filter { $0.hasPrefix(Self.prefix) && !kept.contains($0) }.sorted()
  }

  /// Returns the region id of a zone's fence on iOS, reported in `inrids` and in transitions.
  public static func regionID(of zone: ZoneID) -> String { "\(prefix)\(zone)" }
  /// Returns the zone of one of our region ids; nil for any other.
  public static func zone(regionID: String) -> ZoneID? {
    guard regionID.hasPrefix(prefix), regionID.utf8.count == prefix.utf8.count + 16 else { return nil }
    return UInt64(regionID.dropFirst(prefix.utf8.count), radix: 16).map(ZoneID.init(rawValue:))
  }
  private static let prefix = "z-"

  /// Android identifies a fence by the time it was made. The time is derived from the zone's id, so that a
  /// zone always replaces itself, and lies in the years 2001 to 2023, so that 32 bits hold it. No two zones
  /// of one message share it.
  private static func madeAt(_ zone: ZoneID, taken: inout Set<Int64>) -> Int64 {
    var seconds = 1_000_000_000 + Int64(zone.rawValue % 700_000_000)
    while !taken.insert(seconds).inserted { seconds += 1 }
    return seconds
  }

  /// A `waypoints` message; as a file it is an `.otrw`.
  var json: JSONValue {
    var taken: Set<Int64> = []
    var entries: [JSONValue] = circles.sorted { $0.zone < $1.zone }.map { circle in
      .object([
        ("_type", .string("waypoint")), ("desc", .string(circle.name)),
        ("lat", .number(circle.center.latitude.degrees)), ("lon", .number(circle.center.longitude.degrees)),
        ("rad", .wholeUp(circle.radius.metres)), ("tst", .integer(Self.madeAt(circle.zone, taken: &taken))),
        ("rid", .string(Self.regionID(of: circle.zone))),
      ])
    }
    for id in removed {
      let zone = Self.zone(regionID: id) ?? .derived(from: Array(id.utf8))
      entries.append(
        .object([
          ("_type", .string("waypoint")), ("desc", .string(id)), ("lat", .integer(-1_000_000)),
          ("lon", .integer(-1_000_000)), ("rad", .integer(0)),
          ("tst", .integer(Self.madeAt(zone, taken: &taken))), ("rid", .string(id)),
        ]))
    }
    return .object([("_type", .string("waypoints")), ("waypoints", .array(entries))])
  }

  /// The bytes of an `.otrw` file.
  public var file: [UInt8] { Array((json.text + "\n").utf8) }
}
