import GeometryWithBoundaries
import HitChecksum

/// The reference implementation of containment. It tests every edge; if latitudes do not decide the side, two
/// azimuths do.
///
/// A meridian is a geodesic, and longitude is monotonic along a geodesic. An edge therefore crosses the fix's
/// meridian if its ends are on different sides of it, and it crosses north of the fix if the fix is on the
/// edge's southern side. Uses no outlines, trees and grids.
struct Witness {
  private struct Zone {
    var south = 90.0
    var north = -90.0
    var middle = 0.0
    var half = 180.0
    var holdsNorthPole = false
  }
  private let layout: ZoneLayout
  private var zones: [Zone] = []
  /// The zones in each band of latitude; a band is a twentieth of a degree high.
  private var bands = [[Int32]](repeating: [], count: 3601)

  init(_ layout: ZoneLayout) {
    self.layout = layout
    for zone in 0..<layout.count {
      zones.append(layout.kind == .circles ? circle(zone) : polygon(zone))
      let (first, last) = (Self.band(zones[zone].south), Self.band(zones[zone].north))
      for band in first...last { bands[band].append(Int32(zone)) }
    }
  }

  private static func band(_ latitude: Double) -> Int { max(0, min(3600, Int((latitude + 90) * 20))) }

  private static func turned(_ degrees: Double) -> Double {
    degrees >= 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }

  private func circle(_ zone: Int) -> Zone {
    let center = layout.vertices[zone]
    let reach = layout.radii[zone] * 1.01 / 110_000
    var result = Zone(south: center.latitude - reach, north: center.latitude + reach)
    result.middle = center.longitude
    let highest = max(abs(result.south), abs(result.north))
    if highest < 89 { result.half = reach / Trigonometry.sineAndCosine(ofDegrees: highest).cosine * 1.02 }
    return result
  }

  private func polygon(_ zone: Int) -> Zone {
    let ring = layout.ring(zone)
    var result = Zone()
    var (sum, west, east) = (0.0, 0.0, 0.0)
    var former = ring[ring.endIndex - 1]
    let start = former.longitude
    for vertex in ring {
      result.south = min(result.south, vertex.latitude)
      result.north = max(result.north, vertex.latitude)
      sum += Self.turned(vertex.longitude - former.longitude)
      west = min(west, sum)
      east = max(east, sum)
      former = vertex
    }
    if abs(sum) > 180 {
      result.holdsNorthPole = result.north > 0
      if result.north > 0 { result.north = 90 } else { result.south = -90 }
    } else {
      result.middle = Self.turned(start + (west + east) / 2)
      result.half = (east - west) / 2 + 1e-9
    }
    // Edges bulge towards the poles.
    result.south -= 0.5
    result.north += 0.5
    return result
  }

  func visit(_ fix: MapPoint, _ found: (Int) -> Void) {
    for number in bands[Self.band(fix.latitude)] {
      let zone = zones[Int(number)]
      guard fix.latitude >= zone.south, fix.latitude <= zone.north,
        abs(Self.turned(fix.longitude - zone.middle)) <= zone.half
      else { continue }
      if contains(Int(number), fix) { found(Int(number)) }
    }
  }

  private func contains(_ zone: Int, _ fix: MapPoint) -> Bool {
    if layout.kind == .circles {
      return fix.coordinate.distance(to: layout.vertices[zone].coordinate) <= .metres(layout.radii[zone])
    }
    let ring = layout.ring(zone)
    var isInside = zones[zone].holdsNorthPole
    var from = ring[ring.endIndex - 1]
    var fromEast = Self.turned(from.longitude - fix.longitude)
    for to in ring {
      let toEast = Self.turned(to.longitude - fix.longitude)
      if (fromEast >= 0) != (toEast >= 0), abs(fromEast - toEast) < 180,
        isNorth(from, to, of: fix, eastward: toEast > fromEast, sweep: abs(fromEast - toEast))
      {
        isInside.toggle()
      }
      (from, fromEast) = (to, toEast)
    }
    return isInside
  }

  private func isNorth(_ a: MapPoint, _ b: MapPoint, of fix: MapPoint, eastward: Bool, sweep: Double) -> Bool
  {
    let slack = 1e-6 + 0.1 * sweep
    if fix.latitude < min(a.latitude, b.latitude) - slack { return true }
    if fix.latitude > max(a.latitude, b.latitude) + slack { return false }
    let start = a.coordinate
    let toFix = Geodesic(from: start, to: fix.coordinate)
    guard toFix.length > .zero else { return false }
    let toEnd = Geodesic(from: start, to: b.coordinate)
    let right = Self.turned(toFix.azimuthAtStart.degrees - toEnd.azimuthAtStart.degrees)
    return eastward ? right > 0 : right < 0
  }
}

extension Witness {
  /// Returns the checksum of all pairs of fix and zone.
  func hits(of fixes: ArraySlice<MapPoint>) -> (sum: Checksum, count: Int) {
    var sum = Checksum()
    for (number, fix) in fixes.enumerated() { visit(fix) { sum.add(fix: number, zone: $0) } }
    return (sum, fixes.count)
  }

  /// Returns the checksum of all entries and exits. A second counts only if it has a fix of every device.
  func changes(on journeys: Journeys, limit: Int) -> (sum: Checksum, count: Int) {
    var sum = Checksum()
    let devices = journeys.devices
    let seconds = min(limit, journeys.fixes.count) / devices
    var zones = [Set<Int>](repeating: [], count: devices)
    for number in 0..<seconds * devices {
      let device = number % devices
      var now: Set<Int> = []
      visit(journeys.fixes[number]) { now.insert($0) }
      for zone in now.symmetricDifference(zones[device]) { sum.add(fix: device, zone: zone) }
      zones[device] = now
    }
    return (sum, seconds * devices)
  }

  /// Returns the number of places for which an index finds other zones, in a single query or in a batch.
  func disagreements(with index: ContainmentIndex, at places: [Coordinate]) -> Int {
    var hits = ContainmentIndex.Hits()
    index.containing(places, into: &hits)
    return places.indices.count { number in
      var zones: [Int] = []
      visit(MapPoint(exactly: places[number])) { zones.append($0) }
      zones.sort()
      return Array(hits[number]) != zones || index.containing(places[number]) != zones
    }
  }
}
