import AlarmEngine
import Geometry

/// One policy on one phone, taken along one journey among zones.
public struct Trial: Sendable {
  /// A journey with its zones and its truth.
  public struct Case: Sendable {
    public let name: String
    /// The group of the case: results are put together by it.
    public let scenario: String
    /// The person of the case: days of one person are one cluster when confidence intervals are computed.
    public let person: String
    public private(set) var journey: Journey
    public let zones: [Zone]
    let judged: JudgedZones
    public let truth: GroundTruth
    public let conditions: Phone.Conditions
    /// No satellite is received in this time.
    public let outage: ClosedRange<Instant>?
    /// Nothing at all is received in these times, as in a tunnel.
    public let silences: [ClosedRange<Instant>]
    public let changes: Changes
    /// Seconds of rest added to a track to make whole days.
    public let padding: Double
    /// The safe period's number of fixes, for the ratio of fixes.
    public let bound: Int

    public init(
      name: String, scenario: String, person: String? = nil, journey: Journey, zones: [Zone],
      gaps: [ClosedRange<Instant>] = [], rules: GroundTruth.Rules = GroundTruth.Rules(),
      conditions: Phone.Conditions = Phone.Conditions(), outage: ClosedRange<Instant>? = nil,
      silences: [ClosedRange<Instant>] = [], padding: Double = 0,
      changes: Changes = Changes()
    ) {
      self.name = name
      self.scenario = scenario
      self.person = person ?? name
      self.journey = journey
      self.zones = zones
      self.conditions = conditions
      self.outage = outage
      self.silences = silences
      self.padding = padding
      self.changes = changes
      judged = JudgedZones(zones)
      // Heights keep a zone silent where the phone is surely above or below it (`docs/alarms.md`).
      let within = judged.zones.filter { zone in
        guard let height = conditions.height, let band = zone.band else { return true }
        return band.side(of: .metres(height), error: .zero) == .within
      }
      truth = GroundTruth(
        journey, zones: within, gaps: gaps, additions: judged.withParts(changes.additions),
        clock: changes.clock, silences: silences, rules: rules)
      bound = SafePeriodBound().fixes(journey, zones: judged.zones)
    }

    /// The same case along a journey with the same positions at the same times, but other surroundings.
    public func along(_ journey: Journey) -> Self {
      precondition(journey.start == self.journey.start && journey.end == self.journey.end, "another way")
      var course = self
      course.journey = journey
      return course
    }

    /// The signals that the phone can receive at a time.
    func conditions(at time: Instant) -> Phone.Conditions {
      func holds(_ span: ClosedRange<Instant>) -> Bool { span.lowerBound <= time && time < span.upperBound }
      var now = conditions
      if outage.map(holds) ?? false { now.satellites = false }
      if silences.contains(where: holds) { (now.satellites, now.wifi, now.network) = (false, false, false) }
      return now
    }

    /// The zones at a time; nil for the start.
    func zones(at time: Instant?) -> [Zone] {
      zones.filter { zone in
        changes.additions[zone.id].map { added in time.map { added <= $0 } ?? false } ?? true
      }
    }

    /// Returns the zone of a visit.
    public func zone(of visit: GroundTruth.Visit) -> Zone? {
      let id = judged.whole(visit.zone)
      return zones.first { $0.id == id }
    }

    /// The time before the entry at which a zone should ring, for each zone that has one.
    var leads: [ZoneID: TimeSpan] {
      Dictionary(
        judged.zones.compactMap { zone in zone.warningTime.map { (zone.id, $0) } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Events during a journey that concern the application: acts of people and of the system, changes of the phone.
  public struct Changes: Sendable {
    /// The times at which a person opens the application and adds a zone.
    public var additions: [ZoneID: Instant] = [:]
    /// The times at which the system ends the application if it is suspended.
    public var endings: [Instant] = []
    public var clock = ClockSettings()
    /// The times at which the phone is switched off and on again.
    public var restarts: [Instant] = []
    /// The charges of the battery, each from a time on; before the first it is full.
    public var charges: [(from: Instant, charge: Capabilities.Battery)] = []
    public init() {}
  }

  /// A policy and the host it is evaluated on.
  public struct Contender: Sendable {
    public let name: String
    public let host: Capabilities.Host
    /// The phone's operating system; by default the usual one for the host.
    public var system: PhoneSystem
    let install: @Sendable (Phone, TrialRecord) -> Void

    /// - Parameter install: installs the application on the phone and starts it. The application keeps its
    ///   timeline and its alarms in the record.
    public init(
      name: String, host: Capabilities.Host, install: @escaping @Sendable (Phone, TrialRecord) -> Void
    ) {
      self.name = name
      self.host = host
      self.install = install
      system =
        switch host {
        case .visibleOnly: .webPage
        case .timed: .android(api: 34)
        case .suspended: .iOS(18)
        }
    }

    /// A policy on a host that can run at any time.
    public init(
      timed name: String, host: Capabilities.Host = .timed,
      policy: @escaping @Sendable () -> any WatchDecisions
    ) {
      self.init(name: name, host: host) { phone, record in
        phone.install { TimedWatch($0, host: host, record: record, policy: policy()) }
        phone.openApplication()
        if host != .visibleOnly { phone.leaveApplication() }
      }
    }
  }

  public let contender: Contender
  public let profile: (name: String, energy: EnergyProfile)
  public let parameters: PhoneParameters
  public let seed: UInt64

  public init(
    _ contender: Contender, profile: (name: String, energy: EnergyProfile) = ("iPhone6", .iPhone6),
    parameters: PhoneParameters = .measured2019, seed: UInt64
  ) {
    self.contender = contender
    self.profile = profile
    self.parameters = parameters
    self.seed = seed
  }

  /// Runs the whole journey.
  /// - Parameters:
  ///   - isAudited: false if nobody asks for the broken promises. Otherwise a trial that has some is run once more,
  ///     to see what was shown in each second.
  ///   - look: called at the end with the phone and the application's record.
  public func run(
    _ course: Case, isAudited: Bool = true, then look: (Phone, TrialRecord) -> Void = { _, _ in }
  ) -> TrialResult {
    let result = play(course, then: look)
    guard isAudited, !result.brokenPromises.isEmpty else { return result }
    // The promise that was shown when the visit began is not always the one that was shown when the phone was so
    // far beyond the line that its stay counts.
    var seconds: [GroundTruth.Visit: Int] = [:]
    for broken in result.brokenPromises {
      let visit = broken.visit
      let end = min(broken.raisedAt ?? visit.exit, visit.exit)
      seconds[visit] = Int(max(0, (end - (visit.entry - visit.dwell)).seconds))
    }
    return play(course, lookingFor: seconds) { _, _ in }
  }

  /// - Parameter seconds: how long the promises shown after the beginning of a visit are noted.
  private func play(
    _ course: Case, lookingFor seconds: [GroundTruth.Visit: Int] = [:],
    then look: (Phone, TrialRecord) -> Void
  ) -> TrialResult {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: course.zones(at: nil)))
    let phone = Phone(
      journey: course.journey, system: contender.system, parameters: parameters,
      energyProfile: profile.energy, seed: seed, conditions: course.conditions)
    record.clockError = { [unowned phone] in phone.clockError }
    contender.install(phone, record)
    for span in course.silences + (course.outage.map { [$0] } ?? []) {
      for time in [max(span.lowerBound, course.journey.start), span.upperBound] {
        phone.at(time) { $0.conditions = course.conditions(at: $0.now) }
      }
    }
    carryOut(course.changes, of: course, on: phone, record)
    var promises: [GroundTruth.Visit: [Guarantee.Promise?]] = [:]
    let judged = course.judged
    for visit in course.truth.visits where visit.isOwed {
      let began = max(course.journey.start, visit.entry - visit.dwell)
      for second in 0...(seconds[visit] ?? 0) {
        let time = began + .seconds(Double(second))
        phone.at(time) { phone in
          let shown = record.shown?(time + phone.clockError)?.first { $0.zone == judged.whole(visit.zone) }
          guard case .guaranteed(let promise)? = shown?.guarantee,
            judged.isPromised(visit.zone, after: record.alarms)
          else {
            promises[visit]?.append(nil)
            return
          }
          promises[visit, default: []].append(promise)
        }
      }
    }
    phone.run(until: course.journey.end)
    look(phone, record)
    return TrialResult(course, record: record, promises: promises, phone: phone)
  }

  /// Seconds after which a phone that was switched on starts the applications that wait for that (Android).
  private static let starting = 5.0
  /// Seconds for which a person who adds a zone keeps the application open.
  private static let editing = 15.0

  private func carryOut(_ changes: Changes, of course: Case, on phone: Phone, _ record: TrialRecord) {
    for time in changes.endings { phone.at(time) { $0.terminateIfSuspended() } }
    for time in changes.restarts {
      phone.at(time) { phone in
        phone.reboot()
        // Nothing is shown until the application runs again.
        record.shown = nil
      }
      guard contender.host == .timed else { continue }
      phone.at(time + .seconds(phone.parameters.rebootSeconds + Self.starting)) { $0.startAfterReboot() }
    }
    for (time, charge) in changes.charges {
      phone.at(time) { phone in
        phone.battery = charge
        if phone.isApplicationExecuting { record.conditionsChanged?() }
      }
    }
    for (time, span) in changes.clock.settings {
      phone.at(time) { phone in
        phone.clockError = phone.clockError + span
        if phone.isApplicationExecuting { record.conditionsChanged?() }
      }
    }
    for time in Set(changes.additions.values).sorted() {
      phone.at(time) { phone in
        phone.openApplication()
        record.edit?(course.zones(at: time))
      }
      guard contender.host != .visibleOnly else { continue }
      phone.at(time + .seconds(Self.editing)) { $0.leaveApplication() }
    }
  }
}
