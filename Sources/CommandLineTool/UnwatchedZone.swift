import AlarmEngine
import Geometry

/// A zone that was read and cannot ring, and why.
struct UnwatchedZone {
  let name: Text
  let reason: String
  /// Whether the zone was left out; else it is watched, and nothing of it is left to be inside of.
  let isRefused: Bool

  /// What the engine watches of the zones it was given, in their order, each once; and what it does not.
  static func sorted(out zones: [PlacedZone], _ timeline: Timeline?) -> ([PlacedZone], [UnwatchedZone]) {
    guard let timeline else { return (zones, []) }
    var watched: [ZoneID: Zone] = [:]
    for zone in timeline.zones { watched[zone.id] = zone }
    var errors: [ZoneID: ZoneError] = [:]
    for refused in timeline.refusedZones { errors[refused.zone] = refused.error }
    var kept: [PlacedZone] = []
    var unwatched: [UnwatchedZone] = []
    var seen: Set<ZoneID> = []
    for placed in zones {
      let zone = placed.zone
      if watched[zone.id] == zone {
        // The same zone twice is one zone.
        if seen.insert(zone.id).inserted { kept.append(placed) }
      } else {
        unwatched.append(
          UnwatchedZone(name: zone.name, reason: words(errors[zone.id] ?? .idTaken), isRefused: true))
      }
    }
    for placed in kept where placed.zone.inset > .zero {
      let check = ZoneCheck.emptied(placed.zone, placed.outline.deepestPoint())
      if let check {
        unwatched.append(UnwatchedZone(name: placed.zone.name, reason: check, isRefused: false))
      }
    }
    return (kept, unwatched)
  }
}
