import AlarmEngine
import CommandLineSupport
import CoreLocationWatch
import PhoneSimulator

/// A trial of a run, run once more with a journal of its policy's inputs and answers.
struct JournaledTrial {
  let course: Trial.Case
  let journal: SceneJournal
  let log: EventLog
  let raised: [TrialRecord.Alarm]

  /// Nil for a bound, which has no phone.
  init?(_ entry: SimulationRun.Entry, in run: SimulationRun) {
    guard let policy = SimulatedPolicy.named(entry.subject.policy), case .policy(_, let make) = policy.kind,
      let host = Capabilities.Host(symbol: entry.subject.host),
      let profile = run.setting.profiles.first(where: { $0.name == entry.subject.profile })
    else { return nil }
    course = run.courses[entry.course].course
    journal = SceneJournal()
    let contender = SimulatedPolicy.contender(
      policy.name, on: host, version: run.setting.version, journal: journal, make: make)
    let trial = Trial(
      contender, profile: (profile.name, profile.profile), parameters: run.setting.parameters,
      seed: entry.seed)
    var log: EventLog?
    var raised: [TrialRecord.Alarm] = []
    _ = trial.run(course, isAudited: false) { phone, record in
      log = phone.log
      raised = record.alarms
    }
    guard let log else { return nil }
    self.log = log
    self.raised = raised
  }
}
