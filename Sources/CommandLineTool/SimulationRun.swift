import AlarmEngine
import PhoneSimulator

/// All trials of one `simulate`: cases × policies × hosts × profiles × seeds, and what they come to.
struct SimulationRun: Sendable {
  /// What one line of the answer is about.
  struct Subject: Hashable, Sendable {
    let policy: String
    /// `H0`, `H1` or `H2`; a bound has `-`.
    let host: String
    let profile: String
    let scenario: String
  }
  /// One trial and where it belongs.
  struct Entry: Sendable {
    let subject: Subject
    let course: Int
    let seed: UInt64
    let result: TrialResult
    /// Joules of the phone that is always on, in the same trial.
    let reference: Double
  }
  struct Line: Sendable {
    let subject: Subject
    let metrics: EvaluationMetrics
    let recall: ClosedRange<Double>?
    let joules: ClosedRange<Double>?
  }

  /// In the order of seeds, then scenarios.
  let courses: [(seed: UInt64, course: Trial.Case)]
  let entries: [Entry]
  /// In the order of scenarios, profiles, policies, hosts.
  let lines: [Line]

  private struct Job: Sendable {
    let course: Int
    let profile: Int
    /// Position among the lineup; nil is the phone that is always on.
    let rival: Int?
    let host: Capabilities.Host
  }

  /// - Parameters:
  ///   - courses: with the seed of the phone that goes along them.
  ///   - step: told how many of how many trials are done; false stops.
  /// - Throws: `CancellationError`.
  init(
    courses: [(seed: UInt64, course: Trial.Case)], policies: [SimulatedPolicy], host: Capabilities.Host?,
    profiles: [(name: String, profile: EnergyProfile)], parameters: PhoneParameters,
    step: (Int, Int) -> Bool
  ) throws {
    self.courses = courses
    let rivals = Self.lineup(policies, host: host)
    var jobs: [Job] = []
    for course in courses.indices {
      for profile in profiles.indices {
        for host in [Capabilities.Host.timed, .suspended, .visibleOnly]
        where rivals.contains(where: { $0.reference == host }) {
          jobs.append(Job(course: course, profile: profile, rival: nil, host: host))
        }
        for (index, rival) in rivals.enumerated() {
          jobs.append(Job(course: course, profile: profile, rival: index, host: rival.reference))
        }
      }
    }
    let results = try inParallel(
      jobs, telling: { step($0, jobs.count) },
      work: { job in
        let (seed, course) = courses[job.course]
        let profile = profiles[job.profile]
        let rival =
          job.rival.map { rivals[$0].play }
          ?? .contender(
            SimulatedPolicy.contender("continuous", on: job.host) { ContinuousWatch() })
        switch rival {
        case .bound(let bound): return bound.result(course, profile: profile.profile)
        case .contender(let contender):
          return Trial(
            contender, profile: (profile.name, profile.profile), parameters: parameters, seed: seed
          )
          .run(course)
        }
      })
    (entries, lines) = Self.sort(jobs, results, rivals, courses, profiles.map(\.name))
  }

  private struct Rival: Sendable {
    enum Play: Sendable {
      case contender(Trial.Contender)
      case bound(EvaluationBound)
    }
    let name: String
    let host: String
    /// Where the phone that is always on runs for comparison.
    let reference: Capabilities.Host
    let play: Play
  }

  private static func lineup(_ policies: [SimulatedPolicy], host: Capabilities.Host?) -> [Rival] {
    policies.flatMap { policy -> [Rival] in
      switch policy.kind {
      case .bound(let bound):
        [Rival(name: policy.name, host: "-", reference: host ?? .timed, play: .bound(bound))]
      case .policy(let hosts, let make):
        (host.map { [$0] } ?? hosts.filter { $0 != .visibleOnly }).map { host in
          Rival(
            name: policy.name, host: host.symbol, reference: host,
            play: .contender(SimulatedPolicy.contender(policy.name, on: host, make: make)))
        }
      }
    }
  }

  /// Puts each trial beside its reference and sums up by subject.
  private static func sort(
    _ jobs: [Job], _ results: [TrialResult], _ rivals: [Rival],
    _ courses: [(seed: UInt64, course: Trial.Case)], _ profiles: [String]
  ) -> ([Entry], [Line]) {
    struct Reference: Hashable {
      let course: Int
      let profile: Int
      let host: Capabilities.Host
    }
    var references: [Reference: Double] = [:]
    for (job, result) in zip(jobs, results) where job.rival == nil {
      references[Reference(course: job.course, profile: job.profile, host: job.host)] = result.ledger.marginal
    }
    let entries = zip(jobs, results).compactMap { job, result -> Entry? in
      guard let index = job.rival else { return nil }
      let subject = Subject(
        policy: rivals[index].name, host: rivals[index].host, profile: profiles[job.profile],
        scenario: courses[job.course].course.scenario)
      let reference = references[Reference(course: job.course, profile: job.profile, host: job.host)] ?? 0
      return Entry(
        subject: subject, course: job.course, seed: courses[job.course].seed, result: result,
        reference: reference)
    }
    return (entries, sum(entries, by: \.subject))
  }

  /// All scenarios together.
  var overall: [Line] {
    Self.sum(entries) { entry in
      Subject(
        policy: entry.subject.policy, host: entry.subject.host, profile: entry.subject.profile,
        scenario: "all")
    }
  }

  private static func sum(_ entries: [Entry], by subject: (Entry) -> Subject) -> [Line] {
    var subjects: [Subject] = []
    var grouped: [Subject: [Entry]] = [:]
    for entry in entries {
      let subject = subject(entry)
      if grouped[subject] == nil { subjects.append(subject) }
      grouped[subject, default: []].append(entry)
    }
    return subjects.map { subject in
      let group = grouped[subject] ?? []
      let results = group.map(\.result)
      let bootstrap = ClusterBootstrap()
      return Line(
        subject: subject, metrics: EvaluationMetrics(results, references: group.map(\.reference)),
        recall: bootstrap.interval(of: results, recall), joules: bootstrap.interval(of: results, joules))
    }
  }

  private static func recall(_ results: [TrialResult]) -> Double? {
    let visits = results.map(\.matching.outcomes.count).reduce(0, +)
    return visits == 0 ? nil : Double(results.map(\.matching.caught).reduce(0, +)) / Double(visits)
  }

  private static func joules(_ results: [TrialResult]) -> Double? {
    let days = results.map(\.duration).reduce(0, +) / 86_400
    return days > 0 ? results.map(\.ledger.marginal).reduce(0, +) / days : nil
  }
}
