import AlarmEngine
import Formats
import Geometry
import Store

/// Zone sets that are ready for watching: the latest of each account, and earlier ones that were needed. All
/// devices of an account with the same default radius share one.
package struct ZoneSets {
  struct Entry {
    let revision: Revision
    let watched: WatchedZones
  }
  private struct Key: Hashable {
    let account: AccountID
    let defaultRadius: Distance
  }
  private struct Shelf {
    /// Ascending by revision.
    var entries: [Entry] = []
    var usedAt: UInt64 = 0
    /// When all zones of a set were last read.
    var readAt: Instant?
    var zoneCount: Int { entries.reduce(0) { $0 + $1.watched.zones.count } }
  }

  private var shelves: [Key: Shelf] = [:]
  private var uses: UInt64 = 0
  private let most: Int
  /// The most sets of one account. Beyond it the oldest is dropped.
  private static let setsOfOne = 12

  /// - Parameter most: the most zones in all sets together.
  init(most: Int = 200_000) { self.most = most }

  /// Returns the set of that revision if it is in memory.
  mutating func held(_ account: AccountID, _ defaultRadius: Distance, _ revision: Revision) -> Entry? {
    let key = Key(account: account, defaultRadius: defaultRadius)
    guard let entry = shelves[key]?.entries.first(where: { $0.revision == revision }) else { return nil }
    uses += 1
    shelves[key]?.usedAt = uses
    return entry
  }

  /// Returns the latest set in memory.
  mutating func latest(_ account: AccountID, _ defaultRadius: Distance) -> Entry? {
    let shelf = shelves[Key(account: account, defaultRadius: defaultRadius)]
    return shelf?.entries.last.flatMap { held(account, defaultRadius, $0.revision) }
  }

  /// The time for which a set is updated by edits only; after that all zones are read again. If a database
  /// has lost acknowledged changes, for example, another set may have the same revision.
  private static let trusted = TimeSpan.minutes(10)

  mutating func noteRead(_ account: AccountID, _ defaultRadius: Distance, at now: Instant) {
    shelves[Key(account: account, defaultRadius: defaultRadius)]?.readAt = now
  }

  /// Returns the latest set in memory if the next one may be made from it and the edits.
  mutating func editable(_ account: AccountID, _ defaultRadius: Distance, at now: Instant) -> Entry? {
    let readAt = shelves[Key(account: account, defaultRadius: defaultRadius)]?.readAt
    guard let readAt, readAt <= now, now - readAt < Self.trusted else { return nil }
    return latest(account, defaultRadius)
  }

  /// Returns the best set from which to make the next one: the one before it.
  func former(of revision: Revision, _ account: AccountID, _ defaultRadius: Distance) -> WatchedZones? {
    let entries = shelves[Key(account: account, defaultRadius: defaultRadius)]?.entries ?? []
    return (entries.last { $0.revision < revision } ?? entries.first)?.watched
  }

  func holds(_ revision: Revision, _ account: AccountID, _ defaultRadius: Distance) -> Bool {
    let shelf = shelves[Key(account: account, defaultRadius: defaultRadius)]
    return shelf?.entries.contains { $0.revision == revision } ?? false
  }

  /// Prepares a set. This takes longer the larger its zones are. Zones that are unchanged in `former` are
  /// reused.
  package static func ready(
    _ set: ZoneSet, _ defaultRadius: Distance, _ former: WatchedZones?, at now: Instant
  ) -> WatchedZones {
    let (zones, refused) = timed(set.zones, at: now)
    return WatchedZones(
      zones, defaultRadius: defaultRadius, replacing: former,
      unreadable: set.zones.compactMap { stored in stored.fault.map { (stored.id, $0) } } + refused)
  }

  /// Returns the zones with the present offsets of their named time zones. Stored offsets may be missing, end
  /// before now, or predate a change of the rules. For an unknown name the stored offsets are used.
  private static func timed(
    _ stored: [StoredZone], at now: Instant
  ) -> (zones: [Zone], refused: [(ZoneID, ZoneError)]) {
    var filler = ScheduleFiller(at: now)
    var refused: [(ZoneID, ZoneError)] = []
    let zones = stored.compactMap { stored -> Zone? in
      guard let zone = stored.zone else { return nil }
      do throws(TimeZoneError) { return try filler.fill(zone) } catch {
        guard let schedule = zone.schedule, schedule.offsets.isEmpty else { return zone }
        refused.append((zone.id, .unreadable(.unknownTimeZone(given: schedule.timeZone))))
        return nil
      }
    }
    return (zones, refused)
  }

  /// Prepares a set from an earlier one, in time proportional to the number of edits. Returns nil if all
  /// zones have to be read: some cannot be read, or the number of zones does not match.
  static func edited(_ former: WatchedZones, by edit: ZoneSetEdit, at now: Instant) -> WatchedZones? {
    let (zones, refused) = timed(edit.zones, at: now)
    guard refused.isEmpty, !edit.zones.contains(where: { $0.fault != nil }) else { return nil }
    let watched = WatchedZones(editing: former, putting: zones, removing: edit.removed)
    return watched.zones.count + watched.refused.count == edit.count ? watched : nil
  }

  /// Prepares a set on the calling thread, and stores it.
  mutating func put(
    _ set: ZoneSet, _ account: AccountID, _ defaultRadius: Distance, at now: Instant
  ) -> Entry {
    let shelf = shelves[Key(account: account, defaultRadius: defaultRadius)]
    if let known = shelf?.entries.first(where: { $0.revision == set.revision }) { return known }
    let watched = Self.ready(set, defaultRadius, former(of: set.revision, account, defaultRadius), at: now)
    put(watched, set.revision, account)
    return Entry(revision: set.revision, watched: watched)
  }

  mutating func put(_ watched: WatchedZones, _ revision: Revision, _ account: AccountID) {
    let key = Key(account: account, defaultRadius: watched.defaultRadius)
    var shelf = shelves[key] ?? Shelf()
    uses += 1
    shelf.usedAt = uses
    let place = shelf.entries.firstIndex { $0.revision >= revision } ?? shelf.entries.count
    if place == shelf.entries.count || shelf.entries[place].revision != revision {
      shelf.entries.insert(Entry(revision: revision, watched: watched), at: place)
      if shelf.entries.count > Self.setsOfOne { shelf.entries.remove(at: place == 0 ? 1 : 0) }
    }
    shelves[key] = shelf
  }

  /// Drops the least recently used sets if there are too many.
  /// - Returns: the accounts whose sets are gone.
  mutating func makeRoom() -> Set<AccountID> {
    var count = shelves.values.reduce(0) { $0 + $1.zoneCount }
    var gone: Set<AccountID> = []
    while count > most, shelves.count > 1, let oldest = shelves.min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      shelves[oldest.key] = nil
      count -= oldest.value.zoneCount
      gone.insert(oldest.key.account)
    }
    if count > most, let (key, shelf) = shelves.first, let latest = shelf.entries.last {
      shelves[key]?.entries = [latest]
    }
    return gone
  }
}
