import AlarmEngine
import Delivery
import Formats
import Store

/// What stands between an alarm and a mail: whoever reads the address must have agreed, and repeats are not sent without end.
package struct MailGate: Sendable {
  package let store: SQLStore
  package let limits: SharedLimits

  package init(store: SQLStore, limits: SharedLimits) {
    self.store = store
    self.limits = limits
  }

  static let limitWords =
    "not sent: 30 mails at once and then one in 2 minutes go through a channel; the first of each alarm always does"

  /// - Parameter alarm: that the mail is about; nil: about none that the store knows.
  /// - Returns: why the mail must not go out; nil where it may.
  package func refusal(
    of kind: AlarmNotice.Kind, _ alarm: AlarmID?, to channel: Store.Channel, at now: Instant
  ) async throws(StoreError) -> DeliveryFailure? {
    guard try await isConfirmed(channel) else { return .unconfirmed }
    let isOver = try await limits.take([(.alarmMail, channel.id.description)], at: now) != nil
    guard isOver else { return nil }
    switch kind {
    case .ring, .repeat, .missedSignal, .deviceSilent, .batteryLow, .distress, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      // Where none of the alarm has gone out yet, a repeat is the first.
      guard let alarm else { return nil }
      let attempts = try await store.attempts(of: alarm, account: channel.account)
      let wasTold = attempts.contains { $0.channel == channel.id && $0.outcome == .delivered }
      return wasTold ? .limited(Self.limitWords) : nil
    case .cleared, .notice, .perhaps, .test: return .limited(Self.limitWords)
    }
  }

  package func isConfirmed(_ channel: Store.Channel) async throws(StoreError) -> Bool {
    guard let address = channel.mailAddress else { return true }
    return try await store.mailAddress(address, of: channel.account)?.confirmedAt != nil
  }
}

extension Store.Channel {
  /// Where a mail channel leads; nil for others.
  package var mailAddress: String? {
    guard kind == .mail else { return nil }
    return (try? JSONValue.parse(Array(secrets.utf8)))?["address"]?.string
  }
}
