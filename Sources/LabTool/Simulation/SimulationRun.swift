import AlarmEngine
import CommandLineSupport
import PhoneSimulator

/// All trials of one `simulate`, cases × policies × hosts × profiles × seeds, with their results.
struct SimulationRun: Sendable {
  /// The subject of one line of the output.
  struct Subject: Hashable, Sendable {
    let policy: String
    /// `H0`, `H1` or `H2`; a bound has `-`.
    let host: String
    let profile: String
    let scenario: String
  }
  /// A trial with its result.
  struct Entry: Sendable {
    let subject: Subject
    let course: Int
    let seed: UInt64
    let result: TrialResult
    let reference: EvaluationMetrics.Reference
    /// The processor time of the trial, in seconds.
    let took: Double
  }
  struct Line: Sendable {
    let subject: Subject
    let metrics: EvaluationMetrics
    let recall: ClosedRange<Double>?
    let joules: ClosedRange<Double>?
    /// The hours of stillness added to tracks to make whole days, summed over the line's trials.
    let paddedHours: Double
  }
  /// The parameters of a run.
  struct Setting: Sendable {
    var courses: [(seed: UInt64, course: Trial.Case)]
    var policies: [SimulatedPolicy]
    var host: Capabilities.Host?
    var profiles: [(name: String, profile: EnergyProfile)]
    var parameters = PhoneParameters.measured2019
    var version: IOSVersion = 18
    /// True to compute the ratios to a paused phone and to LB_E, which need trials of their own.
    var hasAllReferences = true
  }

  let setting: Setting
  let entries: [Entry]
  /// In the order of scenarios, profiles, policies, hosts.
  let lines: [Line]
  /// The lines over all scenarios together.
  let overall: [Line]

  var courses: [(seed: UInt64, course: Trial.Case)] { setting.courses }

  /// - Parameter step: called with the number of finished trials and their total; false stops.
  /// - Throws: `CancellationError`.
  init(_ setting: Setting, step: (Int, Int) -> Bool) throws {
    let batch = SimulationBatch(setting)
    let answers = try inParallel(
      batch.jobs, telling: { step($0, batch.jobs.count) }, work: { batch.run($0) })
    self.init(setting, entries: batch.entries(answers))
  }

  init(_ setting: Setting, entries: [Entry]) {
    self.setting = setting
    self.entries = entries
    lines = Self.sum(entries, setting.courses) { $0.subject }
    overall = Self.sum(entries, setting.courses) { entry in
      Subject(
        policy: entry.subject.policy, host: entry.subject.host, profile: entry.subject.profile,
        scenario: "all"
      )
    }
  }

  private static func sum(
    _ entries: [Entry], _ courses: [(seed: UInt64, course: Trial.Case)], by subject: (Entry) -> Subject
  ) -> [Line] {
    var subjects: [Subject] = []
    var grouped: [Subject: [Entry]] = [:]
    for entry in entries {
      let subject = subject(entry)
      if grouped[subject] == nil { subjects.append(subject) }
      grouped[subject, default: []].append(entry)
    }
    let bootstrap = ClusterBootstrap()
    return subjects.map { subject in
      let group = grouped[subject] ?? []
      let tallies = PersonTallies(group, courses)
      return Line(
        subject: subject,
        metrics: EvaluationMetrics(group.map(\.result), references: group.map(\.reference)),
        recall: bootstrap.interval(of: tallies.recall), joules: bootstrap.interval(of: tallies.joules),
        paddedHours: group.map { courses[$0.course].course.padding }.reduce(0, +) / 3600)
    }
  }
}

/// The results by person, in the order of the persons' first trials.
struct PersonTallies {
  private(set) var persons: [String] = []
  private(set) var recall: [ClusterBootstrap.Tally] = []
  private(set) var joules: [ClusterBootstrap.Tally] = []

  init(_ entries: [SimulationRun.Entry], _ courses: [(seed: UInt64, course: Trial.Case)]) {
    var places: [String: Int] = [:]
    let none = ClusterBootstrap.Tally(part: 0, whole: 0)
    for entry in entries {
      let person = courses[entry.course].course.person
      if places[person] == nil {
        places[person] = persons.count
        persons.append(person)
        recall.append(none)
        joules.append(none)
      }
      let place = places[person] ?? 0
      let (matching, days) = (entry.result.matching, entry.result.duration / 86_400)
      recall[place] =
        recall[place]
        + ClusterBootstrap.Tally(part: Double(matching.caught), whole: Double(matching.outcomes.count))
      joules[place] =
        joules[place] + ClusterBootstrap.Tally(part: entry.result.ledger.marginal, whole: days)
    }
  }
}
