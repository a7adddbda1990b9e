import AlarmEngine
import Delivery
import Store

/// The answer to the question what a channel would send of a past alarm by the present rules.
package struct ChannelPreview: Sendable {
  /// When the channel would be told.
  package enum Sending: String, CaseIterable, Sendable {
    case atOnce = "at_once"
    case ifUnanswered = "if_unanswered"
    case never
  }

  package let sending: Sending
  /// The member of the rule that keeps the alarm back at first; nil if none does.
  package let refusal: ChannelRule.Refusal?
  /// The first message, as people would read it.
  package let words: NoticeWords

  /// - Parameters:
  ///   - channel: counted as active, so that a rule can be tried before the channel is switched on.
  ///   - channels: the account's channels.
  ///   - zones: the zones that the account watches now.
  ///   - settings: the account's, as stored.
  package init(
    of alarm: AlarmRecord, to channel: Store.Channel, among channels: [Store.Channel],
    zones: [ZoneID: StoredZone],
    device: Device, settings: String
  ) {
    let zone = alarm.zone.flatMap { zones[$0] }
    var channels = channels
    if let index = channels.firstIndex(where: { $0.id == channel.id }) { channels[index].isActive = true }
    let offsets = RuleClock.offsets(for: channels, settings: settings, around: alarm.learnedAt)
    let audience = Audience(
      channels, of: .init(alarm, category: zone?.draft.category, offsets: offsets))
    refusal = channel.rule.refusal(of: audience.event)
    if !audience.channels.contains(where: { $0.id == channel.id }) {
      sending = .never
    } else {
      sending = channel.escalationStep == audience.firstStep ? .atOnce : .ifUnanswered
    }
    words = NoticeWords(OutboxPayload(alarm, zone: zone?.zone, device: device).value(alarm.ring))
  }
}
