import AlarmEngine
import Delivery
import Formats
import Store

/// Decides whether an alarm may be sent by mail: the address must be confirmed, and the number of repeats is
/// limited.
package struct MailGate: Sendable {
  package let store: SQLStore
  package let limits: SharedLimits

  package init(store: SQLStore, limits: SharedLimits) {
    self.store = store
    self.limits = limits
  }

  static let limitWords =
    "not sent: a channel sends 30 mails at once and then one in 2 minutes; the first mail of each alarm is always sent"

  /// - Parameter alarm: the alarm that the mail is about; nil if there is none in the store.
  /// - Returns: the reason why the mail must not be sent; nil if it may.
  package func refusal(
    of kind: AlarmNotice.Kind, _ alarm: AlarmID?, to channel: Store.Channel, at now: Instant
  ) async throws(StoreError) -> DeliveryFailure? {
    guard try await isConfirmed(channel) else { return .unconfirmed }
    let isOver = try await limits.take([(.alarmMail, channel.id.description)], at: now) != nil
    guard isOver else { return nil }
    switch kind {
    case .ring, .repeat, .missedSignal, .deviceSilent, .batteryLow, .distress, .checkInMissed,
      .notArrived, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      // If no mail about the alarm has been delivered yet, a repeat counts as the first.
      guard let alarm else { return nil }
      let attempts = try await store.attempts(of: alarm, account: channel.account)
      let wasTold = attempts.contains { $0.channel == channel.id && $0.outcome == .delivered }
      return wasTold ? .limited(Self.limitWords) : nil
    // Comes once, and only to those who were told.
    case .checkInOver, .arrived: return nil
    case .cleared, .checkInSoon, .notice, .perhaps, .reminder, .test: return .limited(Self.limitWords)
    }
  }

  package func isConfirmed(_ channel: Store.Channel) async throws(StoreError) -> Bool {
    guard let address = channel.mailAddress else { return true }
    return try await store.mailAddress(address, of: channel.account)?.confirmedAt != nil
  }
}

extension Store.Channel {
  /// The address of a mail channel; nil for other channels.
  package var mailAddress: String? {
    guard kind == .mail else { return nil }
    return (try? JSONValue.parse(Array(secrets.utf8)))?["address"]?.string
  }
}
