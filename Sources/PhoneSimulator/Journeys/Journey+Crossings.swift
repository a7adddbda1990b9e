import AlarmEngine
import Geometry

/// A disc on the ground.
struct Disc {
  let centre: Coordinate
  /// Metres.
  let radius: Double

  func depth(of position: Coordinate) -> Double { radius - centre.distance(to: position).metres }
}

extension Journey {
  /// Half a second: crossings are found at most this late, and shorter contacts may be missed.
  private static let finestStep = TimeSpan.milliseconds(500)

  /// The first time in `from ... until` at which the phone is inside (or outside) the disc; nil if none.
  ///
  /// Skips the time in which no speed of the block could reach the edge, so that far and still stretches cost
  /// almost nothing.
  func firstTime(inside: Bool, of disc: Disc, from: Instant, until: Instant) -> Instant? {
    var time = from
    while time <= until {
      let depth = disc.depth(of: position(at: time))
      if (depth >= 0) == inside { return time }
      guard let place = span(at: time) else {
        time = start
        continue
      }
      guard place + 1 < vertices.count else { return nil }
      let block = place / Self.blockLength
      let blockEnd = min((block + 1) * Self.blockLength, vertices.count - 1)
      let speed = blockSpeeds[block]
      let limit = vertices[blockEnd].time
      guard speed > 0 else {
        time = limit
        continue
      }
      let stride = TimeSpan.seconds(min(abs(depth) / speed, 1e9))
      time = min(time + max(stride, Self.finestStep), limit)
    }
    return nil
  }

  /// The first time at which the phone has been beyond `depth` (metres inside the disc's edge; negative:
  /// outside it) for `dwell`, counted from `from` on and ending before `until`; nil if never.
  func settled(
    inside: Bool, of disc: Disc, dwell: TimeSpan, from: Instant, until: Instant
  ) -> Instant? {
    var time = from
    while let reached = firstTime(inside: inside, of: disc, from: time, until: until) {
      let due = reached + dwell
      guard let left = firstTime(inside: !inside, of: disc, from: reached, until: min(due, until)) else {
        return due <= until ? due : nil
      }
      time = left
    }
    return nil
  }

  /// The time up to which a search ahead is worthwhile: 15 minutes, or the end of the current span if later.
  func horizon(from time: Instant) -> Instant {
    let ahead = time + .minutes(15)
    guard let place = span(at: time) else { return max(ahead, start) }
    return place + 1 < vertices.count ? max(ahead, vertices[place + 1].time) : max(ahead, time + .hours(24))
  }
}
