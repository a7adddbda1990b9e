import AlarmEngine
import Delivery
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// Sends the positions of an account's phones to its Home Assistant, where each phone is a device of its own.
///
/// It reads the last fixes every `interval` and sends those that are new, so that a phone that reports each
/// second costs Home Assistant no more than one that reports each minute. A position that cannot be sent is
/// not queued: the next one is worth more.
package final class HomeAssistantPositions: Service {
  package static let interval = TimeSpan.seconds(15)
  /// The longest pause of a channel after failures. The pause doubles with each failure.
  static let longestPause = TimeSpan.minutes(10)
  /// The most phones of one channel: its settings hold a registration for each.
  static let mostPhones = 30
  /// The number of channels that are served at the same time.
  private static let atOnce = 16

  private struct Progress {
    /// For each phone, when the last position that was sent was measured.
    var told: [DeviceID: Instant] = [:]
    var failures = 0
    var next: Instant?
  }

  private let store: SQLStore
  private let ways: ChannelWays
  private let clock: ServerClock
  private let logger: Logger
  private let progress = NIOLockedValueBox<[ChannelID: Progress]>([:])

  package init(store: SQLStore, ways: ChannelWays, clock: ServerClock, logger: Logger) {
    self.store = store
    self.ways = ways
    self.clock = clock
    self.logger = logger
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        do { try await tell() } catch {
          if !Task.isCancelled { logger.error("positions", metadata: ["error": "\(error)"]) }
        }
        try? await Task.sleep(for: .milliseconds(Self.interval.milliseconds))
      }
    }
  }

  /// Sends new positions to the channels that are due.
  package func tell() async throws {
    let channels = try await store.activeChannels(of: .homeAssistant)
    let there = Set(channels.map(\.id))
    let now = clock.now()
    progress.withLockedValue { all in all = all.filter { there.contains($0.key) } }
    let due = channels.filter { channel in
      progress.withLockedValue { $0[channel.id]?.next.map { $0 <= now } ?? true }
    }
    var rest = due[...]
    while !rest.isEmpty {
      try await withThrowingDiscardingTaskGroup { group in
        for channel in rest.prefix(Self.atOnce) { group.addTask { try await self.tell(channel) } }
      }
      rest = rest.dropFirst(Self.atOnce)
    }
  }

  private func tell(_ channel: Store.Channel) async throws {
    guard
      let way = try? ways.way(to: channel) as? HomeAssistantChannel, way.target.accessToken != nil,
      way.target.sharesPosition
    else { return }
    let told = progress.withLockedValue { $0[channel.id]?.told ?? [:] }
    let phones = try await store.devices(of: channel.account).filter { phone in
      channel.rule.concerns(phone.id)
    }
    var target = way.target
    var hasFailed = false
    for phone in phones.prefix(Self.mostPhones) {
      guard let fix = phone.lastFix, fix.measuredAt != told[phone.id] else { continue }
      let outcome: DeliveryOutcome
      do throws(DeliveryFailure) {
        outcome = try await tell(fix, of: phone, &target, channel, way)
      } catch { outcome = error.outcome }
      if outcome.isDelivered {
        progress.withLockedValue { $0[channel.id, default: Progress()].told[phone.id] = fix.measuredAt }
      } else {
        hasFailed = true
        logger.info(
          "a place was not told", metadata: ["channel": "\(channel.id)", "reason": "\(outcome)".excerptValue])
        // The other phones use the same address.
        break
      }
    }
    if target != way.target { await ways.keep(target, of: channel) }
    note(channel.id, hasFailed: hasFailed)
  }

  /// Sends a position. Registers the phone first if Home Assistant does not know it, or no longer knows it.
  private func tell(
    _ fix: Fix, of phone: Store.Device, _ target: inout HomeAssistantTarget, _ channel: Store.Channel,
    _ way: HomeAssistantChannel
  ) async throws(DeliveryFailure) -> DeliveryOutcome {
    if let known = target.phones[phone.id] {
      let outcome = await way.updateLocation(fix, of: known)
      guard case .gone = outcome else { return outcome }
    }
    let device = HomeAssistantRegistration.Device(phone: phone.id, named: phone.name, of: channel.id)
    let made = try await HomeAssistantRegistration.register(device, target, way.http)
    target = target.with(made, of: phone.id)
    return await way.updateLocation(fix, of: made)
  }

  private func note(_ channel: ChannelID, hasFailed: Bool) {
    let now = clock.now()
    progress.withLockedValue { all in
      guard hasFailed else {
        all[channel]?.failures = 0
        all[channel]?.next = nil
        return
      }
      let failures = (all[channel]?.failures ?? 0) + 1
      let pause = Self.interval.seconds * Double(1 << min(failures, 10))
      all[channel, default: Progress()].failures = failures
      all[channel]?.next = now + min(.seconds(pause), Self.longestPause)
    }
  }
}

extension String {
  fileprivate var excerptValue: Logger.MetadataValue { .string(excerpt()) }
}
