import AlarmEngine
import Geometry
import Store

/// What comes from a time that the engine has forgotten is judged all the same: by the inputs and the zones of that time,
/// which are in the store.
extension DeviceEngines {
  /// What comes later than this is kept, and judged no more.
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

  /// The zones that watched over the device from a time on, up to those that the engine has.
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

  /// Puts in what came from a time that the engine has forgotten, from the inputs in the store.
  /// - Returns: the whole change, where the engine was made again; nil where nothing of it is to be judged.
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
    // Most often it is something sent again: that is seen without reading all that came after.
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

/// What makes two fixes the same measurement.
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
