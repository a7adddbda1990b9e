import AlarmEngine
import Geometry

/// Divides a device's past into stays, trips and gaps, from positions in the order of time.
///
/// A stay begins at the earliest position from which all following positions, for at least `minimum`, are
/// within `radius` of it. It ends at the last of these. Two consecutive stays become one if their centres are
/// within `radius` and they are at most `minimum` apart: a short absence, or a receiver that wandered. The
/// time between stays is a trip. Memory grows with the longest stay, not with the past.
///
/// After Q. Li et al., "Mining user similarity based on location history", ACM GIS 2008, section 3.
package struct StayFinder {
  private let definitions: HistoryDefinitions
  /// The spans that were found and not yet taken, in the order of time.
  package private(set) var found: [HistorySpan] = []

  /// Positions since the last gap that belong to no stay or trip yet. Those before `start` are processed.
  private var open: [Fix] = []
  private var start = 0
  /// The positions in `open` from `start` up to this index are within the radius of the first of them.
  private var reach = 0
  /// The last stay, which the next stay may still extend.
  private var stay: Stay?
  private var trip: Trip?
  private var last: Fix?

  private struct Stay {
    var from: Instant
    var to: Instant
    var last: Fix
    let first: Coordinate
    var count: Int
    /// Sums of the differences in degrees from the first position, so that ±180° needs no special case.
    var latitudes: Double
    var longitudes: Double

    var centre: Coordinate {
      let latitude = first.latitude.degrees + latitudes / Double(count)
      let longitude = first.longitude.degrees + longitudes / Double(count)
      return Coordinate(
        latitude: .degrees(max(-90, min(90, latitude))),
        longitude: .degrees(
          longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude))
    }

    init(_ fixes: ArraySlice<Fix>, first: Coordinate) {
      self.first = first
      from = fixes[fixes.startIndex].measuredAt
      last = fixes[fixes.index(before: fixes.endIndex)]
      to = last.measuredAt
      count = fixes.count
      latitudes = 0
      longitudes = 0
      for fix in fixes {
        latitudes += fix.position.latitude.degrees - first.latitude.degrees
        let turn = fix.position.longitude.degrees - first.longitude.degrees
        longitudes += turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
      }
    }
  }

  private struct Trip {
    let from: Instant
    var last: Fix
    var metres = 0.0

    init(from fix: Fix) {
      from = fix.measuredAt
      last = fix
    }

    mutating func go(to fix: Fix) {
      metres += last.position.distance(to: fix.position).metres
      last = fix
    }
  }

  package init(_ definitions: HistoryDefinitions) { self.definitions = definitions }

  /// Adds a position. A position that is not later than the previous one, or is too coarse, is ignored.
  package mutating func add(_ fix: Fix) {
    guard definitions.isUsable(fix) else { return }
    if let last {
      guard fix.measuredAt > last.measuredAt else { return }
      if !definitions.areConnected(last, fix) {
        closePiece()
        found.append(HistorySpan(.gap, from: last.measuredAt, to: fix.measuredAt))
      }
    }
    last = fix
    open.append(fix)
    advance(isEnd: false)
  }

  /// Ends the past: no further position follows.
  package mutating func finish() { closePiece() }

  /// Returns and removes the spans found since the last call.
  package mutating func take() -> [HistorySpan] {
    defer { found = [] }
    return found
  }

  private mutating func advance(isEnd: Bool) {
    while start < open.count {
      reach = max(reach, start + 1)
      while reach < open.count,
        open[start].position.distance(to: open[reach].position) <= definitions.radius
      { reach += 1 }
      guard reach < open.count || isEnd else { break }
      if open[reach - 1].measuredAt - open[start].measuredAt >= definitions.minimum {
        takeStay(open[start..<reach])
        start = reach
      } else {
        pass(open[start])
        start += 1
        // All positions have to be checked again from the new first one.
        reach = start
      }
    }
    guard start > 1024 || start == open.count else { return }
    open.removeFirst(start)
    reach = max(0, reach - start)
    start = 0
  }

  private mutating func pass(_ fix: Fix) {
    if trip == nil { trip = Trip(from: fix) } else { trip?.go(to: fix) }
  }

  private mutating func takeStay(_ fixes: ArraySlice<Fix>) {
    let next = Stay(fixes, first: fixes[fixes.startIndex].position)
    if let former = stay, next.from - former.to <= definitions.minimum,
      former.centre.distance(to: next.centre) <= definitions.radius
    {
      let again = Stay(fixes, first: former.first)
      stay?.to = next.to
      stay?.count += next.count
      stay?.latitudes += again.latitudes
      stay?.longitudes += again.longitudes
      stay?.last = next.last
      trip = Trip(from: next.last)
      return
    }
    trip?.go(to: fixes[fixes.startIndex])
    endStay()
    endTrip()
    stay = next
    trip = Trip(from: next.last)
  }

  private mutating func endStay() {
    guard let ended = stay else { return }
    found.append(HistorySpan(.stay(at: ended.centre, fixes: ended.count), from: ended.from, to: ended.to))
    stay = nil
  }

  private mutating func endTrip() {
    guard let ended = trip else { return }
    trip = nil
    guard ended.last.measuredAt > ended.from else { return }
    found.append(
      HistorySpan(.trip(length: .metres(ended.metres)), from: ended.from, to: ended.last.measuredAt))
  }

  private mutating func closePiece() {
    advance(isEnd: true)
    endStay()
    endTrip()
  }
}
