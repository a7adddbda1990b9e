import AlarmEngine
import Formats
import Geometry

/// A zone that was read and cannot ring, and why.
package struct UnwatchedZone {
  package let name: Text
  package let reason: String
  /// Whether the zone was left out; else it is watched, and nothing of it is left to be inside of.
  package let isRefused: Bool

  package init(name: Text, reason: String, isRefused: Bool) {
    self.name = name
    self.reason = reason
    self.isRefused = isRefused
  }

  /// What the engine watches of the zones it was given, in their order, each once; and what it does not.
  package static func sorted(out zones: [PlacedZone], _ timeline: Timeline?) -> (
    [PlacedZone], [UnwatchedZone]
  ) {
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
          UnwatchedZone(name: zone.name, reason: (errors[zone.id] ?? .idTaken).message, isRefused: true))
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

/// Something about zones that whoever relies on them must know, as it stands on the page.
package struct ZoneProblem {
  /// The zone's name, or the place in its file.
  package let subject: String
  package let words: String

  package init(_ zone: UnwatchedZone) {
    subject = displayName(zone.name)
    words = zone.isRefused ? "not watched because: \(zone.reason)" : zone.reason
  }
  package init(_ issue: ReadIssue, in file: String) {
    subject = issue.line.map { "\(file), line \($0)" } ?? file
    words = printable(issue.message)
  }
}
