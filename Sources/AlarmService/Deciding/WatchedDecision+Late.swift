import AlarmEngine
import Geometry
import Store

/// Judges inputs from a time that the engine has forgotten, with the other inputs and the zones of that time
/// from the store.
extension WatchedDecision {
  /// A fix that comes later than this is stored but no longer judged.
  private static let latest = TimeSpan.hours(7 * 24)
  private static let margin = TimeSpan.hours(1)
  /// The most fixes, and the most commands, that are read for one device.
  static let inputsAtMost = 50_000

  mutating func storedInputs(in range: ClosedRange<Instant>) -> [Input] {
    let (fixes, commands) = facts.inputs(of: id, account, in: range)
    return Input.inOrder(device.believable(fixes), commands)
  }

  /// Returns the time from which inputs are needed to judge a time again: that of the last fix that is more
  /// than an hour older, since a movement during that hour begins there.
  mutating func judged(from time: Instant) -> Instant {
    let from = max(time - Self.margin, Instant.allowed.lowerBound)
    let earliest = max(from - Self.latest, Instant.allowed.lowerBound)
    return facts.timeOfFix(of: id, account, before: from, notBefore: earliest) ?? from
  }

  /// Returns the zones that the device watched from a time on, up to those that the engine has now.
  mutating func zonesOfThePast(from: Instant, needed: [Instant]) -> ZonesOfThePast? {
    let period = PastPeriod(
      device: id, account: account, defaultRadius: device.settings.defaultRadius, from: from,
      present: device.zoneSet, needed: needed)
    return facts.zonesOfThePast(period, present: device.watched)
  }

  /// Inserts late inputs, after rebuilding the engine from the inputs in the store.
  /// - Returns: the whole change if the engine was rebuilt; nil if none of the late inputs is to be judged.
  mutating func insertLate(_ change: Timeline.Change) -> Timeline.Change? {
    let horizon = now - Self.latest
    let late =
      change.refused.filter { $0.reason == .tooOld && $0.fix.measuredAt >= horizon }.map { Input.fix($0.fix) }
      + change.refusedCommands.map { Input.command($0.command, at: $0.at) }
    guard let neededFrom = late.map(\.time).min(), let last = late.map(\.time).max() else { return nil }
    // Most late inputs are repetitions. Detecting that does not need the later inputs.
    if change.refusedCommands.isEmpty {
      let places = Set(storedInputs(in: neededFrom...last).compactMap(\.place))
      if !facts.isComplete || late.allSatisfy({ $0.place.map(places.contains) ?? false }) { return nil }
    }
    let began = device.open.values.filter(\.isOfZone).map(\.began).min() ?? neededFrom
    let from = judged(from: min(neededFrom, began))
    let stored = storedInputs(in: from...Instant.allowed.upperBound)
    guard facts.isComplete else { return nil }
    guard stored.count < Self.inputsAtMost else {
      part.notes.append(.count("proximity_late_left_out_total"))
      return nil
    }
    let known = Set(stored)
    let knownPlaces = Set(stored.compactMap(\.place))
    let fresh = late.filter { input in
      input.place.map { !knownPlaces.contains($0) } ?? !known.contains(input)
    }
    guard !fresh.isEmpty else { return nil }
    let isFresh = Set(fresh)
    let past = zonesOfThePast(from: from, needed: fresh.map(\.time).sorted())
    let earlier = Timeline(
      device: id, settings: device.settings, watched: past?.first ?? device.watched,
      armed: DeviceCommand.wasArmed(before: stored, device.record))
    let before = stored + device.unsaved.filter { !isFresh.contains($0) } + (past?.edits ?? [])
    let added = device.timeline.insert(late: fresh, stored: before, from: earlier)
    device.past = past
    part.notes.append(.count("proximity_late_rebuilds_total"))
    var merged = change
    merged.follow(with: added)
    return merged
  }
}

/// The values that are equal for two fixes of the same measurement.
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
