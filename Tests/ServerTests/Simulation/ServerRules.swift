import AlarmEngine
import Store

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Checks a simulated server against the rules that people rely on. It knows the world and these rules, and
/// nothing of the server's implementation:
///
/// - A phone in a zone has one open alarm for it; a phone that has left has none; a disarmed phone has none
///   at all.
/// - A visit is one alarm with one id, in whatever order its positions arrive.
/// - A ringing alarm repeats every cycle, a lost signal every minute, until it is answered.
/// - An alarm rings once on each channel, and again only after Sleep.
/// - An alarm that nobody answers goes on to the next step's channels after the delay.
/// - A phone that does not report in time has an alarm for its silence. It has none while it still has time:
///   if no process
///   could receive for a while, the phone has ten minutes afterwards, or its interval.
/// - Every alarm has a cause: there are no more alarms than causes.
struct ServerRules {
  struct Violation: Error, CustomStringConvertible {
    let rule: String
    let what: String
    var description: String { "\(rule): \(what)" }
  }

  /// The delay that the server may add to a rule's time.
  static let lateness = TimeSpan.seconds(1)
  /// The longest time between two looks of the server at what is due.
  static let look = TimeSpan.seconds(5)
  /// Time between steps of escalation, unless set otherwise.
  private static let delay = TimeSpan.seconds(60)

  private struct Told {
    var rings = 0
    var count = 0
    var lastAt: TimeSpan?
    var firstAt: TimeSpan?
  }
  private struct Line: Hashable {
    let alarm: AlarmID
    let channel: String
  }
  private struct Known {
    let firstSeenAt: TimeSpan
    var sleeps = 0
    /// The time at which a person last answered it.
    var answeredAt: TimeSpan?
    /// The time since which it has been ringing without a pause.
    var ringsSince: TimeSpan?
  }
  private var told: [Line: Told] = [:]
  private var known: [AlarmID: Known] = [:]
  /// A stay of a phone at a zone's spot, during which neither was edited.
  private struct Visit: Hashable {
    let device: DeviceID
    let zone: ZoneID
    let since: [TimeSpan]
  }
  private var visits: [Visit: AlarmID] = [:]
  /// The number of events so far that may cause an alarm.
  private var causes = 0
  private(set) var alarmCount = 0
  private(set) var deliveryCount = 0

  mutating func noteCause(_ count: Int) { causes += count }

  mutating func noteAnswer(_ alarm: AlarmID, sleeps: Bool, at time: TimeSpan) {
    known[alarm, default: Known(firstSeenAt: time)].answeredAt = time
    if sleeps { known[alarm]?.sleeps += 1 }
  }

  // MARK: What arrives

  mutating func check(_ delivery: SimulatedChannels.Delivery, _ world: ServerWorld) throws(Violation) {
    deliveryCount += 1
    let line = Line(alarm: delivery.alarm, channel: delivery.channel)
    guard let kind = delivery.kind else { return }
    switch kind {
    case .cleared, .checkInOver, .checkInSoon, .arrived, .notice, .perhaps, .reminder, .test: return
    case .ring, .missedSignal, .deviceSilent, .repeat, .batteryLow, .distress, .checkInMissed,
      .notArrived, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      break
    }
    var now = told[line] ?? Told()
    if kind != .repeat { now.rings += 1 }
    // After Sleep it begins anew, with new times for repeats.
    if kind == .ring { now.count = 0 }
    let allowed = 1 + (known[delivery.alarm]?.sleeps ?? 0)
    // Repeats of alarms that are not of a zone look like their first ring.
    if kind == .ring, now.rings > allowed {
      throw Violation(
        rule: "an alarm rings once on each channel",
        what: "\(delivery.alarm) rang \(now.rings) times on \(delivery.channel), \(allowed) allowed")
    }
    if let last = now.lastAt, isCalm(since: last, at: delivery.at, world, delivery.channel),
      known[delivery.alarm]?.answeredAt.map({ $0 < last }) ?? true
    {
      let gap = delivery.at - last
      // A channel of a later step gets the next repeat together with the others. An alarm that is learned of
      // late keeps its own times of repeats.
      let step = world.channels.first { $0.name == delivery.channel }?.step ?? 0
      let wasEscalated = now.count == 1 && (step > 0 || world.clockIsWrong)
      // A lost signal that is learnt of late rings again a minute after it was lost.
      let isLost = kind == .missedSignal && now.count > 1
      if !wasEscalated, gap < Self.cycle(world, ofLostSignal: isLost) - Self.lateness {
        throw Violation(
          rule: "repeats come every cycle",
          what: "\(delivery.alarm) on \(delivery.channel) after \(gap.seconds) s")
      }
    }
    now.lastAt = delivery.at
    now.count += 1
    now.firstAt = now.firstAt ?? delivery.at
    told[line] = now
  }

  /// The time between two rings of an alarm. A lost signal rings at most once a minute, since nothing new is
  /// known.
  private static func cycle(_ world: ServerWorld, ofLostSignal isLost: Bool) -> TimeSpan {
    isLost ? max(world.cycle, .minutes(1)) : world.cycle
  }

  /// True if nothing happened in between that excuses an early or late delivery.
  private func isCalm(
    since start: TimeSpan, at time: TimeSpan, _ world: ServerWorld, _ channel: String
  ) -> Bool {
    let turned = world.channels.first { $0.name == channel }
    let times = [
      world.settingsAt, world.awakeAt, world.clockSetAt, world.downAt, world.lateAt, turned?.turnedAt,
      turned?.madeAt,
    ].compactMap { $0 }
    // After a disturbance the first repeat may come early, at the former times.
    let settled = start - world.cycle - Self.lateness
    return !(turned?.isBroken ?? true) && times.allSatisfy { $0 < settled || $0 > time }
  }

  // MARK: What stands

  /// - Parameters:
  ///   - open: the store's open alarms.
  ///   - time: the time at which everything due has been done.
  mutating func check(_ open: [AlarmRecord], _ world: ServerWorld, at time: TimeSpan) throws(Violation) {
    for alarm in open where known[alarm.id] == nil {
      known[alarm.id] = Known(firstSeenAt: time)
      alarmCount += 1
    }
    if known.count > causes {
      throw Violation(
        rule: "an alarm has a cause", what: "\(known.count) alarms, \(causes) things that may make one")
    }
    try checkPresence(open, world, at: time)
    for alarm in open { try checkRinging(alarm, world, at: time) }
    try checkSilence(open, world, at: time)
  }

  private mutating func checkPresence(
    _ open: [AlarmRecord], _ world: ServerWorld, at time: TimeSpan
  ) throws(Violation) {
    for phone in world.phones {
      let own = open.filter { $0.device == phone.id && $0.isZoneAlarm }
      guard phone.isArmed else {
        if let alarm = own.first {
          throw Violation(rule: "who is disarmed has no alarm", what: "phone \(phone.number): \(alarm.id)")
        }
        continue
      }
      for zone in world.zones {
        let alarms = own.filter { $0.zone == zone.id }
        if alarms.count > 1 {
          throw Violation(
            rule: "one open alarm of a zone",
            what: "phone \(phone.number) has \(alarms.count) of zone \(zone.number)")
        }
        if let alarm = alarms.first, let there = phone.there, zone.spot == phone.spot, world.clockSetAt == nil
        {
          let visit = Visit(
            device: phone.id, zone: zone.id, since: [there, zone.editedAt, phone.switchedAt])
          if let first = visits[visit], first != alarm.id {
            throw Violation(
              rule: "a visit is one alarm",
              what: "phone \(phone.number) has \(alarm.id) of zone \(zone.number), and had \(first)")
          }
          visits[visit] = alarm.id
        }
        let expected = expectation(phone, zone, world, at: time)
        if expected == true, alarms.isEmpty {
          throw Violation(
            rule: "who is in a zone has an alarm",
            what: "phone \(phone.number) has none of zone \(zone.number)")
        }
        if expected == false, let alarm = alarms.first {
          throw Violation(
            rule: "who is not in a zone has no alarm",
            what: "phone \(phone.number) has \(alarm.id) of zone \(zone.number), \(alarm.state)")
        }
      }
    }
  }

  /// True if there must be an alarm, false if there must not, nil if there may be one.
  private func expectation(
    _ phone: ServerWorld.Phone, _ zone: ServerWorld.Zone, _ world: ServerWorld, at time: TimeSpan
  ) -> Bool? {
    guard zone.isActive else { return false }
    guard let there = phone.there, let heard = phone.heardAt else { return nil }
    // An old position does not count; a clock that is very wrong makes every position old, or in the future.
    guard time - heard < .hours(20) else { return nil }
    guard zone.spot == phone.spot else {
      // Two fixes ten seconds apart show that the zone was left.
      return (phone.secondFixAt.map { $0 - there >= .seconds(10) } ?? false) ? false : nil
    }
    guard let dwell = zone.dwell else { return true }
    guard world.clockSetAt == nil else { return nil }
    let since = [there, zone.editedAt, phone.switchedAt].max() ?? there
    if time - since >= dwell + Self.lateness { return true }
    // The stay counts from where the way met the zone's edge.
    return phone.wasElsewhere && time - (phone.leftAt ?? there) < dwell - Self.lateness ? false : nil
  }

  private mutating func checkRinging(
    _ alarm: AlarmRecord, _ world: ServerWorld, at time: TimeSpan
  ) throws(Violation) {
    let rings = alarm.state == .ringing || alarm.state == .closed
    guard rings else {
      known[alarm.id]?.ringsSince = nil
      return
    }
    let since = known[alarm.id]?.ringsSince ?? time
    known[alarm.id]?.ringsSince = since
    // It stops ringing after a day.
    guard time - (known[alarm.id]?.firstSeenAt ?? time) < .hours(23) else { return }
    let late = Self.cycle(world, ofLostSignal: alarm.isOfLostSignal) + Self.lateness
    for channel in world.channels where channel.step <= alarm.escalationStep.number {
      guard let last = told[Line(alarm: alarm.id, channel: channel.name)]?.lastAt,
        isCalm(since: last, at: time, world, channel.name), since <= last
      else { continue }
      if time - last > late {
        throw Violation(
          rule: "what rings repeats every cycle",
          what: "\(alarm.id) was last told on \(channel.name) \((time - last).seconds) s ago, \(alarm.state)")
      }
    }
    // Not answered since it began: the steps follow one another.
    guard let seen = known[alarm.id], seen.answeredAt == nil, alarm.state == .ringing else { return }
    let steps = Set(world.channels.map(\.step)).sorted()
    for channel in world.channels {
      let wait = steps.filter { $0 > (steps.first ?? 0) && $0 <= channel.step }.count
      let due = seen.firstSeenAt + .seconds(Double(wait) * Self.delay.seconds) + Self.lateness + Self.look
      // By a clock that is ahead, its positions are old: more positions from that time may still arrive.
      let settles = alarm.isLearntLate ? AlarmRecord.waitsWhenLate : .zero
      let isKnownSince = world.channels.allSatisfy {
        isCalm(since: seen.firstSeenAt, at: time, world, $0.name) && $0.madeAt < seen.firstSeenAt
      }
      guard isKnownSince, time > due + settles else { continue }
      if told[Line(alarm: alarm.id, channel: channel.name)] == nil {
        throw Violation(
          rule: "who does not answer is passed over",
          what:
            "\(alarm.id) was not told on \(channel.name) (step \(channel.step)) after \((time - seen.firstSeenAt).seconds) s"
        )
      }
    }
  }

  private func checkSilence(
    _ open: [AlarmRecord], _ world: ServerWorld, at time: TimeSpan
  ) throws(Violation) {
    for phone in world.phones {
      guard let interval = phone.interval, phone.isArmed else { continue }
      let heard = max(phone.heardAt ?? .zero, phone.reportedAt, world.clockSetBackAt ?? .zero)
      let due = max(heard + interval, world.awakeAt + min(interval, .minutes(10)))
      // A clock that was set ahead is noticed at the server's next look.
      let noticed =
        world.clockSetAt == nil ? due : max(due, world.awakeAt + Self.look + min(interval, .minutes(10)))
      let isKnown = world.startedAt + AwakeWatch.slack + AwakeWatch.interval
      let alarms = open.filter { alarm in
        if case .silence = alarm.subject { alarm.device == phone.id } else { false }
      }
      for alarm in alarms where world.clockSetAt == nil {
        // The server's clock is right. An alarm from before a later edit or pause followed the rules of that
        // time.
        let told = alarm.learnedAt - world.start
        if told >= max(world.awakeAt, phone.switchedAt), told < due - Self.lateness {
          throw Violation(
            rule: "a phone has time to report",
            what: "phone \(phone.number) has \(alarm.id), \((due - told).seconds) s too early")
        }
      }
      if time > max(noticed, phone.switchedAt, isKnown) + Self.lateness, alarms.isEmpty {
        throw Violation(
          rule: "a silent phone is told of",
          what:
            "phone \(phone.number) was heard \((time - heard).seconds) s ago, its interval is \(interval.seconds) s"
        )
      }
      if alarms.count > 1 {
        throw Violation(rule: "one alarm of a silence", what: "phone \(phone.number) has \(alarms.count)")
      }
    }
  }
}

extension AlarmRecord {
  var isZoneAlarm: Bool { if case .zone = subject { true } else { false } }
}
