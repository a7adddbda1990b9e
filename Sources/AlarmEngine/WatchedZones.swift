import Geometry

/// The zones of a device made ready for watching: the most urgent first, with their index.
///
/// Built once per edit, immutable; a zone without an area is left out and named in `refused`.
public struct WatchedZones: Sendable {
  public let zones: [Zone]
  public let refused: [(zone: ZoneID, error: ZoneError)]
  let index: ZoneIndex
  let rules: [ZoneRules]
  private let positions: [ZoneID: Int]
  private let reaches: [Double]
  /// Positions of the zones with a schedule.
  let scheduled: [Int]
  /// The greatest alert distance and lead time: how far out a zone can matter.
  let farthestAlert: Double
  let longestLead: Double
  let widestFactor: Double

  public init(_ zones: [Zone], device: DeviceID, settings: Settings) {
    var kept: [(zone: Zone, outline: Outline)] = []
    var refused: [(zone: ZoneID, error: ZoneError)] = []
    var seen: Set<ZoneID> = []
    for zone in zones.sorted(by: isMoreUrgent) {
      if !seen.insert(zone.id).inserted {
        // The same zone twice is one zone; another one may not be dropped in silence.
        if !kept.contains(where: { $0.zone == zone }) { refused.append((zone.id, .idTaken)) }
        continue
      }
      do throws(ZoneError) {
        kept.append((zone, Outline(try zone.shape(defaultRadius: settings.defaultRadius))))
      } catch {
        refused.append((zone.id, error))
      }
    }
    self.zones = kept.map { $0.zone }
    self.refused = refused
    index = ZoneIndex(kept.map { ZoneIndex.Entry(outline: $0.outline, inset: $0.zone.inset) })
    rules = kept.map { Self.rules(of: $0.zone, device: device, settings: settings) }
    reaches = kept.map { max(0, Self.reach(of: $0.outline.shape) - $0.zone.inset.metres) }
    var positions: [ZoneID: Int] = [:]
    for (position, entry) in kept.enumerated() { positions[entry.zone.id] = position }
    self.positions = positions
    scheduled = kept.indices.filter { kept[$0].zone.schedule != nil }
    farthestAlert = kept.map { max(0, $0.zone.alertDistance.metres) }.max() ?? 0
    longestLead = kept.map { $0.zone.leadTime?.seconds ?? 0 }.max() ?? 0
    widestFactor = kept.map { Rule.errorFactor($0.zone.assurance) }.max() ?? 1
  }

  func position(of zone: ZoneID) -> Int? { positions[zone] }

  /// How far inside one can get, roughly: twice the area over the perimeter, which is the radius of a circle and
  /// between once and twice the radius of the largest circle within a convex shape; less the inset, at least 0.
  func reach(of position: Int) -> Double { reaches[position] }

  private static func rules(of zone: Zone, device: DeviceID, settings: Settings) -> ZoneRules {
    ZoneRules(
      device: device, zone: zone.id, trigger: zone.trigger, assurance: zone.assurance,
      alertDistance: max(0, zone.alertDistance.metres),
      sleepTime: max(.zero, zone.sleepTime ?? settings.defaultSleepTime),
      cycleTime: max(.seconds(1), settings.alarmCycleTime), repeatHorizon: settings.repeatHorizon)
  }

  private static func reach(of shape: Shape) -> Double {
    switch shape {
    case .circle(_, let radius): return radius.metres
    case .corridor(_, let halfWidth, _): return halfWidth.metres
    case .polygon(let polygon):
      var area = 0.0
      var perimeter = 0.0
      for part in polygon.parts {
        for (number, ring) in ([part.outer] + part.holes).enumerated() {
          let (ringArea, length) = measure(ring)
          area += number == 0 ? ringArea : -ringArea
          perimeter += length
        }
      }
      return perimeter > 0 ? max(0, 2 * area / perimeter) : 0
    }
  }

  /// Area and length in a plane about the ring's first vertex: a rough figure is all that is needed.
  private static func measure(_ ring: Ring) -> (area: Double, length: Double) {
    let origin = ring.vertices[0]
    let metresPerDegree = 111_195.0
    let shrink = Trigonometry.cosine(origin.latitude.radians)
    var area = 0.0
    var length = 0.0
    var former: (x: Double, y: Double)?
    for vertex in ring.vertices + [origin] {
      var turn = vertex.longitude.degrees - origin.longitude.degrees
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
      let x = turn * metresPerDegree * shrink
      let y = (vertex.latitude.degrees - origin.latitude.degrees) * metresPerDegree
      if let (fx, fy) = former {
        area += fx * y - x * fy
        length += ((x - fx) * (x - fx) + (y - fy) * (y - fy)).squareRoot()
      }
      former = (x, y)
    }
    return (abs(area) / 2, length)
  }
}
