import AlarmEngine
import Geometry
import Store

/// The zone sets of an account that a device watched in a period, and the time from which it watched each.
package struct ZoneTimes: Equatable {
  /// The set in force at the beginning of the period.
  package var first: Revision
  /// Ascending by time and revision.
  package var edits: [ZoneSetChange] = []

  /// The most sets with which a period is judged again. If there are more, the sets in force at the needed
  /// times and the latest ones are kept.
  static let mostSets = 32
  private static let mostRead = 10_000

  /// - Parameters:
  ///   - last: the set that is in the engine now; later ones are left out.
  ///   - needed: times that must be judged by exactly the zones of that time.
  package static func read(
    _ store: SQLStore, _ device: DeviceID, of account: AccountID, from: Instant,
    to: Instant = Instant.allowed.upperBound, last: Revision?, needed: [Instant]
  ) async throws -> ZoneTimes? {
    var changes = try await store.zoneSetHistory(of: account, from: from, limit: mostRead)
    guard let first = changes.first else { return nil }
    changes.removeAll { $0.at > to || $0.revision > last ?? $0.revision }
    guard changes.count > 1 else { return ZoneTimes(first: first.revision) }
    // The engine applied an edit a moment later than it was stored, or at the time of the phone's clock.
    let told = try await store.commands(
      of: device, account: account, in: from...Instant.allowed.upperBound, limit: mostRead)
    var times: [Revision: Instant] = [:]
    for command in told {
      if case .replaceZones(let revision) = command.kind { times[revision] = command.at }
    }
    var edits: [ZoneSetChange] = []
    for change in changes.dropFirst() {
      let at = times[change.revision] ?? change.at
      edits.append(ZoneSetChange(revision: change.revision, at: max(at, edits.last?.at ?? from)))
    }
    return ZoneTimes(first: first.revision, edits: edits).thinned(to: mostSets, keeping: needed)
  }

  /// Returns the times with only the sets in force at `needed`, the last one, and the latest of the others.
  package func thinned(to most: Int, keeping needed: [Instant]) -> ZoneTimes {
    guard edits.count >= most, most > 1 else { return self }
    var kept: Set<Int> = [edits.count - 1]
    for instant in needed where kept.count < most - 1 {
      if let index = edits.lastIndex(where: { $0.at <= instant }) { kept.insert(index) }
      if let next = edits.firstIndex(where: { $0.at > instant }), kept.count < most - 1 { kept.insert(next) }
    }
    for index in edits.indices.reversed() where kept.count < most - 1 { kept.insert(index) }
    return ZoneTimes(first: first, edits: kept.sorted().map { edits[$0] })
  }

  package var revisions: [Revision] { [first] + edits.map(\.revision) }
}

/// The zones of a past period, ready for watching: those at the beginning of a timeline, and its edits.
package struct ZonesOfThePast {
  package let first: WatchedZones
  package let edits: [Input]

  package init?(_ times: ZoneTimes, _ watched: (Revision) -> WatchedZones?) {
    var latest = watched(times.first)
    var first = latest
    var edits: [Input] = []
    for edit in times.edits {
      guard let zones = watched(edit.revision) else { continue }
      if first == nil { first = zones }
      if let latest, latest != zones { edits.append(.command(.replaceZones(zones), at: edit.at)) }
      latest = zones
    }
    guard let first else { return nil }
    self.first = first
    self.edits = edits
  }

  package func zones(at time: Instant) -> WatchedZones {
    for case .command(.replaceZones(let zones), let at) in edits.reversed() where at <= time { return zones }
    return first
  }
}
