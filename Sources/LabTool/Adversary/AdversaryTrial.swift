import AlarmEngine
import PhoneSimulator

/// One half-day on one host, with each promise that was shown at the beginning of a visit.
struct AdversaryTrial: Sendable {
  struct Job: Sendable {
    let seed: UInt64
    let host: Capabilities.Host
    let isMeasured: Bool
  }
  enum Kind: String, CaseIterable {
    case enter, leave, dwell
    /// Leaving, with a time outside.
    case outside
  }
  struct Found: Sendable {
    let job: Job
    let visit: GroundTruth.Visit
    /// The beginning of the journey.
    let start: Instant
    let kind: Kind
    let zone: Zone
    var isBroken: Bool
    /// The first premise that was false, if the promise was broken.
    var falsePremise: String?
  }
  let job: Job
  let found: [Found]

  init(_ job: Job) {
    let course = AdversarialDay.course(seed: job.seed)
    let contender = SimulatedPolicy.contender("certified", on: job.host) { CertifiedWatch() }
    let result = Trial(
      contender, parameters: job.isMeasured ? .measured2019 : .keepingPremises, seed: job.seed
    ).run(course)
    let broken = Dictionary(
      result.brokenPromises.map { ($0.visit, $0) }, uniquingKeysWith: { first, _ in first })
    self.job = job
    found = result.promised.compactMap { visit in
      guard let zone = course.zone(of: visit) else { return nil }
      let waits = visit.dwell > .zero
      let kind: Kind = visit.inside != nil ? waits ? .outside : .leave : waits ? .dwell : .enter
      return Found(
        job: job, visit: visit, start: course.journey.start, kind: kind, zone: zone,
        isBroken: broken[visit] != nil, falsePremise: broken[visit]?.falsePremise)
    }
  }
}
