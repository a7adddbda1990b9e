import AlarmEngine
import Formats
import Geometry

/// A zone that was read and cannot ring, with the reason.
package struct UnwatchedZone {
  package let name: Text
  package let reason: String
  /// True if the zone was left out; otherwise it is watched, but nothing of its area remains.
  package let isRefused: Bool

  package init(name: Text, reason: String, isRefused: Bool) {
    self.name = name
    self.reason = reason
    self.isRefused = isRefused
  }

  /// Separates the zones that the engine watches, in their order, each once, from those that it does not.
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
        // Identical zones count as one.
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

/// A problem with a zone that its users must know of, as shown on the page.
package struct ZoneProblem {
  /// The zone's name, or the place in its file.
  package let subject: String
  package let words: String

  package init(_ zone: UnwatchedZone) {
    subject = displayName(zone.name)
    words = zone.isRefused ? "not watched: \(zone.reason)" : zone.reason
  }
  package init(_ issue: ReadIssue, in file: String) {
    subject = issue.line.map { "\(file), line \($0)" } ?? file
    words = printable(issue.message)
  }
}
