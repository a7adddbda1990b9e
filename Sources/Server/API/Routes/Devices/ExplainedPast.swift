import AlarmEngine
import AlarmService
import Delivery
import Formats
import Geometry
import Hummingbird
import NIOPosix
import Store

/// Explains why a zone rang at a time in the past, or did not: replays the device's earlier fixes and
/// commands with the zones of that time.
enum ExplainedPast {
  /// How far back the replay begins: longer than any common dwell, sleep or confirmation.
  private static let span = TimeSpan.hours(48)
  private static let maximumInputs = 50_000
  /// The time within which an event between two fixes is decided, by the second fix or by a wait that ends
  /// later; longer than either usually takes.
  private static let decidedWithin = TimeSpan.minutes(15)

  static func explain(_ call: Call, _ signed: Signed) async throws -> Response {
    let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
    let zone = ZoneID(rawValue: call.query["zone"]?.string.flatMap { parsedID($0) } ?? 0)
    let at = call.query["at"]?.string.flatMap(RFC3339.instant(from:)) ?? call.now
    let settings = DeviceSettings.settings([
      try await call.store.settings(of: signed.account).json, device.settings,
    ])
    let end = max(at, min(at + decidedWithin, call.now))
    let past = try await zones(
      device.id, signed.account, settings, from: at - span, to: end, needed: at, call.store, now: call.now)
    guard let named = past.named(zone, at: at) else {
      // The zone was drawn later, if it exists.
      let present = try await call.store.zoneSet(of: signed.account).zones.compactMap(\.zone)
      guard let later = present.first(where: { $0.id == zone }) else { throw Problem.notFound }
      return .json(ExplanationJSON.json(nil, zone: later, stood: false))
    }
    let inputs = try await inputs(of: device, signed.account, in: at - span...end, call.store)
    let (explanation, putAside) = try await aside { () -> (Explanation?, PutAside?) in
      func fold(to time: Instant) -> Timeline {
        let known = (inputs + past.edits).filter { $0.time <= time }
        var timeline = Timeline(
          device: device.id, settings: settings, watched: past.first,
          armed: DeviceCommand.wasArmed(before: inputs, device))
        timeline.insert(known)
        timeline.advance(to: time)
        return timeline
      }
      let then = fold(to: at)
      // An event with that time was decided then or later.
      let decided = fold(to: end).decision(of: zone, toldAt: at)
      let putAside = then.suspect.map { fix in
        let near = then.surroundings(at: at).within(.zero, of: fix.position)
        return PutAside(fix: fix, isInZone: near.contains { $0.id == zone })
      }
      return (decided ?? then.explanations(of: zone, in: at - span...at).last, putAside)
    }
    return .json(ExplanationJSON.json(explanation, zone: named, stood: true, putAside: putAside))
  }

  /// Runs `body` off the event loop: it may take seconds, and would delay other requests.
  private static func aside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result
  {
    try await NIOThreadPool.singleton.runIfActive(body)
  }

  private static func inputs(
    of device: Device, _ account: AccountID, in range: ClosedRange<Instant>, _ store: SQLStore
  ) async throws -> [Input] {
    let fixes = try await store.fixes(of: device.id, account: account, in: range, limit: maximumInputs)
    let commands = try await store.commands(
      of: device.id, account: account, in: range, limit: maximumInputs)
    return Input.inOrder(fixes.map(\.fix), commands)
  }

  private static func zones(
    _ device: DeviceID, _ account: AccountID, _ settings: Settings, from: Instant, to: Instant,
    needed: Instant, _ store: SQLStore, now: Instant
  ) async throws -> ZonesOfThePast {
    let times = try await ZoneTimes.read(
      store, device, of: account, from: from, to: to, last: nil, needed: [needed])
    guard let times else { throw Problem.notFound }
    let sets = try await store.zoneSets(of: account, at: times.revisions)
    let watched = try await aside {
      var watched: [Revision: WatchedZones] = [:]
      var former: WatchedZones?
      for set in sets {
        former = ZoneSets.ready(set, settings.defaultRadius, former, at: now)
        watched[set.revision] = former
      }
      return watched
    }
    guard let past = ZonesOfThePast(times, { watched[$0] }) else { throw Problem.notFound }
    return past
  }
}

/// A device's last fix, ignored since no phone gets there at the maximum speed.
struct PutAside: Sendable {
  let fix: Fix
  /// True if the zone would ring at the fix's place, so that the phone is perhaps there.
  let isInZone: Bool
}

extension ZonesOfThePast {
  /// The last version of the zone up to that time.
  fileprivate func named(_ zone: ZoneID, at time: Instant) -> Zone? {
    for case .command(.replaceZones(let zones), let editedAt) in edits.reversed() where editedAt <= time {
      if let found = zones.zone(zone) { return found }
    }
    return first.zone(zone)
  }
}
