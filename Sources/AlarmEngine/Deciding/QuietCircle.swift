import Geometry

/// A circle around an earlier fix, within which a fix changes nothing for the zones at rest. A fix well
/// inside it need not be measured against them. The circle is a cache: a lost one is found again.
struct QuietCircle: Sendable {
  /// The position of the last accepted fix, in space; nil if it has to be computed.
  var last: Cartesian?
  private var center = Cartesian(x: 0, y: 0, z: 0)
  /// The radius around `center` within which there are no zones but those of `limits`, those off duty, and
  /// those whose alarms were not at rest when the circle was found. Zero if there is no circle.
  private var radius = Distance.zero
  /// Nil if no zone at rest is near.
  private var limits: Limits?

  /// - Parameter anchor: the last accepted fix.
  func place(of anchor: Fix) -> Cartesian { last ?? anchor.position.ecef }

  /// The zones at rest that are so near that losing the signal would be an event; ascending.
  var close: [ZoneSlot] { limits?.close ?? [] }

  /// The distance up to which zones have to be known for a circle that holds for some more steps like this
  /// one; nil if the phone is too fast for a circle to pay off.
  static func width(after step: Step, reach: Distance) -> Distance? {
    guard step.length <= .metres(15) else { return nil }
    return reach + step.length * 2 + step.radius + .metres(20)
  }

  mutating func forget() { (radius, limits) = (.zero, nil) }

  /// True if a step within the circle changes nothing for any zone at rest, by bounds alone and without a
  /// geodesic.
  ///
  /// - Parameters:
  ///   - place: the end of the step, in space.
  ///   - reach: the distance from there beyond which the step can concern no zone.
  ///   - step: its length is at least the true one.
  func holds(_ reach: Distance, around place: Cartesian, of step: Step) -> Bool {
    guard radius > .zero else { return false }
    let apart = center.groundAtMost(to: place)
    guard radius - apart > reach else { return false }
    guard let limits else { return true }
    let start = step.former.map { center.groundAtMost(to: self.place(of: $0)) } ?? .zero
    return limits.hold(apart: max(apart, start), step)
  }

  /// Looks for a new circle, without zones in it. Returns true if there is one.
  ///
  /// - Parameter step: the length of the step from the previous fix; the circle is made large enough for some
  ///   more such steps.
  mutating func find(_ reach: Distance, around place: Cartesian, step: Distance, in zones: WatchedZones)
    -> Bool
  {
    let clearance = zones.index.clearance(around: place, above: reach, upTo: reach + step * 4 + .metres(500))
    (center, radius, limits) = (place, clearance ?? .zero, nil)
    return clearance != nil
  }

  /// Makes a circle in which the zones near a fix are known.
  ///
  /// - Parameters:
  ///   - near: all zones within `radius` that are on duty and whose alarms are at rest.
  ///   - step: the step that ended at `place`.
  ///   - margin: the distance within which losing the signal is an event (``Settings/dangerMargin``).
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
  /// Bounds for a step: within them, the phone surely stays on the same side of each line that the rules of
  /// some zones at rest look at.
  ///
  /// The distance to a zone changes by no more than the distance between two positions. All lengths in
  /// metres.
  fileprivate final class Limits: Sendable {
    /// For each assurance, the distance from the centre to the nearest line of a zone: the line at which the
    /// zone is no longer excluded or, for farther zones, at which losing the signal becomes an event. The
    /// phone and its error have to stay within it.
    private let outside: [Double]
    /// The distance from the centre to the nearest alert line of a zone for which a fine fix gives the
    /// verdict ``Verdict/beside``.
    private let beside: Double
    /// The largest accuracy radius of a fix that is fine for these zones.
    private let finest: Double
    /// For each assurance, how far the phone, less its error, may be from the centre until losing the signal
    /// is no longer an event for one of `close`.
    private let within: [Double]
    let close: [ZoneSlot]

    /// Far more than the errors of bounds and of distances; metres.
    private static let measuringError = 1.0

    /// Fails if a zone's answer may change at any place near the centre.
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
        if rules.trigger.kind != .leave {
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

    /// - Parameter apart: an upper bound of the distance from the centre to either end of the step.
    func hold(apart: Distance, _ step: Step) -> Bool {
      let radius = step.radius.metres
      guard radius <= finest else { return false }
      let apart = apart.metres + Self.measuringError
      // A place on the path is at most half its length away from the nearer end.
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
