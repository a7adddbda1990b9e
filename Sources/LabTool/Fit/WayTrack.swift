import AlarmEngine
import Geometry
import PhoneHost

/// The way of the phone, as a second phone or the journal's own good positions show it.
struct WayTrack {
  /// A rest of five minutes and more.
  struct Stop {
    let from: Instant
    /// When the phone went on, from the times at which it was 20 m and 60 m away.
    let to: Instant
    var length: Double { (to - from).seconds }
  }
  struct Crossing {
    let at: Instant
    let isEntry: Bool
  }
  private struct Point {
    let at: Instant
    let place: Coordinate
  }

  private let points: [Point]
  let stops: [Stop]

  /// Longer gaps leave open when a line was crossed.
  private static let longestGap = 30.0
  private static let stopMetres = 60.0
  private static let nearMetres = 20.0
  private static let leastStop = 300.0
  /// Coarser positions place no crossing.
  private static let coarsest = 30.0

  init(_ fixes: [Fix]) {
    self.init(
      fixes.compactMap { fix in
        if case .radius(let radius) = fix.accuracy, radius.metres > Self.coarsest { return nil }
        return Point(at: fix.measuredAt, place: fix.position)
      })
  }

  init(_ story: JournalStory) {
    self.init(
      story.positions.compactMap { _, position in
        guard position.source == .satellites, let accuracy = position.accuracy, accuracy <= Self.coarsest
        else {
          return nil
        }
        return Point(at: position.measuredAt, place: position.place)
      })
  }

  private init(_ unsorted: [Point]) {
    var points: [Point] = []
    for point in unsorted.sorted(by: { $0.at < $1.at }) where points.last.map({ $0.at < point.at }) ?? true {
      points.append(point)
    }
    self.points = points
    stops = Self.stops(in: points)
  }

  /// Nil where the track has a gap.
  func place(at time: Instant) -> Coordinate? {
    let next = index(after: time)
    guard next > 0 else { return nil }
    let before = points[next - 1]
    guard next < points.count else { return before.at == time ? before.place : nil }
    let after = points[next]
    let span = (after.at - before.at).seconds
    guard span <= Self.longestGap else {
      return before.place.distance(to: after.place).metres <= Self.nearMetres ? before.place : nil
    }
    let line = Geodesic(from: before.place, to: after.place)
    return line.point(at: .metres(line.length.metres * (time - before.at).seconds / span))
  }

  /// The times at which the edge of a circle was crossed.
  func crossings(of centre: Coordinate, radius: Double, from: Instant, to: Instant) -> [Crossing] {
    var crossings: [Crossing] = []
    var last: (at: Instant, depth: Double)?
    var place = max(0, index(after: from) - 1)
    while place < points.count, points[place].at <= to {
      let point = points[place]
      place += 1
      let depth = radius - point.place.distance(to: centre).metres
      defer { last = (point.at, depth) }
      guard let last, (last.depth >= 0) != (depth >= 0) else { continue }
      let span = (point.at - last.at).seconds
      guard span <= Self.longestGap else { continue }
      let at = last.at + .seconds(span * last.depth / (last.depth - depth))
      if at >= from { crossings.append(Crossing(at: at, isEntry: depth >= 0)) }
    }
    return crossings
  }

  /// The number of points up to a time.
  private func index(after time: Instant) -> Int {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].at <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func stops(in points: [Point]) -> [Stop] {
    var stops: [Stop] = []
    var first = 0
    while first < points.count {
      var last = first
      while last + 1 < points.count,
        points[first].place.distance(to: points[last + 1].place).metres <= stopMetres
      {
        last += 1
      }
      guard (points[last].at - points[first].at).seconds >= leastStop,
        let stop = stop(in: points, first, last)
      else {
        first += 1
        continue
      }
      stops.append(stop)
      first = last + 1
    }
    return stops
  }

  private static func stop(in points: [Point], _ first: Int, _ last: Int) -> Stop? {
    // The phone is where it was in the middle of the time.
    let middle = points[first].at + .seconds((points[last].at - points[first].at).seconds / 2)
    guard let centre = points[first...last].last(where: { $0.at <= middle })?.place else { return nil }
    let near = (first...last).filter { points[$0].place.distance(to: centre).metres <= nearMetres }
    guard let begin = near.first, let end = near.last,
      (points[end].at - points[begin].at).seconds >= leastStop
    else { return nil }
    var (left, away): (Instant?, Instant?) = (nil, nil)
    var place = end
    while place + 1 < points.count, away == nil {
      let (a, b) = (points[place], points[place + 1])
      let (near, far) = (a.place.distance(to: centre).metres, b.place.distance(to: centre).metres)
      func time(_ metres: Double) -> Instant {
        a.at + .seconds((b.at - a.at).seconds * (metres - near) / max(1e-9, far - near))
      }
      if left == nil, near <= nearMetres, far > nearMetres { left = time(nearMetres) }
      if left != nil, far > stopMetres { away = time(max(near, stopMetres)) }
      place += 1
    }
    guard let left, let away, (away - left).seconds <= leastStop else {
      return Stop(from: points[begin].at, to: points[end].at)
    }
    // The first 20 m at the speed of the next 40 m.
    let start = left - .seconds((away - left).seconds * nearMetres / (stopMetres - nearMetres))
    return Stop(from: points[begin].at, to: max(start, points[begin].at))
  }
}
