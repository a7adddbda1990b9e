import AlarmEngine
import Foundation
import Geometry

/// Writes zones as OwnTracks waypoints; ``OwnTracksWaypointReader`` reads them.
package enum OwnTracksWaypoints {
  /// Encodes circles with inset and alert distance applied, and any other zone as the circle around it, so
  /// that nothing is missed. Issues name everything else that is lost.
  static func encode(_ zones: [ZoneDraft]) -> (data: Data, issues: [ReadIssue]) {
    var entries: [JSONValue] = []
    var issues: [ReadIssue] = []
    for zone in zones {
      func lose(_ what: String) {
        issues.append(ReadIssue(.warning, "\(ZoneFileBuilder.label(zone.name)): \(what)"))
      }
      guard let (center, radius) = circle(around: zone) else {
        lose("has no place and is left out")
        continue
      }
      let reach = radius.map { $0 - zone.inset.metres + zone.alertDistance.metres }
      if let reach, reach < Zone.allowedSize.lowerBound.metres {
        lose("its inset leaves nothing; it is left out")
        continue
      }
      for loss in losses(zone) { lose(loss) }
      let name = safeName(zone.name.string)
      if name != zone.name.string {
        lose("the name is written as \"\(name)\": OwnTracks reads more into : | + -")
      }
      var members: [(String, JSONValue)] = [
        ("_type", .string("waypoint")), ("desc", .string(name)), ("lat", .number(center.latitude.degrees)),
        ("lon", .number(center.longitude.degrees)),
      ]
      if let reach { members.append(("rad", .number(reach))) }
      // OwnTracks identifies waypoints by time on Android, by rid on iOS.
      members.append(("tst", .integer(1_000_000_000 + Int64(entries.count))))
      members.append(("rid", .string(zone.id.description)))
      entries.append(.object(members))
    }
    let file = JSONValue.object([("_type", .string("waypoints")), ("waypoints", .array(entries))])
    return (Data((file.text + "\n").utf8), issues)
  }

  private static func losses(_ zone: ZoneDraft) -> [String] {
    var losses: [String] = []
    if case .locations(let places) = zone.outline, places.count == 1 {
      if zone.inset != .zero || zone.alertDistance != .zero {
        losses.append("inset and alert distance are made part of the radius")
      }
    } else {
      losses.append("OwnTracks knows only circles; the circle around the zone is written")
    }
    let plain = ZoneDraft(
      id: zone.id, name: zone.name, size: zone.size, inset: zone.inset, alertDistance: zone.alertDistance,
      outline: zone.outline, edges: zone.edges)
    if zone != plain {
      losses.append("category, switches, trigger, hours, messages and the like are not written")
    }
    return losses
  }

  /// Returns the centre of a zone and a radius that covers it; the radius is nil for the Default Radius.
  private static func circle(around zone: ZoneDraft) -> (center: Coordinate, radius: Double?)? {
    guard let circle = circle(around: zone, defaultRadius: .metres(50)) else { return nil }
    let isDefault = zone.outline.places.count == 1 && zone.size == nil && isPlain(zone)
    return (circle.center, isDefault ? nil : circle.radius)
  }

  /// Returns the centre of a zone's outline and a radius in metres that covers it, without inset and alert
  /// distance.
  static func circle(around zone: ZoneDraft, defaultRadius: Distance) -> (center: Coordinate, radius: Double)?
  {
    var places = zone.outline.places
    if case .area(let polygon) = zone.outline { places = polygon.parts.flatMap(\.outer.vertices) }
    guard let first = places.first else { return nil }
    let size = (zone.size ?? defaultRadius).metres
    if places.count == 1 { return (first, size) }
    // The mean of all places in space, projected to the surface; any point would do, this one makes the
    // circle small.
    let sum = places.reduce(Cartesian(x: 0, y: 0, z: 0)) { $0 + $1.up }
    let level = Trigonometry.hypotenuse(sum.x, sum.y)
    let center = Coordinate(
      latitude: .degrees(Trigonometry.arctangentInDegrees(y: sum.z, x: level)),
      longitude: .degrees(Trigonometry.arctangentInDegrees(y: sum.y, x: sum.x)))
    let farthest = places.map { center.distance(to: $0).metres }.max() ?? 0
    let width: Double
    switch zone.outline {
    case .locations(let places) where places.count > 2: width = 0
    case .area: width = 0
    case .locations, .path: width = size
    }
    // Edges straight on the map bulge out between their ends by far less than a thousandth of the radius up to 100 km.
    return (center, farthest * 1.001 + width)
  }

  private static func isPlain(_ zone: ZoneDraft) -> Bool {
    zone.inset == .zero && zone.alertDistance == .zero
  }

  /// Replaces `:` (a beacon in OwnTracks) and `|` (a mode switch), and removes leading `-` (exit hold-down)
  /// and `+` (follow).
  package static func safeName(_ name: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if safe.isEmpty, scalar == "-" || scalar == "+" { continue }
      safe.append(scalar == ":" ? ";" : scalar == "|" ? "/" : scalar)
    }
    return String(safe)
  }
}
