import AlarmEngine
import Geometry
import Store

/// Judges inputs from a time that the engine has forgotten, with the other inputs and the zones of that time
/// from the store.
extension DeviceEngines {
  /// A fix that comes later than this is stored but no longer judged.
  private static let latest = TimeSpan.hours(7 * 24)
  static let margin = TimeSpan.hours(1)
  private static let inputsAtMost = 50_000

  func storedInputs(_ engine: DeviceEngine, in range: ClosedRange<Instant>) async throws -> [Input] {
    guard let account = engine.account else { return [] }
    let fixes = try await store.fixes(of: engine.id, account: account, in: range, limit: Self.inputsAtMost)
    let commands = try await store.commands(
      of: engine.id, account: account, in: range, limit: Self.inputsAtMost)
    return Self.inputs(engine.believable(fixes), commands)
  }

  /// The zones that the device watched from a time on, up to those that the engine has now.
  func pastZones(
    of engine: DeviceEngine, from: Instant, needed: [Instant], waitedFor: Set<ZoneSetNeed>
  ) async throws -> ZonesOfThePast? {
    guard let account = engine.account, let present = engine.watched else { return nil }
    let times = try await ZoneTimes.read(
      store, engine.id, of: account, from: from, last: engine.zoneSet, needed: needed)
    guard let times, !times.edits.isEmpty else { return nil }
    let known = try await formerZones(
      times.revisions.filter { $0 != engine.zoneSet }, of: account, engine.settings, waitedFor: waitedFor)
    return ZonesOfThePast(times) { $0 == engine.zoneSet ? present : known[$0] }
  }

  /// Inserts late inputs, after rebuilding the engine from the inputs in the store.
  /// - Returns: the whole change if the engine was rebuilt; nil if none of the late inputs is to be judged.
  func insertLate(
    _ change: Timeline.Change, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws -> Timeline.Change? {
    let horizon = transaction.now - Self.latest
    let late =
      change.refused.filter { $0.reason == .tooOld && $0.fix.measuredAt >= horizon }.map { Input.fix($0.fix) }
      + change.refusedCommands.map { Input.command($0.command, at: $0.at) }
    guard let neededFrom = late.map(\.time).min(), let watched = engine.watched,
      let timeline = engine.timeline
    else { return nil }
    // Most late inputs are repetitions. To see that, the later inputs need not be read.
    if let last = late.map(\.time).max(), change.refusedCommands.isEmpty {
      let there = try await storedInputs(engine, in: neededFrom...last)
      let places = Set(there.compactMap(\.place))
      if late.allSatisfy({ $0.place.map(places.contains) ?? false }) { return nil }
    }
    let began = engine.open.values.filter(\.isOfZone).map(\.began).min() ?? neededFrom
    let from = max(min(neededFrom, began) - Self.margin, Instant.allowed.lowerBound)
    let stored = try await storedInputs(engine, in: from...Instant.allowed.upperBound)
    guard stored.count < Self.inputsAtMost else {
      metrics.count("proximity_late_left_out_total")
      return nil
    }
    let known = Set(stored)
    let knownPlaces = Set(stored.compactMap(\.place))
    let fresh = late.filter { input in
      input.place.map { !knownPlaces.contains($0) } ?? !known.contains(input)
    }
    guard !fresh.isEmpty else { return nil }
    let isFresh = Set(fresh)
    let past = try await pastZones(
      of: engine, from: from, needed: fresh.map(\.time).sorted(), waitedFor: transaction.waitedFor)
    let earlier = Timeline(
      device: engine.id, settings: engine.settings, watched: past?.first ?? watched,
      armed: DeviceCommand.wasArmed(before: stored, engine.device))
    var whole = timeline
    let before = stored + engine.unsaved.filter { !isFresh.contains($0) } + (past?.edits ?? [])
    let added = whole.insert(late: fresh, stored: before, from: earlier)
    engine.timeline = whole
    engine.past = past
    metrics.count("proximity_late_rebuilds_total")
    var merged = change
    merged.added += added.added
    merged.retracted += added.retracted
    return merged
  }
}

/// What two fixes have in common if they are the same measurement.
private struct FixPlace: Hashable {
  let measuredAt: Instant
  let position: Coordinate
  let accuracy: Fix.Accuracy
  init(_ fix: Fix) {
    measuredAt = fix.measuredAt
    position = fix.position
    accuracy = fix.accuracy
  }
}

extension Input {
  /// Nil for a command.
  fileprivate var place: FixPlace? { if case .fix(let fix) = self { FixPlace(fix) } else { nil } }
}
