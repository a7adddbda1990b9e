import AlarmEngine
import Geometry

/// A part of a device's past: it stayed somewhere, was on its way, or nobody knows.
package struct HistorySpan: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The mean of the positions, and how many there were.
    case stay(at: Coordinate, fixes: Int)
    /// From a stay, or the first position after a gap, to the next stay, or the last position before a gap. The length
    /// is that of the straight lines between the positions.
    case trip(length: Distance)
    /// Between two positions, further apart than a stay and longer ago than is believed.
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

/// What counts as a stay, and what is believed of the time between two positions.
package struct HistoryDefinitions: Equatable, Sendable {
  /// How far from where it began a stay may lead.
  package var radius = Distance.metres(150)
  package static let allowedRadiusMetres = 20.0...5000
  /// Shorter halts are part of a trip, and shorter absences part of a stay.
  package var minimum = TimeSpan.minutes(10)
  package static let allowedMinimumMinutes = 1.0...1440
  /// Two positions that are further apart in time tell nothing of the time between, except that a device was at rest that
  /// was within `radius` before and after: a phone that lies still reports nothing.
  package var gap = TimeSpan.minutes(60)
  package static let allowedGapMinutes = 1.0...1440
  /// So long a silence at one place is believed to be rest.
  package static let longestRest = TimeSpan.hours(24)
  /// Positions that state a larger error are left out: a mobile cell's is no place where somebody was.
  package static let coarsest = Distance.metres(250)

  package init() {}

  func isUsable(_ fix: Fix) -> Bool { fix.accuracy.stated.map { $0 <= Self.coarsest } ?? true }

  /// Whether the positions say where the device was in between.
  func areConnected(_ a: Fix, _ b: Fix) -> Bool {
    let silence = b.measuredAt - a.measuredAt
    if silence <= gap { return true }
    return silence <= Self.longestRest && a.position.distance(to: b.position) <= radius
  }
}
