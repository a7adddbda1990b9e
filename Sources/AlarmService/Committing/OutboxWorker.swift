import AlarmEngine
import Delivery
import Formats
import Logging
import NIOConcurrencyHelpers
import PAD
import ServiceLifecycle
import Store

/// Delivers the items of the outbox: leases an item, makes one attempt with its channel, stores the outcome.
///
/// If the process dies, the lease runs out and the item is leased again, so every item is delivered at least
/// once. Leases are short, so that this happens soon, and are renewed while an attempt is under way. Only one
/// item of a channel and alarm is delivered at a time, so a withdrawal never overtakes the notification that
/// it withdraws.
package final class OutboxWorker: Service, Sendable {
  /// How many attempts are made at the same time.
  package static let most = 64
  private static let looksAtLeastEvery = TimeSpan.seconds(5)
  /// A lease that ends within this time is renewed at the next look: two renewals may fail before it runs out.
  private static let renewedBefore = OutboxLease.duration - looksAtLeastEvery
  /// The pauses after which a failed write of an outcome is repeated. Together they are shorter than a lease.
  private static let settlingPauses: [TimeSpan] = [.milliseconds(200), .seconds(1), .seconds(3), .seconds(8)]
  /// The time for which the links in a message are valid.
  package static let linkLifetime = TimeSpan.hours(48)

  let store: SQLStore
  private let clock: ServerClock
  private let ways: ChannelWays
  private let links: LinkSigner
  /// The address at which people reach the server, for links.
  private let baseURL: NIOLockedValueBox<String?>
  let hub: EventHub
  private let metrics: Metrics
  let logger: Logger
  let wakes: IngestWakes
  private let schedule: RetrySchedule
  /// The name of the process that holds the leases. It is the same after a restart.
  private let owner: String
  /// Called for each alarm that a channel has refused for good.
  private let unreached: @Sendable (AlarmID, DeviceID) async -> Void
  /// The leases of the attempts that are under way, by the numbers of their items.
  private let held = NIOLockedValueBox<[Int64: OutboxLease]>([:])

  package init(
    store: SQLStore, clock: ServerClock, ways: ChannelWays, links: LinkSigner,
    baseURL: String?,
    hub: EventHub, metrics: Metrics, logger: Logger, wakes: IngestWakes,
    owner: String, schedule: RetrySchedule = RetrySchedule(),
    unreached: @escaping @Sendable (AlarmID, DeviceID) async -> Void = { _, _ in }
  ) {
    self.store = store
    self.clock = clock
    self.ways = ways
    self.links = links
    self.baseURL = NIOLockedValueBox(baseURL)
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
    self.wakes = wakes
    self.schedule = schedule
    self.owner = owner
    self.unreached = unreached
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      await withDiscardingTaskGroup { group in
        var sleeper: Task<Void, Never>?
        do { try await store.releaseLeases(of: owner, at: clock.now()) } catch {
          // The leases run out by themselves.
          logger.error("outbox", metadata: ["error": "\(error)"])
        }
        wakes.deliver()
        for await _ in wakes.deliveries {
          if Task.isCancelled { break }
          // The store is asked regularly even if nothing wakes the worker.
          var wait = Self.looksAtLeastEvery
          do {
            for lease in try await take() { group.addTask { [self] in await settle(lease) } }
            if let next = try await store.nextDue(without: unreachable),
              held.withLockedValue({ $0.count }) < Self.most
            {
              wait = min(wait, max(.milliseconds(20), next - clock.now()))
            }
          } catch {
            if Task.isCancelled { break }
            logger.error("outbox", metadata: ["error": "\(error)"])
          }
          sleeper?.cancel()
          sleeper = Task { [wakes] in
            do { try await Task.sleep(for: .milliseconds(wait.milliseconds)) } catch { return }
            wakes.deliver()
          }
        }
        sleeper?.cancel()
        group.cancelAll()
      }
    }
  }

  /// Channels that this process cannot reach now. Their items wait, without an attempt, for the process that
  /// has the connection to the MQTT broker.
  private var unreachable: Set<ChannelKind> { ways.services.mqtt?.isOpen == true ? [] : [.mqtt] }

  func take() async throws(StoreError) -> [OutboxLease] {
    // Renew first, so that this process never leases again an item that it is delivering.
    try await renewLeases()
    let room = Self.most - held.withLockedValue { $0.count }
    guard room > 0 else { return [] }
    let leases = try await store.lease(
      now: clock.now(), limit: room, for: OutboxLease.duration, owner: owner, without: unreachable)
    held.withLockedValue { held in
      for lease in leases { held[lease.number] = lease }
    }
    return leases
  }

  /// Renews the leases of attempts under way that end soon.
  func renewLeases() async throws(StoreError) {
    let soon = clock.now() + Self.renewedBefore
    try await renew(held.withLockedValue { $0.values.filter { $0.leasedUntil <= soon } })
  }

  private func renew(_ leases: [OutboxLease]) async throws(StoreError) {
    guard !leases.isEmpty else { return }
    let renewed = try await store.renew(
      leases.sorted { $0.number < $1.number }, for: OutboxLease.duration, at: clock.now())
    held.withLockedValue { held in
      for lease in renewed where held[lease.number]?.attempt == lease.attempt { held[lease.number] = lease }
    }
  }

  /// True if this process still has the lease. Checked before a message is sent: the process may have been
  /// suspended, and another may have sent the message.
  private func holds(_ lease: OutboxLease) async throws(StoreError) -> Bool {
    func isValid() -> Bool {
      held.withLockedValue { $0[lease.number] }.map { clock.now() < $0.leasedUntil } ?? false
    }
    if isValid() { return true }
    try await renew([lease])
    return isValid()
  }

  func settle(_ lease: OutboxLease) async {
    await attempt(lease)
    held.withLockedValue { $0[lease.number] = nil }
    // There is room for another attempt, and the next item of the same channel and alarm may be delivered.
    wakes.deliver()
  }

  /// Sets the server's own address, for links, if no setting gives its public address.
  package func listens(at address: String) { baseURL.withLockedValue { $0 = $0 ?? address } }

  /// The base URL of the links in messages; nil if no setting gives it and the server does not listen yet.
  package var linkBase: String? { baseURL.withLockedValue { $0 } }

  /// Wakes the worker, because there is something to deliver.
  package func wake() { wakes.deliver() }

  /// Makes one attempt for each item that is due now.
  func deliverDue() async throws {
    for lease in try await take() {
      await settle(lease)
      try await renewLeases()
    }
  }

  private func attempt(_ lease: OutboxLease) async {
    let start = clock.now()
    do {
      guard
        let channel = try await found({ try await store.channel(lease.item.channel, of: lease.item.account) }
        ),
        channel.isActive, let message = OutboxMessage(lease.item.payload)
      else {
        try await complete(lease, nil)
        return
      }
      if case .notice(let notice) = message, notice.kind == .repeat,
        !(try await repeats(notice.alarm, lease.item))
      {
        try await complete(lease, nil)
        return
      }
      guard let (outcome, isWithdrawal) = try await send(message, channel, lease) else { return }
      let isOver = try await note(outcome, isWithdrawal, channel, lease, since: start)
      if case .notice(let notice) = message, notice.kind == .test {
        let policy = ways.services.http.policy
        if let outcome, isOver || outcome.isDelivered {
          try await tested(
            channel, failure: outcome.failure?.told(of: channel.kind, policy), at: clock.now())
        }
      }
      if isOver, case .notice(let notice) = message, let alarm = lease.item.alarm {
        await unreached(alarm, notice.device.id)
      }
    } catch {
      // The lease runs out, and the item is delivered again.
      logger.error("outbox", metadata: ["error": "\(error)"])
    }
  }

  /// True if a repeat is still worth sending: the alarm rings, or it was cleared before the channel was
  /// notified of it.
  private func repeats(_ alarm: AlarmID, _ item: OutboxItem) async throws -> Bool {
    guard let record = try await found({ try await store.alarm(alarm) }) else { return false }
    switch record.state {
    case .ringing, .closed: return true
    case .sleeping, .acknowledgedInside, .acknowledgedForToday, .retracted: return false
    case .cleared:
      let attempts = try await store.attempts(of: alarm, account: item.account)
      return !attempts.contains { $0.channel == item.channel && $0.outcome == .delivered }
    }
  }

  /// - Returns: nil if the lease is lost. Then nothing was sent.
  private func send(
    _ message: OutboxMessage, _ channel: Store.Channel, _ lease: OutboxLease
  ) async throws -> (DeliveryOutcome?, isWithdrawal: Bool)? {
    let way: any DeliveryChannel
    do throws(DeliveryFailure) {
      way = try ways.way(to: channel)
    } catch { return (.refused(reason: error), false) }
    switch message {
    case .withdrawal(let withdrawal):
      guard try await holds(lease) else { return nil }
      return (await way.withdraw(withdrawal), true)
    case .notice(let notice):
      if channel.kind == .mail {
        let refusal = try await ways.mail.refusal(
          of: notice.kind, lease.item.alarm, to: channel, at: clock.now())
        if let refusal { return (.refused(reason: refusal), false) }
      }
      let notice = try await complete(notice, channel, lease)
      guard try await holds(lease) else { return nil }
      return (await way.deliver(notice), false)
    }
  }

  /// Returns the notice with links added, and for mail with the zone attached (S125).
  private func complete(
    _ notice: AlarmNotice, _ channel: Store.Channel, _ lease: OutboxLease
  ) async throws -> AlarmNotice {
    var completed = notice
    let expires = lease.item.createdAt + Self.linkLifetime
    let baseURL = baseURL.withLockedValue { $0 }
    switch notice.kind {
    case .notice:
      completed.links.open = baseURL.flatMap { link(to: notice, lease.item.account, expires, base: $0) }
    case .reminder:
      guard let baseURL else { break }
      completed.links = links.links(
        base: baseURL, reminder: ReminderID(rawValue: notice.alarm.rawValue),
        account: lease.item.account.rawValue, channel: channel.id.rawValue, expires: expires)
    case .cleared, .checkInOver, .checkInSoon, .arrived, .perhaps, .test: break
    case .ring, .repeat, .missedSignal, .deviceSilent, .batteryLow, .distress, .checkInMissed,
      .notArrived, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      guard let baseURL else { break }
      completed.links = links.links(
        base: baseURL, alarm: notice.alarm, account: lease.item.account.rawValue,
        channel: channel.id.rawValue, expires: expires)
    }
    if channel.kind == .mail, !notice.kind.onlyShows, let id = notice.zone?.id {
      let zones = try await store.zoneSet(of: lease.item.account).zones
      if let zone = zones.first(where: { $0.id == id })?.zone {
        completed.pad = PADWriter.write([zone]).bytes
      }
    }
    return completed
  }

  private func link(
    to notice: AlarmNotice, _ account: AccountID, _ expires: Instant, base: String
  ) -> String? {
    notice.zone.map { zone in
      let link = NoticeLink(
        zone: zone.id, account: account.rawValue, device: notice.device.id, expires: expires)
      return "\(base)/n/\(links.token(for: link))"
    }
  }

  /// - Returns: whether the delivery failed for good.
  private func note(
    _ outcome: DeliveryOutcome?, _ isWithdrawal: Bool, _ channel: Store.Channel, _ lease: OutboxLease,
    since start: Instant
  ) async throws -> Bool {
    let now = clock.now()
    var isOver = false
    func attempt(_ result: DeliveryAttempt.Outcome, _ detail: String) -> DeliveryAttempt? {
      lease.item.alarm.map {
        DeliveryAttempt(
          alarm: $0, channel: channel.id, attempt: lease.attempt, startedAt: start, endedAt: now,
          outcome: result,
          detail: detail.excerpt(500))
      }
    }
    let policy = ways.services.http.policy
    func told(_ reason: DeliveryFailure) -> String {
      if reason.isHidden(of: channel.kind, policy) {
        logger.info("not delivered", metadata: ["channel": "\(channel.id)", "reason": "\(reason)"])
      }
      return reason.told(of: channel.kind, policy)
    }
    let word: String
    switch outcome {
    case nil:
      word = "unsupported"
      try await complete(lease, nil)
    case .delivered(let receipt)?:
      word = "delivered"
      metrics.observe(
        "proximity_delivery_seconds", ["channel": channel.kind.rawValue],
        seconds: max(0, (now - lease.item.createdAt).seconds))
      try await complete(lease, attempt(isWithdrawal ? .withdrawn : .delivered, receipt))
    case .retry(let after, let reason)?:
      word = "failed"
      let next = schedule.next(
        after: lease.attempt, first: lease.item.createdAt, now: now, asked: after,
        seed: UInt64(bitPattern: lease.number))
      if let next, next < lease.item.expiresAt {
        try await settle(lease, .again(at: next), attempt(.failed, told(reason)))
      } else {
        isOver = true
        try await complete(lease, attempt(.rejected, told(reason)))
      }
    case .gone(let reason)?:
      word = "gone"
      isOver = true
      try await complete(lease, attempt(.rejected, "gone: \(told(reason))"))
      try await disable(channel)
    case .refused(let reason)?:
      word = "refused"
      isOver = true
      try await complete(lease, attempt(.rejected, told(reason)))
    }
    metrics.count("proximity_deliveries_total", ["channel": channel.kind.rawValue, "outcome": word])
    if lease.item.alarm != nil { hub.publish(lease.item.account) }
    return isOver
  }

  private func complete(_ lease: OutboxLease, _ attempt: DeliveryAttempt?) async throws {
    try await settle(lease, .done, attempt)
  }

  /// Stores an outcome. A write that failed is repeated, since the message would be sent again without it.
  private func settle(
    _ lease: OutboxLease, _ outcome: OutboxSettlement.Outcome, _ attempt: DeliveryAttempt?
  ) async throws {
    let settlement = OutboxSettlement(lease: lease, outcome: outcome, attempt: attempt)
    var isRepeated = false
    for pause in Self.settlingPauses {
      do {
        try await store.settle([settlement], isRepeated: isRepeated)
        return
      } catch { logger.error("outbox", metadata: ["error": "\(error)"]) }
      try await Task.sleep(for: .milliseconds(pause.milliseconds))
      isRepeated = true
    }
    try await store.settle([settlement], isRepeated: isRepeated)
  }

  /// Switches off a channel whose address is gone. Its owner sees that in the list of channels.
  private func disable(_ channel: Store.Channel) async throws {
    var gone = channel
    gone.isActive = false
    do { try await store.save(gone, over: channel.revision, at: clock.now()) } catch {
      switch error {
      // The channel was edited or deleted meanwhile; the next attempt will use its new state.
      case .stale, .notFound: return
      default: throw error
      }
    }
    logger.notice(
      "channel is gone", metadata: ["channel": "\(channel.id)", "kind": "\(channel.kind.rawValue)"])
    hub.publish(channel.account)
  }
}
