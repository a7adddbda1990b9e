import AlarmEngine
import Geometry
import Store

/// The accounts' zones made ready for watching, once for all devices of an account that take the same default radius:
/// the latest sets, and those of the past that were needed.
struct ZoneSets {
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
    var zoneCount: Int { entries.reduce(0) { $0 + $1.watched.zones.count } }
  }

  private var shelves: [Key: Shelf] = [:]
  private var uses: UInt64 = 0
  private let most: Int
  /// Of one account: beyond it the oldest goes.
  private static let setsOfOne = 12

  /// - Parameter most: zones held in all sets together.
  init(most: Int = 200_000) { self.most = most }

  /// The set of that revision, where it is in memory.
  mutating func held(_ account: AccountID, _ settings: Settings, _ revision: Revision) -> Entry? {
    let key = Key(account: account, defaultRadius: settings.defaultRadius)
    guard let entry = shelves[key]?.entries.first(where: { $0.revision == revision }) else { return nil }
    uses += 1
    shelves[key]?.usedAt = uses
    return entry
  }

  /// Makes a set ready; what is as in the one before is taken over.
  mutating func put(_ set: ZoneSet, _ account: AccountID, _ settings: Settings) -> Entry {
    if let known = held(account, settings, set.revision) { return known }
    let key = Key(account: account, defaultRadius: settings.defaultRadius)
    var shelf = shelves[key] ?? Shelf()
    let place = shelf.entries.firstIndex { $0.revision > set.revision } ?? shelf.entries.count
    let former = place > 0 ? shelf.entries[place - 1].watched : shelf.entries.first?.watched
    let entry = Entry(
      revision: set.revision,
      watched: WatchedZones(
        set.zones.map(\.zone), defaultRadius: settings.defaultRadius, replacing: former))
    shelf.entries.insert(entry, at: place)
    if shelf.entries.count > Self.setsOfOne { shelf.entries.remove(at: place == 0 ? 1 : 0) }
    uses += 1
    shelf.usedAt = uses
    shelves[key] = shelf
    return entry
  }

  /// Lets go of what was not used for the longest time, where there is too much.
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
