import AlarmEngine
import CommandLineSupport
import CoreLocationWatch
import Geometry
import PhoneSimulator

/// A policy or bound that `simulate` can compare, with its name.
struct SimulatedPolicy: Sendable {
  enum Kind: Sendable {
    /// Decides the requests to the phone; runs on the named hosts except `visibleOnly`, or on the one host
    /// that the run asks for.
    case policy(hosts: [Capabilities.Host], make: @Sendable () -> any WatchDecisions)
    /// A theoretical bound, which needs no phone.
    case bound(EvaluationBound)
  }

  let name: String
  let summary: String
  let kind: Kind

  static let all: [Self] = [
    Self("certified", "the displacement budget, with a guarantee", on: everywhere) { CertifiedWatch() },
    Self("tiered", "C5a: three tiers by distance", on: [.suspended]) { TieredWatch() },
    Self("tiered-background", "C5b: without updates in the background", on: [.suspended]) {
      var parameters = TieredParameters()
      parameters.followsInBackground = false
      return TieredWatch(parameters: parameters)
    },
    Self("fenceOnly", "C6: one moving fence, corrected", on: [.suspended]) { FenceOnlyWatch() },
    Self("fenceOnly-2012", "C6 as originally written", on: [.suspended]) {
      FenceOnlyWatch(parameters: .asWritten)
    },
    original("continuous", "C2", ContinuousWatch(), on: [.timed, .suspended]),
    original("tiered", "C5a", TieredWatch()),
    original("tiered-background", "C5b", TieredWatch(parameters: .significantInBackground)),
    fenceOnly(IOSVersion(6), .asWritten), fenceOnly(IOSVersion(12), .asWritten),
    fenceOnly(IOSVersion(18), .asWritten),
    fenceOnly(IOSVersion(6), .corrected), fenceOnly(IOSVersion(12), .corrected),
    fenceOnly(IOSVersion(18), .corrected),
    Self("nearestRegions", "C9: the nearest as regions, else tracking", on: [.suspended]) {
      NearestRegionsWatch()
    },
    Self("continuous", "C2: best accuracy all the time", on: everywhere) { ContinuousWatch() },
    Self("continuous-paused", "C2 with the platform's pausing", on: [.suspended]) {
      var parameters = ContinuousWatch.Parameters()
      parameters.mayPause = true
      return ContinuousWatch(parameters: parameters)
    },
    filtered(10), filtered(50), filtered(100),
    Self("every-30s", "C4: a fix each 30 s", on: [.timed]) { PeriodicFixes(.every(.seconds(30))) },
    Self("every-60s", "C4: a fix each minute", on: [.timed]) { PeriodicFixes(.every(.seconds(60))) },
    Self("every-180s", "C4: a fix each 3 minutes", on: [.timed]) { PeriodicFixes(.every(.seconds(180))) },
    Self("every-300s", "C4: a fix each 5 minutes", on: [.timed]) { PeriodicFixes(.every(.seconds(300))) },
    Self("platform-regions", "C7: the 20 nearest as system regions", on: [.suspended]) { PlatformRegions() },
    Self("platform-regions-trusting", "C7, trusting the platform's events", on: [.suspended]) {
      PlatformRegions(trusts: true)
    },
    Self("infinite-geofencing", "C8: the nearest zones and a fence that moves along", on: [.suspended]) {
      InfiniteGeofencing()
    },
    Self("infinite-geofencing-2km", "C8 with zones within 2 km", on: [.suspended]) {
      var parameters = InfiniteGeofencing.Parameters()
      parameters.proximityRadius = .metres(2000)
      return InfiniteGeofencing(parameters: parameters)
    },
    Self("interval", "C10: interval by distance at 100 m/s", on: [.timed]) {
      PeriodicFixes(.byDistanceToEdge)
    },
    Self("naive-safe-period", "C13: distance over 40 m/s", on: [.timed]) { PeriodicFixes(.naiveSafePeriod) },
    Self("responsive", "C11: a coarse fix each 150 s on the move", on: [.suspended]) { ResponsiveTracking() },
    Self("duty-cycle", "C12: tracks from a fence of 100 m until ten minutes' rest", on: [.suspended]) {
      DutyCycle()
    },
    Self(name: "oracle", summary: "C0: one fix an alarm", kind: .bound(.oracle)),
    Self(name: "certificate", summary: "C1: the safe period on the true track", kind: .bound(.certificate)),
    Self(
      name: "least-energy", summary: "LB_E: the least energy on positions that makes certain",
      kind: .bound(.leastEnergy)),
  ]

  private static let everywhere: [Capabilities.Host] = [.timed, .suspended, .visibleOnly]

  private static func filtered(_ metres: Double) -> Self {
    let name = fixedPoint(metres, decimals: 0)
    return Self("continuous-\(name)m", "C3: distance filter \(name) m", on: [.timed, .suspended]) {
      var parameters = ContinuousWatch.Parameters()
      parameters.distanceFilter = .metres(metres)
      return ContinuousWatch(parameters: parameters)
    }
  }

  /// A policy of the engine that rings as its model does: on every position in a zone, whatever its error.
  private static func original(
    _ name: String, _ number: String, _ policy: any WatchDecisions,
    on hosts: [Capabilities.Host] = [.suspended]
  ) -> Self {
    Self("original-\(name)", "\(number), ringing at every position", on: hosts) { OriginalRule(policy) }
  }

  private static func fenceOnly(_ era: IOSVersion, _ parameters: FenceOnlyParameters) -> Self {
    let name = "original-fenceOnly\(parameters.isCorrected ? "" : "-2012")-iOS\(era.major)"
    let kind = parameters.isCorrected ? "corrected" : "as written"
    return Self(name, "C6 \(kind), with the background time of iOS \(era.major)", on: [.suspended]) {
      OriginalRule(FenceOnlyWatch(parameters: parameters), era: era)
    }
  }

  static func named(_ name: String) -> Self? {
    all.first { $0.name == name } ?? all.flatMap { variants(of: $0) }.first { $0.name == name }
  }

  init(
    _ name: String, _ summary: String, on hosts: [Capabilities.Host],
    make: @escaping @Sendable () -> any WatchDecisions
  ) {
    self.init(name: name, summary: summary, kind: .policy(hosts: hosts, make: make))
  }

  private init(name: String, summary: String, kind: Kind) {
    self.name = name
    self.summary = summary
    self.kind = kind
  }

  /// The policy on a host: on iOS through a simulation of Core Location. A policy by other authors rings by
  /// its own rule.
  ///
  /// - Parameters:
  ///   - version: the version of iOS; a policy made for another version of iOS gets that one.
  ///   - journal: records every event and command.
  static func contender(
    _ name: String, on host: Capabilities.Host, version: IOSVersion = 18, journal: SceneJournal? = nil,
    make: @escaping @Sendable () -> any WatchDecisions
  ) -> Trial.Contender {
    let sample = make()
    let play = journal.map { journal in { @Sendable in journaled(make(), in: journal) } } ?? make
    var contender: Trial.Contender
    if let baseline = sample as? any Baseline {
      let fresh = { @Sendable in play() as? any Baseline ?? baseline }
      if host != .suspended { return Trial.Contender(baseline: name, host: host, policy: fresh) }
      contender = Trial.Contender(name: name, host: host) { phone, record in
        let bell = PlainBell(phone, record)
        phone.watch(keeping: bell.silentRecord) { PlainWatch(fresh(), bell: bell) }
      }
    } else {
      if host != .suspended { return Trial.Contender(timed: name, host: host, policy: play) }
      contender = Trial.Contender(name: name, host: host) { phone, record in
        phone.watch(keeping: record, play)
      }
    }
    contender.system = .iOS((sample as? OriginalRule)?.era ?? version)
    return contender
  }

  private static func journaled(
    _ policy: any WatchDecisions, in journal: SceneJournal
  ) -> any WatchDecisions {
    if let baseline = policy as? any Baseline { return JournaledBaseline(baseline, in: journal) }
    return JournaledWatch(policy, in: journal)
  }
}

extension Capabilities.Host {
  /// The symbols of the protocol's host classes.
  var symbol: String {
    switch self {
    case .visibleOnly: "H0"
    case .timed: "H1"
    case .suspended: "H2"
    }
  }
  init?(symbol: String) {
    switch symbol {
    case "H0": self = .visibleOnly
    case "H1": self = .timed
    case "H2": self = .suspended
    default: return nil
    }
  }
}
