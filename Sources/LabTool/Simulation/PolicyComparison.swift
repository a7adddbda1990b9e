import CommandLineSupport
import PhoneSimulator

/// A comparison of the certified policy with one other, on the same journeys with the same random numbers.
/// These comparisons were fixed before anything was measured.
struct PolicyComparison: Sendable {
  enum Metric: String, CaseIterable, Sendable {
    case recall
    case joulesPerDay
  }
  let number: String
  let rival: String
  let host: String
  let profile: String
  let metric: Metric
  /// The certified policy's value minus the other's: more recall and fewer joules are better.
  let difference: ClusterBootstrap.Difference
  /// The p-value, corrected for the number of comparisons on this host (Holm).
  var corrected: Double

  /// True if the certified policy is significantly better.
  var isShown: Bool { corrected < 0.05 && isBetter }
  var isBetter: Bool { metric == .recall ? difference.value > 0 : difference.value < 0 }

  /// Fixed in advance: C2, C5, C6, C7, C8 and C9, each ringing by its own rule, C6 corrected and on a current
  /// phone.
  static let rivals = [
    ("C2", "original-continuous"), ("C5", "original-tiered"), ("C6", "original-fenceOnly-iOS18"),
    ("C7", "platform-regions"), ("C8", "infinite-geofencing"), ("C9", "nearestRegions"),
  ]

  /// The compared policies, in the order of the catalogue's numbers.
  static var compared: [(number: String, policy: SimulatedPolicy)] {
    rivals.compactMap { number, name in SimulatedPolicy.named(name).map { (number, $0) } }
  }

  /// The comparisons that the run allows: both policies, one host, one profile.
  static func all(in run: SimulationRun) -> [Self] {
    var found: [Self] = []
    let groups = Dictionary(grouping: run.entries) { Side($0.subject) }
    for profile in run.setting.profiles {
      for host in ["H1", "H2", "H0"] {
        guard let own = groups[Side(policy: "certified", host: host, profile: profile.name)] else { continue }
        let mine = PersonTallies(own, run.courses)
        var family: [Self] = []
        for (number, policy) in compared {
          guard let others = groups[Side(policy: policy.name, host: host, profile: profile.name)] else {
            continue
          }
          let theirs = PersonTallies(others, run.courses)
          for metric in Metric.allCases {
            let (a, b) =
              metric == .recall ? (mine.recall, theirs.recall) : (mine.joules, theirs.joules)
            guard mine.persons == theirs.persons, let difference = ClusterBootstrap().difference(a, b) else {
              continue
            }
            family.append(
              Self(
                number: number, rival: policy.name, host: host, profile: profile.name,
                metric: metric, difference: difference, corrected: 1))
          }
        }
        let corrected = holmCorrected(family.map(\.difference.probability))
        found += zip(family, corrected).map { comparison, probability in
          var comparison = comparison
          comparison.corrected = probability
          return comparison
        }
      }
    }
    return found
  }

  private struct Side: Hashable {
    let policy: String
    let host: String
    let profile: String
    init(policy: String, host: String, profile: String) {
      self.policy = policy
      self.host = host
      self.profile = profile
    }
    init(_ subject: SimulationRun.Subject) {
      self.init(policy: subject.policy, host: subject.host, profile: subject.profile)
    }
  }
}
