import AlarmEngine
import Delivery
import Formats
import Foundation
import Store

/// The channels that are notified of one alarm, by the account's rules (W20).
///
/// A channel whose rule allows the alarm takes it. Where at least one does, those of later steps take it once
/// it is unanswered, unless a rule that names kinds excludes it.
struct Audience: Sendable {
  let event: ChannelRule.Event
  /// In the order given, of all steps.
  let channels: [Channel]
  /// The lowest step with a rule that allows the alarm; nil if none does, so that nobody is notified.
  let firstStep: EscalationStep?

  init(_ channels: [Channel], of event: ChannelRule.Event) {
    self.event = event
    let active = channels.filter(\.isActive)
    let first = active.filter { $0.rule.allows(event) }.map(\.escalationStep).min()
    var unanswered = event
    unanswered.isUnanswered = true
    firstStep = first
    self.channels = active.filter { channel in
      guard let first, channel.escalationStep >= first else { return false }
      return channel.rule.allows(event) || channel.escalationStep > first && channel.rule.allows(unanswered)
    }
  }

  /// The channels that are notified up to a step.
  func reached(by step: EscalationStep) -> [Channel] { channels.filter { $0.escalationStep <= step } }
}

extension Channel {
  /// True if repeats of the alarms that the channel takes are sent.
  var takesRepeats: Bool {
    kind.traits.contains(.repeats) && (rule.kinds.isEmpty || rule.kinds.contains(.repeat))
  }
}

extension ChannelRule.Event {
  /// An alarm. Its time begins when people could be told of it first, and ends with its last ring.
  /// - Parameters:
  ///   - category: nil if the zone is gone.
  ///   - offsets: local time in the account's time zone; empty for UTC.
  init(_ alarm: AlarmRecord, category: Text?, offsets: [Schedule.Offset]) {
    var direction: ChannelRule.Direction?
    if case .zone(_, _, let cause) = alarm.subject { direction = ChannelRule.Direction(cause) }
    self.init(
      alarm.ring.kind, of: alarm.device,
      zone: alarm.zone.map { Place(id: $0, category: category?.string) }, direction: direction,
      during: alarm.learnedAt...max(alarm.learnedAt, alarm.lastRangAt), offsets: offsets)
  }

  /// Something that is shown when a phone enters a zone.
  init(_ kind: NoticeKind, of zone: Zone, on device: DeviceID, at now: Instant, offsets: [Schedule.Offset]) {
    self.init(
      kind, of: device, zone: Place(id: zone.id, category: zone.category.string), direction: .enter,
      during: now...now, offsets: offsets)
  }
}

/// Local time for the hours of rules.
enum RuleClock {
  /// The span around a time for which offsets are right. A week is enough to find the next opening.
  private static let span = TimeSpan.hours(24 * 60)

  /// Returns the offsets of the account's time zone around a time; none if no channel has hours.
  /// - Parameter settings: the account's, as stored. Evaluated only if a channel has hours.
  static func offsets(
    for channels: [Channel], settings: @autoclosure () -> String, around time: Instant
  ) -> [Schedule.Offset] {
    guard channels.contains(where: { !$0.rule.hours.isEmpty }) else { return [] }
    let zone = HistoryCalendar.timeZone(inSettings: settings())
    let offsets = try? TimeZoneOffsets.offsets(
      of: zone.identifier, from: time - span, through: time + span)
    return offsets ?? []
  }
}

extension WatchedDecision {
  /// The channels that take an alarm of the device.
  mutating func audience(of alarm: AlarmRecord) -> Audience {
    let channels = facts.channels(of: account)
    let offsets = ruleOffsets(for: channels, around: alarm.learnedAt)
    return Audience(
      channels, of: .init(alarm, category: device.zone(of: alarm)?.category, offsets: offsets))
  }

  mutating func ruleOffsets(for channels: [Channel], around time: Instant) -> [Schedule.Offset] {
    RuleClock.offsets(for: channels, settings: facts.settings(of: account), around: time)
  }
}
