import Geometry
import Store

/// Zones that are not ready for watching yet. The jobs that need them wait.
struct ZoneSetNeed: Hashable, Sendable {
  let account: AccountID
  let defaultRadius: Distance
  /// The revisions of earlier sets that are needed; empty for the latest set.
  var revisions: [Revision] = []
}
