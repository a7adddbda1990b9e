import AlarmEngine
import Geometry
import Logging
import NIOPosix
import Store

/// The zones that a job needs and that are not ready for watching yet. The job has to wait for them.
struct ZoneSetNeed: Error, Hashable {
  let account: AccountID
  let defaultRadius: Distance
  /// The revisions of earlier sets that are needed; empty for the latest set.
  var revisions: [Revision] = []
}

/// Zones are prepared for watching on separate threads, so that one account's large zones delay no other
/// account's phones. A job that needs them returns to the front of the queue when they are ready. It waits at
/// most once for the same zones.
extension DeviceEngines {
  /// The account's current zones, ready for watching.
  ///
  /// A job that has already waited uses the newest set that is ready; if there is a later edit, the device stays due.
  /// Otherwise an account that is edited faster than its zones can be prepared would never be watched.
  func latestZones(
    of account: AccountID, _ settings: Settings, _ transaction: inout IngestTransaction
  ) async throws -> ZoneSets.Entry {
    let revision: Revision
    if let known = transaction.reads.zoneRevisions[account] {
      revision = known
    } else {
      revision = try await store.zoneSetRevision(of: account)
      transaction.reads.zoneRevisions[account] = revision
    }
    if let held = sets.held(account, settings, revision) { return held }
    let need = ZoneSetNeed(account: account, defaultRadius: settings.defaultRadius)
    guard transaction.waitedFor.contains(need) else { throw need }
    if let ready = sets.latest(account, settings) { return ready }
    let set = try await store.zoneSet(of: account)
    transaction.reads.zoneRevisions[account] = set.revision
    return sets.put(set, account, settings.defaultRadius)
  }

  /// Earlier zone sets, for those of the revisions that the store still has.
  /// - Parameter waitedFor: needs for which the job has already waited. A missing set that is not among them
  ///   is thrown as a need.
  func formerZones(
    _ revisions: [Revision], of account: AccountID, _ settings: Settings, waitedFor: Set<ZoneSetNeed>
  ) async throws -> [Revision: WatchedZones] {
    var found: [Revision: WatchedZones] = [:]
    for revision in revisions { found[revision] = sets.held(account, settings, revision)?.watched }
    let missing = revisions.filter { found[$0] == nil }
    guard !missing.isEmpty else { return found }
    if !waitedFor.contains(where: { $0.account == account && !$0.revisions.isEmpty }) {
      throw ZoneSetNeed(account: account, defaultRadius: settings.defaultRadius, revisions: missing)
    }
    for set in try await store.zoneSets(of: account, at: missing) {
      found[set.revision] = sets.put(set, account, settings.defaultRadius).watched
    }
    return found
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
          goOn(need)
        } catch {
          logger.error("zones", metadata: ["error": "\(error)"])
          for job in waiting.removeValue(forKey: need) ?? [] { job.finish(.failure(error)) }
        }
      }
    }
  }

  private func prepare(_ need: ZoneSetNeed) async throws {
    let (account, radius) = (need.account, need.defaultRadius)
    let wanted =
      need.revisions.isEmpty
      ? [try await store.zoneSet(of: account)] : try await store.zoneSets(of: account, at: need.revisions)
    for set in wanted where !sets.holds(set.revision, account, radius) {
      let former = sets.former(of: set.revision, account, radius)
      let watched = try await zoneThreads.runIfActive { ZoneSets.ready(set, radius, former) }
      sets.put(watched, set.revision, account)
    }
  }

  private func goOn(_ need: ZoneSetNeed) {
    let jobs = (waiting.removeValue(forKey: need) ?? []).map { job in
      var job = job
      job.waitedFor.insert(need)
      return job
    }
    if queue.putBack(jobs) { Task { await drain() } }
  }
}
