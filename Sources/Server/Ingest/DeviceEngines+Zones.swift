import AlarmEngine
import Geometry
import Logging
import NIOPosix
import Store

/// Zones that are not ready for watching yet: whoever needs them has to wait.
struct ZoneSetNeed: Error, Hashable {
  let account: AccountID
  let defaultRadius: Distance
  /// Sets of the past; none: the latest.
  var revisions: [Revision] = []
}

/// Zones are made ready aside, on threads of their own: one account's zones, however large, make no other account's
/// phones wait. A job that needs them goes back to the front of the queue when they are there, and waits once at most
/// for the same ones.
extension DeviceEngines {
  /// The set that watches now.
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

  /// Sets of the past, as far as they are known.
  /// - Parameter waitedFor: sets that are not ready and not among these are thrown as a need.
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

  /// Makes ready what jobs need, and puts them back into the queue.
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
