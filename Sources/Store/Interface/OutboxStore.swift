import AlarmEngine

/// What is still to be brought to channels. Filled by `IngestStore.record`.
public protocol OutboxStore: Sendable {
  func enqueue(_ items: [OutboxItem]) async throws(StoreError)
  /// Hands out what is due: the first due first, at most one at a time for each channel and collapse key, and for each
  /// channel and alarm, the older before the younger: what takes a notice back never overtakes it.
  ///
  /// An item whose lease ran out is due again. Expired ones are dropped, and noted as rejected with their alarm.
  func lease(
    now: Instant, limit: Int, for duration: TimeSpan
  ) async throws(StoreError) -> [OutboxLease]
  /// Notes attempts, and forgets what is done or puts it off. All in one transaction: a worker that delivered much
  /// at once settles it at once.
  /// - Returns: for how many the lease was still good; the attempts are noted in any case.
  @discardableResult
  func settle(_ settlements: [OutboxSettlement]) async throws(StoreError) -> Int
  /// Drops what waits about an alarm, leased or not.
  /// - Returns: how many.
  @discardableResult
  func cancelOutbox(of alarm: AlarmID) async throws(StoreError) -> Int
  @discardableResult
  func cancelOutbox(of channel: ChannelID, collapseKey: String) async throws(StoreError) -> Int
  /// Ends the leases of a process that is gone and whose place the caller has taken, so that nothing waits for them.
  func releaseLeases(at now: Instant) async throws(StoreError)
  /// When something will be due, leases that run out included; nil when nothing waits.
  func nextDue() async throws(StoreError) -> Instant?
}

extension OutboxStore {
  /// Done, for better or worse: notes the attempt and forgets the item.
  /// - Returns: whether the lease was still good.
  @discardableResult
  public func complete(
    _ lease: OutboxLease, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .done, attempt: attempt)]) == 1
  }

  /// Notes the attempt; the item is due again at `time`.
  @discardableResult
  public func retry(
    _ lease: OutboxLease, at time: Instant, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .again(at: time), attempt: attempt)]) == 1
  }
}
