import AlarmEngine
import Geometry
import Store

/// The accounts' zones, made ready once for all devices of an account that take the same default radius.
struct ZoneSets {
  struct Key: Hashable {
    let account: AccountID
    let defaultRadius: Distance
  }
  struct Entry {
    let revision: Revision
    let watched: WatchedZones
  }

  private var entries: [Key: Entry] = [:]
  /// Zones held in all sets together; beyond it sets are read again when they are needed.
  private static let most = 2_000_000

  /// The set that is in memory, whether or not it is the account's latest.
  func held(_ account: AccountID, _ settings: Settings) -> Entry? {
    entries[Key(account: account, defaultRadius: settings.defaultRadius)]
  }

  /// Makes the account's set ready; what is as before is taken over.
  mutating func put(_ set: ZoneSet, _ account: AccountID, _ settings: Settings) -> Entry {
    let key = Key(account: account, defaultRadius: settings.defaultRadius)
    let former = entries[key]
    if let former, former.revision == set.revision { return former }
    let watched = WatchedZones(
      set.zones.map(\.zone), defaultRadius: settings.defaultRadius, replacing: former?.watched)
    let entry = Entry(revision: set.revision, watched: watched)
    if entries.values.reduce(0, { $0 + $1.watched.zones.count }) > Self.most { entries.removeAll() }
    entries[key] = entry
    return entry
  }
}
