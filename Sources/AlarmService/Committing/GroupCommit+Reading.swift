import AlarmEngine
import Logging
import NIOPosix
import Store

/// The outcome of reading for a decision.
enum ReadingEnd {
  case complete
  /// A job that needs these zones has to wait until they are ready.
  case zonesNotReady(ZoneSetNeed)
  /// The job has to be delayed for this long, so that other accounts get their share of the time.
  case rests(Duration)
}

/// Reads the facts that turns need.
extension GroupCommit {
  /// Reads the facts that these jobs certainly need, in as few queries as possible: a query costs more than
  /// the rows that it returns.
  func readAhead(
    for jobs: ArraySlice<IngestJob>, _ facts: inout StoredFacts, after transaction: IngestTransaction
  ) async throws {
    var absent: Set<DeviceID> = []
    for job in jobs {
      guard let id = job.device, !facts.isKnown(.state(id)), !isInMemory(id), transaction.devices[id] == nil
      else { continue }
      absent.insert(id)
    }
    guard !absent.isEmpty else { return }
    let states = try await store.deviceStates(
      absent.sorted(), since: transaction.now - WatchedDecision.rebuiltFrom)
    for (device, state) in states { facts.note(state, of: device) }
  }

  /// Reads all missing facts.
  ///
  /// Missing zones for which the job has already waited are prepared at once, so that no job waits forever.
  func read(
    into facts: inout StoredFacts, for job: IngestJob, at now: Instant
  ) async throws -> ReadingEnd {
    let waitedFor = job.waitedFor
    try await readAlarms(&facts)
    for fact in facts.missing where !facts.isKnown(fact) {
      switch fact {
      case .alarms: break
      case .state(let device):
        let states = try await store.deviceStates([device], since: now - WatchedDecision.rebuiltFrom)
        facts.note(states[device], of: device)
      case .settings(let account):
        facts.note(settings: try await store.settings(of: account).json, of: account)
      case .channels(let account): facts.note(try await store.channels(of: account), of: account)
      case .zones(let account, let radius):
        let need = ZoneSetNeed(account: account, defaultRadius: radius)
        guard let entry = try await latestZones(need, &facts, hasWaited: waitedFor.contains(need)) else {
          return .zonesNotReady(need)
        }
        facts.note(entry, of: account, defaultRadius: radius)
      case .formerZones(let account, let radius, let revisions):
        let need = ZoneSetNeed(account: account, defaultRadius: radius, revisions: revisions)
        switch try await formerZones(need, waitedFor) {
        case .ready(let zones): facts.note(formerZones: zones, fact)
        case .missing(let missing): return .zonesNotReady(missing)
        }
      case .zonesOfThePast(let period):
        switch try await zonesOfThePast(period, waitedFor) {
        case .ready(let zones): facts.note(zonesOfThePast: zones, period)
        case .missing(let missing): return .zonesNotReady(missing)
        }
      case .lastEdit(let account, let time):
        let edit = try await store.zoneSetHistory(of: account, from: time, limit: 1).last
        facts.note(lastEdit: edit?.at, fact)
      case .attempts(let alarm, let account):
        facts.note(attempts: try await store.attempts(of: alarm, account: account), fact)
      case .inputs(let device, let account, let range):
        if case .report = job.work, readsPastOf == nil, let pause = pace.rest(of: account, at: .now) {
          return .rests(pause)
        }
        readsPastOf = account
        let most = WatchedDecision.inputsAtMost
        let fixes = try await store.fixes(of: device, account: account, in: range, limit: most)
        let commands = try await store.commands(of: device, account: account, in: range, limit: most)
        facts.note(inputs: fixes, commands, fact)
      case .companionNeighbours(let device):
        facts.note(companionNeighbours: try await store.companionNeighbours(of: device), fact)
      case .companions(let device):
        facts.note(companions: try await store.companionSights(of: device, at: now), fact)
      case .lastPlace(let account, let phone):
        facts.note(lastPlace: try await store.lastPlace(of: account, phone: phone), fact)
      case .timeOfFix(let device, let account, let time, let earliest):
        let found = try await store.timeOfFix(
          of: device, account: account, before: time, notBefore: earliest)
        facts.note(timeOfFix: found, fact)
      case .fix(let device, let account, let time):
        let fixes = try await store.fixes(of: device, account: account, in: time...time, limit: 1)
        facts.note(fix: fixes.first, fact)
      }
    }
    facts.forgetMissing()
    return .complete
  }

  /// Reads all missing alarms, in one transaction.
  private func readAlarms(_ facts: inout StoredFacts) async throws {
    let named = facts.missing.compactMap { if case .alarms(let id) = $0 { id } else { nil } }
    guard !named.isEmpty else { return }
    let alarms = try await store.alarms(named: named)
    for id in named { facts.note(alarms: alarms.filter { $0.id == id || $0.engineID == id }, named: id) }
  }
}

// MARK: Zones

/// Zones are prepared for watching on separate threads, so that one account's large zones delay no other
/// account's phones. A job that needs them returns to the front of the queue when they are ready. It waits at
/// most once for the same zones.
extension GroupCommit {
  private enum Preparation<Zones> {
    case ready(Zones)
    case missing(ZoneSetNeed)
  }

  /// Returns the account's current zones, ready for watching; nil if the job has to wait for them.
  ///
  /// A job that has already waited uses the newest set that is ready; if there is a later edit, the device
  /// stays due. Otherwise an account that is edited faster than its zones can be prepared would never be
  /// watched.
  private func latestZones(
    _ need: ZoneSetNeed, _ facts: inout StoredFacts, hasWaited: Bool
  ) async throws -> ZoneSets.Entry? {
    let (account, radius) = (need.account, need.defaultRadius)
    let revision: Revision
    if let known = facts.zoneRevisions[account] {
      revision = known
    } else {
      revision = try await store.zoneSetRevision(of: account)
      facts.note(revision, of: account)
    }
    if let held = sets.held(account, radius, revision) { return held }
    guard hasWaited else { return nil }
    if let ready = sets.latest(account, radius) { return ready }
    let set = try await store.zoneSet(of: account)
    facts.note(set.revision, of: account)
    return sets.put(set, account, radius, at: clock.now())
  }

  private func formerZones(
    _ need: ZoneSetNeed, _ waitedFor: Set<ZoneSetNeed>
  ) async throws -> Preparation<[Revision: WatchedZones]> {
    let (account, radius) = (need.account, need.defaultRadius)
    var zones: [Revision: WatchedZones] = [:]
    for revision in need.revisions { zones[revision] = sets.held(account, radius, revision)?.watched }
    let missing = need.revisions.filter { zones[$0] == nil }
    guard !missing.isEmpty else { return .ready(zones) }
    if !waitedFor.contains(where: { $0.account == account && !$0.revisions.isEmpty }) {
      return .missing(ZoneSetNeed(account: account, defaultRadius: radius, revisions: missing))
    }
    for set in try await store.zoneSets(of: account, at: missing) {
      zones[set.revision] = sets.put(set, account, radius, at: clock.now()).watched
    }
    return .ready(zones)
  }

  /// Returns the zone sets that the device watched in the period before those that its engine has now; nil if
  /// there are none.
  private func zonesOfThePast(
    _ period: PastPeriod, _ waitedFor: Set<ZoneSetNeed>
  ) async throws -> Preparation<PastZoneSets?> {
    let times = try await ZoneTimes.read(
      store, period.device, of: period.account, from: period.from, last: period.present,
      needed: period.needed)
    guard let times, !times.edits.isEmpty else { return .ready(nil) }
    let need = ZoneSetNeed(
      account: period.account, defaultRadius: period.defaultRadius,
      revisions: times.revisions.filter { $0 != period.present })
    switch try await formerZones(need, waitedFor) {
    case .ready(let zones): return .ready(PastZoneSets(times: times, zones: zones))
    case .missing(let missing): return .missing(missing)
    }
  }

  /// Prepares the zones that jobs wait for, then puts the jobs back into the queue.
  func wait(_ deferred: [(need: ZoneSetNeed, job: IngestJob)]) {
    for (need, job) in deferred {
      waiting[need, default: []].append(job)
      guard waiting[need]?.count == 1 else { continue }
      metrics.count("proximity_zone_sets_made_total")
      Task {
        do {
          try await prepare(need)
          resume(need)
        } catch {
          logger.error("zones", metadata: ["error": "\(error)"])
          for job in waiting.removeValue(forKey: need) ?? [] { job.finish(.failure(error)) }
        }
      }
    }
  }

  private func prepare(_ need: ZoneSetNeed) async throws {
    let (account, radius) = (need.account, need.defaultRadius)
    let now = clock.now()
    if need.revisions.isEmpty, let former = sets.editable(account, radius, at: now),
      let edit = try await store.zoneSetEdit(of: account, since: former.revision),
      let watched = try await zoneThreads.runIfActive({ ZoneSets.edited(former.watched, by: edit, at: now) })
    {
      sets.put(watched, edit.revision, account)
      return
    }
    let wanted =
      need.revisions.isEmpty
      ? [try await store.zoneSet(of: account)] : try await store.zoneSets(of: account, at: need.revisions)
    for set in wanted where !sets.holds(set.revision, account, radius) {
      let former = sets.former(of: set.revision, account, radius)
      let watched = try await zoneThreads.runIfActive { ZoneSets.ready(set, radius, former, at: now) }
      sets.put(watched, set.revision, account)
      if need.revisions.isEmpty { sets.noteRead(account, radius, at: now) }
    }
  }

  private func resume(_ need: ZoneSetNeed) {
    let jobs = (waiting.removeValue(forKey: need) ?? []).map { job in
      var job = job
      job.waitedFor.insert(need)
      return job
    }
    if queue.putBack(jobs) { Task { await drain() } }
  }
}
