import Geometry

/// The way of the last minutes, by exact fixes at least `spacing` apart, from which entries are predicted.
struct Course: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var place: Movement.Place
    var at: Instant
  }

  /// In the order of time; the first is the last one that is at least `span` older than the last exact fix.
  var points: [Point] = []

  /// An approach has to persist for this time: a turn at a crossing, or a few wrong fixes, take less.
  static let span = TimeSpan.seconds(60)
  private static let spacing = TimeSpan.seconds(15)

  /// Takes the next fix.
  /// - Returns: the movement up to it; nil if the errors explain it, or if too little is known.
  mutating func follow(_ fix: Fix, _ settings: Settings) -> Approach? {
    let here = Movement.Place(position: fix.position, radius: fix.radius(settings))
    guard here.radius <= SensorMemory.satellitesAtMost else { return nil }
    while points.count > 1, fix.measuredAt - points[1].at >= Self.span { points.removeFirst() }
    if points.isEmpty || fix.measuredAt - points[points.count - 1].at >= Self.spacing {
      points.append(Point(place: here, at: fix.measuredAt))
    }
    let begin = points[0]
    let time = fix.measuredAt - begin.at
    guard time >= Self.span, time <= Rule.passingGap, begin.place.excludes(here) else { return nil }
    let length = begin.place.position.distance(to: fix.position)
    return Approach(points: points, fix: fix, speed: .metresPerSecond(length.metres / time.seconds))
  }
}

/// A phone's movement for at least ``Course/span``, by which the entry into a zone with a lead time is
/// predicted.
struct Approach {
  /// In the order of time, up to `fix`.
  let points: [Course.Point]
  let fix: Fix
  /// The distance from the first point to the fix, divided by the time between them.
  let speed: Speed

  /// The distance within which the phone, if it goes on like this, enters a zone in less than `lead`; nil if it
  /// does not approach the zone all the time, or goes past it.
  ///
  /// - Parameter distance: the distance from the fix to the zone.
  func level(of zone: ZoneSlot, at distance: Distance, lead: TimeSpan, in zones: WatchedZones) -> Distance? {
    guard distance > .zero, distance <= speed * lead else { return nil }
    // Half a minute ago.
    var lately = points[0]
    let begin = zones.distance(from: lately.place.position, to: zone)
    var former = begin
    for point in points {
      let there = zones.distance(from: point.place.position, to: zone)
      if there > former + Rule.hysteresis { return nil }
      former = there
      if fix.measuredAt - point.at >= Course.span * 0.5 { lately = point }
    }
    if distance > former + Rule.hysteresis { return nil }
    let closing = (begin - distance).metres / (fix.measuredAt - points[0].at).seconds
    let level = Distance.metres(closing * lead.seconds)
    guard distance <= level else { return nil }
    // The straight way since then, continued, has to come to the zone or close by it.
    let (entry, margin) = (zones.entry(of: zone), Rule.hysteresis)
    if distance <= margin { return level }
    let way = Geodesic(from: lately.place.position, to: fix.position)
    guard way.length > .zero else { return nil }
    let goal = Geodesic.destination(
      from: way.start, azimuth: way.azimuthAtStart, distance: way.length + distance * 2 + .metres(300))
    let passage = entry.outline.passage(from: fix.position, to: goal, level: margin - entry.inset)
    return passage.closest <= margin - entry.inset ? level : nil
  }
}
