import AlarmEngine
import Delivery
import Store
import Testing

@testable import AlarmService

extension IngestScene {
  /// Leases what waits for delivery, and notes each as delivered.
  /// - Returns: the notices among it, each with the kind of its channel.
  func leased() async throws -> [(channel: ChannelKind, notice: AlarmNotice)] {
    let (channels, now) = (try await store.channels(of: account), server.clock.now)
    var found: [(channel: ChannelKind, notice: AlarmNotice)] = []
    for lease in try await store.lease(now: now, limit: 99, for: .seconds(9), owner: "test", without: []) {
      guard let channel = channels.first(where: { $0.id == lease.item.channel }) else { continue }
      if case .notice(let notice)? = OutboxMessage(lease.item.payload) {
        found.append((channel.kind, notice))
      }
      let attempt = lease.item.alarm.map {
        DeliveryAttempt(
          alarm: $0, channel: channel.id, attempt: 1, startedAt: now, endedAt: now, outcome: .delivered,
          detail: "")
      }
      #expect(try await store.settle([OutboxSettlement(lease: lease, outcome: .done, attempt: attempt)]) == 1)
    }
    return found
  }
}
