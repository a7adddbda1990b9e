import AlarmEngine
import Geometry

extension Trial.Case {
  /// The same journey under different conditions.
  public func varied(
    conditions: Phone.Conditions? = nil, outage: ClosedRange<Instant>? = nil, zones: [Zone]? = nil,
    scenario: String? = nil
  ) -> Self {
    Self(
      name: name, scenario: scenario ?? self.scenario, person: person, journey: journey,
      zones: zones ?? self.zones, gaps: truth.gaps, rules: truth.rules,
      conditions: conditions ?? self.conditions, outage: outage ?? self.outage,
      silences: silences, padding: padding, changes: changes)
  }

  /// Without satellites for `span`, centred on the entry of the middle visit that owes an alarm, or on the
  /// middle of the journey if none does.
  public func withoutSatellites(for span: TimeSpan) -> Self {
    let owed = truth.visits.filter(\.isOwed)
    let middle =
      owed.isEmpty
      ? journey.start + .seconds((journey.end - journey.start).seconds / 2) : owed[owed.count / 2].entry
    let half = TimeSpan.seconds(span.seconds / 2)
    return varied(outage: (middle - half)...(middle + half))
  }

  /// With exactly `count` zones: first the visited ones in the order of their visits, then the others, then
  /// random circles of 100 m within 10 km of the journey.
  public func withZones(_ count: Int, seed: UInt64) -> Self {
    var order: [ZoneID] = []
    for visit in truth.visits where visit.isOwed && !order.contains(visit.zone) { order.append(visit.zone) }
    let visited = order.compactMap { id in zones.first { $0.id == id } }
    var chosen = Array((visited + zones.filter { !order.contains($0.id) }).prefix(count))
    var next = (zones.map(\.id.rawValue).max() ?? 0) + 1
    let latitudes = journey.vertices.map(\.position.latitude.degrees)
    let first = journey.vertices[0].position.longitude.degrees
    // Relative to the first longitude, so that a journey over the antimeridian has no gap.
    let longitudes = journey.vertices.map { vertex -> Double in
      let east = vertex.position.longitude.degrees - first
      return east > 180 ? east - 360 : east < -180 ? east + 360 : east
    }
    let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    let high = Self.marginDegrees
    let wide = high / max(0.05, Trigonometry.cosine(Angle.degrees((south + north) / 2).radians))
    while chosen.count < count {
      let place = Int64(chosen.count)
      let u = Randomness.uniform(seed: seed, channel: 0xDEC0, index: 2 * place)
      let v = Randomness.uniform(seed: seed, channel: 0xDEC0, index: 2 * place + 1)
      let latitude = max(-89, min(89, south - high + u * (north - south + 2 * high)))
      let longitude = first + west - wide + v * (east - west + 2 * wide)
      chosen.append(
        .scripted(
          id: ZoneID(rawValue: next), name: Text("zone \(next)"), size: .metres(100),
          outline: .locations([Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))])))
      next += 1
    }
    return varied(zones: chosen, scenario: "\(scenario), \(count) zones")
  }

  /// 10 km of latitude.
  private static let marginDegrees = 10_000.0 / Earth.meanMetresPerDegree
}
