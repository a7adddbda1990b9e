import AlarmEngine
import Geometry

/// Places in metres east and north of a home, zones with consecutive ids, and random numbers.
struct CityMap {
  let home = Coordinate(latitude: .degrees(48.137), longitude: .degrees(11.575))
  /// Midnight, 1 June 2026, UTC.
  let morning = Instant(millisecondsSince1970: 1_780_272_000_000)
  let seed: UInt64
  private var drawn: Int64 = 0
  private var lastID: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    drawn += 1
    let u = Randomness.uniform(seed: seed, channel: 0x5CE, index: drawn)
    return range.lowerBound + u * (range.upperBound - range.lowerBound)
  }

  func place(_ east: Double, _ north: Double) -> Coordinate {
    let line = Geodesic.destination(from: home, azimuth: .degrees(90), distance: .metres(abs(east)))
    let turned = Geodesic.destination(from: home, azimuth: .degrees(-90), distance: .metres(abs(east)))
    return Geodesic.destination(
      from: east < 0 ? turned : line, azimuth: .degrees(north < 0 ? 180 : 0), distance: .metres(abs(north)))
  }

  mutating func circle(
    _ east: Double, _ north: Double, radius: Double, alertDistance: Double = 0,
    assurance: Assurance = .normal, trigger: Trigger = .enter(passingCounts: true),
    leadTime: TimeSpan? = nil
  ) -> Zone {
    lastID += 1
    return .scripted(
      id: ZoneID(rawValue: lastID), name: Text("zone \(lastID)"), size: .metres(radius),
      alertDistance: .metres(alertDistance), leadTime: leadTime,
      outline: .locations([place(east, north)]), assurance: assurance, trigger: trigger)
  }

  /// - Parameters:
  ///   - corners: one for a circle, three or more for an area; those of a path if `isPath`.
  mutating func zone(
    _ corners: [(east: Double, north: Double)], isPath: Bool, size: Double, alertDistance: Double,
    assurance: Assurance, trigger: Trigger, leadTime: TimeSpan?, schedule: Schedule?
  ) -> Zone {
    lastID += 1
    let places = corners.map { place($0.east, $0.north) }
    return .scripted(
      id: ZoneID(rawValue: lastID), name: Text("zone \(lastID)"), size: .metres(size),
      alertDistance: .metres(alertDistance), leadTime: leadTime,
      outline: isPath ? .path(places) : .locations(places), assurance: assurance, trigger: trigger,
      schedule: schedule)
  }

  mutating func area(_ corners: [(Double, Double)], inset: Double) -> Zone {
    lastID += 1
    return .scripted(
      id: ZoneID(rawValue: lastID), name: Text("zone \(lastID)"), inset: .metres(inset),
      outline: .locations(corners.map { place($0.0, $0.1) }))
  }
}

extension Zone {
  /// A zone of a script, with places and numbers that are known to be valid.
  static func scripted(
    id: ZoneID, name: Text, size: Distance? = nil, inset: Distance = .zero, alertDistance: Distance = .zero,
    leadTime: TimeSpan? = nil, outline: ZoneOutline, assurance: Assurance = .normal,
    trigger: Trigger = .enter(passingCounts: true), schedule: Schedule? = nil
  ) -> Zone {
    do {
      return try Zone(
        ZoneDraft(
          id: id, name: name, size: size, inset: inset, alertDistance: alertDistance, leadTime: leadTime,
          outline: outline, trigger: trigger, schedule: schedule, assurance: assurance))
    } catch { preconditionFailure("no zone: \(error)") }
  }
}
