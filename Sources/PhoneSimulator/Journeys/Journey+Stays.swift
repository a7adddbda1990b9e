import AlarmEngine
import Geometry

/// A time in which the phone never left a circle around the place where it came to rest.
struct Stay {
  let position: Coordinate
  let arrival: Instant
  /// Nil if the journey ends there.
  let departure: Instant?
}

extension Journey {
  /// Rests of at least `least` within `radius` of their first point, one after the other.
  /// - Complexity: linear in the vertices for a journey that moves; at worst n times the vertices within
  ///   `least`.
  func stays(within radius: Distance, atLeast least: TimeSpan) -> [Stay] {
    var stays: [Stay] = []
    var place = 0
    while place < vertices.count {
      let anchor = vertices[place]
      var next = place + 1
      while next < vertices.count, anchor.position.distance(to: vertices[next].position) <= radius {
        next += 1
      }
      guard next < vertices.count else {
        // The final rest: it begins at the first vertex after which nothing leaves the circle.
        stays.append(Stay(position: anchor.position, arrival: anchor.time, departure: nil))
        break
      }
      let disc = Disc(centre: anchor.position, radius: radius.metres)
      let left =
        firstTime(inside: false, of: disc, from: vertices[next - 1].time, until: vertices[next].time)
        ?? vertices[next].time
      if left - anchor.time >= least {
        stays.append(Stay(position: anchor.position, arrival: anchor.time, departure: left))
        place = next
      } else {
        place += 1
      }
    }
    return stays
  }
}
