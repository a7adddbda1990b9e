import Geometry

/// A circle around an earlier fix in which it is known what a fix says of the zones at rest: nothing. A fix well inside
/// it needs no measuring of them. If it is lost, it is found again.
struct QuietCircle: Sendable {
  /// Of the last accepted fix, in space.
  var last: Cartesian?
  private var center = Cartesian(x: 0, y: 0, z: 0)
  /// Around `center`: within it are no zones but those of `limits`, those off duty, and those whose alarms were not at
  /// rest when it was found. Zero if there is no circle.
  private var radius = Distance.zero
  /// Nil where no zone at rest is near.
  private var limits: Limits?

  /// - Parameter anchor: the last accepted fix.
  func place(of anchor: Fix) -> Cartesian { last ?? anchor.position.ecef }

  /// The zones at rest that are so near that losing the signal would be an event; ascending.
  var close: [ZoneSlot] { limits?.close ?? [] }

  /// So far zones have to be known for a circle that holds for some more steps like this one; nil if the phone is too
  /// fast for it to be worth it.
  static func width(after step: Step, reach: Distance) -> Distance? {
    guard step.length <= .metres(15) else { return nil }
    return reach + step.length * 2 + step.radius + .metres(20)
  }

  mutating func forget() { (radius, limits) = (.zero, nil) }

  /// True if a fix in the circle says nothing of any zone at rest, by bounds alone and without a geodesic.
  ///
  /// - Parameters:
  ///   - place: of the step's end, in space.
  ///   - reach: from there, beyond which the step can concern no zone.
  ///   - step: no shorter than the true one.
  func holds(_ reach: Distance, around place: Cartesian, of step: Step) -> Bool {
    guard radius > .zero else { return false }
    let apart = center.groundAtMost(to: place)
    guard radius - apart > reach else { return false }
    guard let limits else { return true }
    let start = step.former.map { center.groundAtMost(to: self.place(of: $0)) } ?? .zero
    return limits.hold(apart: max(apart, start), step)
  }

  /// Looks for a new circle, in which there are no zones. Whether it was found.
  ///
  /// - Parameter step: from the fix before; the circle is made large enough for some more such steps.
  mutating func find(_ reach: Distance, around place: Cartesian, step: Distance, in zones: WatchedZones)
    -> Bool
  {
    let clearance = zones.index.clearance(around: place, above: reach, upTo: reach + step * 4 + .metres(500))
    (center, radius, limits) = (place, clearance ?? .zero, nil)
    return clearance != nil
  }

  /// Keeps what a fix says of the zones near it.
  ///
  /// - Parameters:
  ///   - near: all zones within `radius` that are on duty and whose alarms are at rest.
  ///   - step: that ended at `place`.
  ///   - margin: so near, losing the signal is an event (``Settings/dangerMargin``).
  mutating func keep(
    _ near: [NearZone], within radius: Distance, around place: Cartesian, of step: Step,
    in zones: WatchedZones, margin: Distance
  ) {
    forget()
    if !near.isEmpty {
      guard let limits = Limits(near, after: step, in: zones, margin: margin.metres) else { return }
      self.limits = limits
    }
    (center, self.radius) = (place, radius)
  }
}

extension QuietCircle {
  /// How far from the centre, and with which errors, each of some zones at rest is surely on the same side of each line
  /// that its rules look at.
  ///
  /// A distance to a zone changes by no more than the way between two places. All lengths in metres.
  fileprivate final class Limits: Sendable {
    /// From the centre to the nearest line of a zone, less the error, for each assurance: the line beyond which the zone
    /// is excluded or, for zones that are farther, beyond which losing the signal is nothing.
    private let outside: [Double]
    /// From the centre to the nearest edge of a zone of which a fine fix says that the phone is beside it.
    private let beside: Double
    /// Radii of fixes up to this are fine for these zones.
    private let finest: Double
    /// How far the nearest of the lines within which losing the signal is an event lies behind the centre, more by the
    /// error, for each assurance.
    private let within: [Double]
    let close: [ZoneSlot]

    /// Bounds of places and of distances are wrong by far less; metres.
    private static let measuringError = 1.0

    /// Nil if a zone's answer may change at any place near the centre.
    init?(_ near: [NearZone], after step: Step, in zones: WatchedZones, margin: Double) {
      var outside = Assurance.allCases.map { _ in Double.infinity }
      var within = outside
      var (beside, finest) = (Double.infinity, Double.infinity)
      var close: [ZoneSlot] = []
      for neighbour in near {
        let rules = zones.rules(of: neighbour.zone)
        // The line of a zone with a lead time moves with the speed.
        guard zones[neighbour.zone].leadTime == nil else { return nil }
        let kind = Int(rules.assurance.rawValue)
        let factor = Rule.errorFactor(rules.assurance)
        let error = step.radius.metres * factor
        let beyond = neighbour.distance.metres - rules.alertDistance.metres
        guard beyond > 0 else { return nil }
        if rules.trigger != .leave {
          if beyond - error > margin {
            outside[kind] = min(outside[kind], beyond - margin)
            continue
          }
          close.append(neighbour.zone)
          within[kind] = min(within[kind], margin - beyond)
        }
        if beyond > error {
          outside[kind] = min(outside[kind], beyond)
        } else {
          guard rules.assurance != .safety else { return nil }
          let fine = max(Rule.fineError, zones.reach(of: neighbour.zone) * 0.5)
          guard error <= fine.metres else { return nil }
          beside = min(beside, beyond)
          finest = min(finest, fine.metres / factor - 0.001)
        }
      }
      (self.outside, self.within, self.beside, self.finest, self.close) = (
        outside, within, beside, finest, close
      )
    }

    /// - Parameter apart: from the centre to both ends of the step, at most.
    func hold(apart: Distance, _ step: Step) -> Bool {
      let radius = step.radius.metres
      guard radius <= finest else { return false }
      let apart = apart.metres + Self.measuringError
      // A place on the way is no farther from both its ends together than they are from each other.
      let aside = apart + step.length.metres / 2
      guard aside < beside else { return false }
      for assurance in Assurance.allCases {
        let kind = Int(assurance.rawValue)
        let error = radius * Rule.errorFactor(assurance)
        guard aside + error < outside[kind], apart <= within[kind] + error else { return false }
      }
      return true
    }
  }
}
