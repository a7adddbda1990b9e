import AlarmEngine
import Geometry
import NIOConcurrencyHelpers
import NIOPosix
import Store

/// Finds out how much of a device the receivers of its shares see.
package final class SharedSights: Sendable {
  package struct Sight: Equatable, Sendable {
    /// The position; nil unless the place is shared.
    package let fix: Fix?
    /// The names of the zones that contain the device's last position; nil unless zones are shared. Also nil
    /// if that position is too coarse, or there is none.
    package let zones: [Text]?
    /// When the device last reported; nil if nothing is shared.
    package let heardAt: Instant?

    /// The sight of an offer that is not accepted, and of a share that shows nothing.
    package static let nothing = Sight(fix: nil, zones: nil, heardAt: nil)
  }

  private struct Zones {
    let revision: Revision
    let defaultRadius: Distance
    let names: [Text]
    let index: ContainmentIndex
    var usedAt: UInt64 = 0
  }

  private let store: SQLStore
  private let kept = NIOLockedValueBox<(zones: [AccountID: Zones], uses: UInt64)>(([:], 0))
  /// The most accounts whose zones are cached.
  private static let most = 64
  private static let fixesAtOnce = 10_000

  package init(store: SQLStore) { self.store = store }

  /// Returns what the receiver sees now.
  ///
  /// This call also checks whether the device has arrived at the zone where the share ends: nothing is
  /// visible between two calls.
  /// - Throws: `.notFound` if it has arrived, which ends the share, or the device is gone.
  package func look(at share: Share, now: Instant) async throws -> Sight {
    if try await hasArrived(share, now: now) {
      try await found { try await store.end(share.id, by: share.owner, at: now) }
      throw StoreError.notFound
    }
    let device = try await store.device(share.device, of: share.owner)
    switch share.precision {
    case .nothing: return .nothing
    case .place: return Sight(fix: device.lastFix, zones: nil, heardAt: device.lastReceivedAt)
    case .zones:
      guard let fix = device.lastFix, HistoryDefinitions().isUsable(fix) else {
        return Sight(fix: nil, zones: nil, heardAt: device.lastReceivedAt)
      }
      let zones = try await zones(of: share.owner, defaultRadius: try await defaultRadius(device))
      let names = zones.index.containing(fix.position).map { zones.names[$0] }
      return Sight(fix: nil, zones: names.sorted { $0.string < $1.string }, heardAt: device.lastReceivedAt)
    }
  }

  /// True if the device's last position is in the zone. A share that ends there would end at once.
  package func isIn(_ zone: ZoneID, _ device: Device, of owner: AccountID) async throws -> Bool {
    guard let outline = try await outline(of: zone, device, owner), let fix = device.lastFix else {
      return false
    }
    return Self.isIn(outline, fix)
  }

  /// Checks the positions since the last call.
  private func hasArrived(_ share: Share, now: Instant) async throws -> Bool {
    guard let zone = share.endsIn, let looked = share.lookedTo else { return false }
    let device = try await store.device(share.device, of: share.owner)
    guard let outline = try await outline(of: zone, device, share.owner) else { return false }
    var from = looked + .milliseconds(1)
    // The phone's clock may be ahead of ours.
    let end = max(from, now + .hours(24))
    while true {
      let fixes = try await store.history(
        of: share.device, account: share.owner, in: from...end, limit: Self.fixesAtOnce)
      if fixes.contains(where: { $0.fix.measuredAt > looked && Self.isIn(outline, $0.fix) }) { return true }
      guard let last = fixes.last?.fix.measuredAt else { return false }
      try await store.note(share.id, lookedTo: last)
      guard fixes.count == Self.fixesAtOnce else { return false }
      from = last + .milliseconds(1)
    }
  }

  private static func isIn(_ outline: Outline, _ fix: Fix) -> Bool {
    HistoryDefinitions().isUsable(fix) && outline.contains(fix.position)
  }

  /// Returns nil if the zone is gone or has no area.
  private func outline(of zone: ZoneID, _ device: Device, _ owner: AccountID) async throws -> Outline? {
    let defaultRadius = try await defaultRadius(device)
    let stored = try await found { try await store.zone(zone, of: owner) }
    return try? stored?.zone.map { Outline(try $0.shape(defaultRadius: defaultRadius)) }
  }

  private func defaultRadius(_ device: Device) async throws -> Distance {
    guard let account = device.account else {
      return DeviceSettings.settings([device.settings]).defaultRadius
    }
    return DeviceSettings.settings([try await store.settings(of: account).json, device.settings])
      .defaultRadius
  }

  private func zones(of account: AccountID, defaultRadius: Distance) async throws -> Zones {
    let revision = try await store.zoneSetRevision(of: account)
    let known: Zones? = kept.withLockedValue { kept in
      guard let known = kept.zones[account], known.revision == revision,
        known.defaultRadius == defaultRadius
      else { return nil }
      kept.uses += 1
      kept.zones[account]?.usedAt = kept.uses
      return known
    }
    if let known { return known }
    let set = try await store.zoneSet(of: account)
    // This may take a second, so it runs on a thread pool.
    let made = try await NIOThreadPool.singleton.runIfActive {
      let shapes = set.zones.compactMap(\.zone).compactMap { zone in
        (try? zone.shape(defaultRadius: defaultRadius)).map { (zone.name, $0) }
      }
      return Zones(
        revision: set.revision, defaultRadius: defaultRadius, names: shapes.map(\.0),
        index: ContainmentIndex(shapes.map { ContainmentIndex.Entry(outline: Outline($0.1)) }))
    }
    kept.withLockedValue { kept in
      kept.uses += 1
      kept.zones[account] = made
      kept.zones[account]?.usedAt = kept.uses
      if kept.zones.count > Self.most, let oldest = kept.zones.min(by: { $0.value.usedAt < $1.value.usedAt })
      {
        kept.zones[oldest.key] = nil
      }
    }
    return made
  }
}
