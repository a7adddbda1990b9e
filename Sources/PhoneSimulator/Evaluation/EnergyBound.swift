import AlarmEngine
import Geometry

/// LB_E: the least energy for an observer that knows the whole journey, but must be able to prove from the
/// fixes and the speed limit alone that the phone entered no zone without an alarm. Energy reference, b.3.
///
/// An exact backward dynamic program in steps of a second. Before each deadline it takes one fix of one
/// sensor, or continues a session in which the first sensor gives a fix each second. Wakes, hosts and
/// monitoring are left out, so the result is the least that any policy with these sensors and this knowledge
/// of speeds must spend on positions.
public struct EnergyBound: Hashable, Sendable {
  public struct Sensor: Hashable, Sendable {
    /// Joules for a fix.
    public var cost: Double
    /// Greatest error of a fix, in metres.
    public var error: Double
    public var component: EnergyLedger.Component
    public init(cost: Double, error: Double, component: EnergyLedger.Component) {
      self.cost = cost
      self.error = error
      self.component = component
    }
  }

  /// Sessions use the first.
  public var sensors: [Sensor]
  /// A session's power, watts.
  public var sessionWatts: Double
  public var speeds: KnownSpeeds
  /// Seconds that a stay may last without an alarm.
  public var tolerance = 10.0
  /// Metres beyond its line at which a zone that rang is armed again, as in ``GroundTruth``.
  public var rearmAt = GroundTruth.Rules().rearmAt

  /// - Precondition: at least one sensor; costs above zero.
  public init(sensors: [Sensor], sessionWatts: Double, speeds: KnownSpeeds) {
    precondition(!sensors.isEmpty, "a bound has a sensor to see with")
    precondition(sensors.allSatisfy { $0.cost > 0 }, "a fix costs something")
    self.sensors = sensors
    self.sessionWatts = sessionWatts
    self.speeds = speeds
  }

  /// Takes the sensors from a phone's figures: satellites with 15 m and Wi-Fi with 65 m of error; motion
  /// known, with limits of 3, 12 and 40 m/s.
  public init(_ profile: EnergyProfile) {
    let watts = profile.bestMovingMilliwatts / 1000
    self.init(
      sensors: [
        Sensor(
          cost: watts * (EvaluationBound.secondsOfFix + profile.tailSeconds), error: 15,
          component: .satellites),
        Sensor(cost: profile.networkFixJoules, error: 65, component: .networkFix),
      ], sessionWatts: watts, speeds: .modes(walking: 3, cycling: 12, vehicle: 40))
  }

  /// A plan of least energy for a journey.
  public struct Plan: Hashable, Sendable {
    public struct Fix: Hashable, Sendable {
      /// Seconds from the journey's start.
      public let second: Int
      /// Index in `sensors`.
      public let sensor: Int
    }
    public var joules = 0.0
    public var fixes: [Fix] = []
    /// Seconds spent in sessions.
    public var sessionSeconds = 0
  }

  /// - Complexity: O(seconds × sensors), plus the distances to the zones along the way.
  public func plan(_ journey: Journey, zones: [Zone], settings: Settings = .phone) -> Plan {
    let lines = zones.filter { $0.active && $0.mustBeNoticed }.compactMap {
      AlarmLine($0, settings: settings)
    }
    guard !lines.isEmpty else { return Plan() }
    let track = MarginTrack(journey, lines: lines, speeds: speeds, rearmAt: rearmAt)
    return plan(track)
  }

  func plan(_ track: MarginTrack) -> Plan {
    let count = track.count
    // The remaining energy if a fix is due at a second, and if one was just taken there in a session.
    var due = [Double](repeating: 0, count: count + 1)
    var inSession = [Double](repeating: 0, count: count + 1)
    var hints = [Int](repeating: count, count: sensors.count)
    for second in stride(from: count - 1, through: 0, by: -1) {
      var least = Double.infinity
      for sensor in sensors.indices {
        let after = due[next(track, second, sensors[sensor], near: &hints[sensor])]
        if sensor == 0 { inSession[second] = min(after, sessionWatts + inSession[second + 1]) }
        least = min(least, sensors[sensor].cost + (sensor == 0 ? inSession[second] : after))
      }
      due[second] = least
    }
    return walk(track, due, inSession)
  }

  /// Follows the optimal choices forward in time.
  private func walk(_ track: MarginTrack, _ due: [Double], _ inSession: [Double]) -> Plan {
    var plan = Plan()
    plan.joules = due[0]
    var second = 0
    while second < track.count {
      // Repeats the program's sums exactly, so that the sensor it chose is found again.
      let sensor =
        sensors.indices.first { sensor in
          let after = sensor == 0 ? inSession[second] : due[next(track, second, sensors[sensor])]
          return sensors[sensor].cost + after == due[second]
        } ?? 0
      plan.fixes.append(Plan.Fix(second: second, sensor: sensor))
      if sensor == 0 {
        while second < track.count, inSession[second] < due[next(track, second, sensors[0])] {
          plan.sessionSeconds += 1
          second += 1
        }
      }
      if second < track.count { second = next(track, second, sensors[sensor]) }
    }
    return plan
  }

  /// The second at which the next fix is due after one of this sensor: R_k(t) of the reference.
  func next(_ track: MarginTrack, _ second: Int, _ sensor: Sensor) -> Int {
    var hint = second
    return next(track, second, sensor, near: &hint)
  }

  private func next(_ track: MarginTrack, _ second: Int, _ sensor: Sensor, near hint: inout Int) -> Int {
    let margin = min(
      max(0, track.toEntry[second] - 2 * sensor.error), max(0, track.toLeaving[second]))
    return track.next(after: second, metres: margin, tolerance: tolerance, near: &hint)
  }
}

extension Zone {
  /// True if the crossing of the zone's line has to be noticed. A stay may begin unnoticed if its end is
  /// seen, so zones that ring after a time inside or outside are left out; the result is still a lower bound.
  fileprivate var mustBeNoticed: Bool {
    switch trigger {
    case .enter, .enterAndLeave, .leave(after: .zero): true
    case .leave, .dwell: false
    }
  }
}
