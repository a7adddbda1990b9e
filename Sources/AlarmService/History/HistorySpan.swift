import AlarmEngine
import Geometry

/// A part of a device's past: a stay, a trip, or a gap in which its place is not known.
package struct HistorySpan: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A stay: the mean of its positions, and their number.
    case stay(at: Coordinate, fixes: Int)
    /// A trip from a stay, or the first position after a gap, to the next stay, or the last position before a
    /// gap. The length is the sum of the straight lines between the positions.
    case trip(length: Distance)
    /// The time between two positions that are not connected (`HistoryDefinitions.areConnected`).
    case gap
  }
  package let kind: Kind
  package let from: Instant
  package let to: Instant

  package init(_ kind: Kind, from: Instant, to: Instant) {
    self.kind = kind
    self.from = from
    self.to = to
  }
}

/// The definitions of stays and gaps.
package struct HistoryDefinitions: Equatable, Sendable {
  /// The greatest distance of a stay's positions from its first.
  package var radius = Distance.metres(150)
  package static let allowedRadiusMetres = 20.0...5000
  /// The least duration of a stay. Shorter halts are part of a trip, and shorter absences part of a stay.
  package var minimum = TimeSpan.minutes(10)
  package static let allowedMinimumMinutes = 1.0...1440
  /// The longest time between two positions for which the place in between counts as known. A longer silence
  /// counts as rest if the two positions are within `radius` of each other: a phone that lies still reports
  /// nothing.
  package var gap = TimeSpan.minutes(60)
  package static let allowedGapMinutes = 1.0...1440
  /// The longest silence at one place that counts as rest.
  package static let longestRest = TimeSpan.hours(24)
  /// The largest stated error of a position that is used. The position of a mobile cell is too coarse to say
  /// where the device was.
  package static let coarsest = Distance.metres(250)

  package init() {}

  func isUsable(_ fix: Fix) -> Bool { fix.accuracy.stated.map { $0 <= Self.coarsest } ?? true }

  /// True if the two positions tell where the device was in between.
  func areConnected(_ a: Fix, _ b: Fix) -> Bool {
    let silence = b.measuredAt - a.measuredAt
    if silence <= gap { return true }
    return silence <= Self.longestRest && a.position.distance(to: b.position) <= radius
  }
}
