import AlarmEngine
import CommandLineSupport
import Foundation
import PhoneSimulator

/// The trials that a run needs, each once, and their relation to each other.
struct SimulationBatch: Sendable {
  struct Job: Sendable {
    let course: Int
    let profile: Int
    let rival: Int
  }
  struct Answer: Sendable {
    let result: TrialResult
    /// The processor time on this machine, in seconds.
    let took: Double
  }
  private struct Rival: Sendable {
    enum Play: Sendable {
      case contender(Trial.Contender)
      case bound(EvaluationBound)
    }
    let name: String
    let host: String
    /// The host of the always-on phone used as the reference.
    let reference: Capabilities.Host
    let play: Play
    /// True if it runs only as a reference for others.
    var isHidden = false
  }

  private let setting: SimulationRun.Setting
  private let rivals: [Rival]
  let jobs: [Job]

  private static let alwaysOn = "continuous"
  private static let paused = "continuous-paused"
  private static let least = "least-energy"

  init(_ setting: SimulationRun.Setting) {
    self.setting = setting
    var rivals = setting.policies.flatMap { policy -> [Rival] in
      switch policy.kind {
      case .bound(let bound):
        [Rival(name: policy.name, host: "-", reference: setting.host ?? .timed, play: .bound(bound))]
      case .policy(let hosts, let make):
        (setting.host.map { [$0] } ?? hosts.filter { $0 != .visibleOnly }).map { host in
          Rival(
            name: policy.name, host: host.symbol, reference: host,
            play: .contender(
              SimulatedPolicy.contender(policy.name, on: host, version: setting.version, make: make)))
        }
      }
    }
    func addHidden(_ name: String, on host: Capabilities.Host) {
      guard !rivals.contains(where: { $0.name == name && $0.host == host.symbol }),
        case .policy(_, let make)? = SimulatedPolicy.named(name)?.kind
      else { return }
      rivals.append(
        Rival(
          name: name, host: host.symbol, reference: host,
          play: .contender(
            SimulatedPolicy.contender(name, on: host, version: setting.version, make: make)), isHidden: true))
    }
    for host in [Capabilities.Host.timed, .suspended, .visibleOnly]
    where rivals.contains(where: { $0.reference == host }) {
      addHidden(Self.alwaysOn, on: host)
      // Only iOS pauses sessions.
      if host == .suspended && setting.hasAllReferences { addHidden(Self.paused, on: host) }
    }
    if setting.hasAllReferences, !rivals.contains(where: { $0.name == Self.least }),
      case .bound(let bound)? = SimulatedPolicy.named(Self.least)?.kind
    {
      rivals.append(
        Rival(
          name: Self.least, host: "-", reference: setting.host ?? .timed, play: .bound(bound), isHidden: true)
      )
    }
    self.rivals = rivals
    var jobs: [Job] = []
    for course in setting.courses.indices {
      for profile in setting.profiles.indices {
        for rival in rivals.indices { jobs.append(Job(course: course, profile: profile, rival: rival)) }
      }
    }
    self.jobs = jobs
  }

  func run(_ job: Job) -> Answer {
    let (seed, course) = setting.courses[job.course]
    let profile = setting.profiles[job.profile]
    let start = Self.processorSeconds
    let result: TrialResult
    switch rivals[job.rival].play {
    case .bound(let bound): result = bound.result(course, profile: profile.profile)
    case .contender(let contender):
      result = Trial(
        contender, profile: (profile.name, profile.profile), parameters: setting.parameters,
        seed: seed
      ).run(course)
    }
    return Answer(result: result, took: Self.processorSeconds - start)
  }

  /// The processor time of this thread, in seconds: other work on the machine does not count.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Combines each trial with its reference trials.
  /// - Parameter answers: in the order of the jobs.
  func entries(_ answers: [Answer]) -> [SimulationRun.Entry] {
    struct Key: Hashable {
      let course: Int
      let profile: Int
      let name: String
      let host: String
    }
    var joules: [Key: Double] = [:]
    // For LB_E only the cost of positions counts, since alerts cost every policy the same.
    for (job, answer) in zip(jobs, answers) {
      let rival = rivals[job.rival]
      joules[Key(course: job.course, profile: job.profile, name: rival.name, host: rival.host)] =
        rival.name == Self.least ? answer.result.ledger.location : answer.result.ledger.marginal
    }
    return zip(jobs, answers).compactMap { job, answer in
      let rival = rivals[job.rival]
      guard !rival.isHidden else { return nil }
      func other(_ name: String, on host: String) -> Double? {
        joules[Key(course: job.course, profile: job.profile, name: name, host: host)]
      }
      let host = rival.reference.symbol
      return SimulationRun.Entry(
        subject: SimulationRun.Subject(
          policy: rival.name, host: rival.host, profile: setting.profiles[job.profile].name,
          scenario: setting.courses[job.course].course.scenario),
        course: job.course, seed: setting.courses[job.course].seed, result: answer.result,
        reference: EvaluationMetrics.Reference(
          alwaysOn: other(Self.alwaysOn, on: host) ?? 0, paused: other(Self.paused, on: host),
          least: other(Self.least, on: "-")),
        took: answer.took)
    }
  }
}
