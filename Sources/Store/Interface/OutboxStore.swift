import AlarmEngine

/// Deliveries that are still to be made. Filled by `IngestStore.record`.
public protocol OutboxStore: Sendable {
  func enqueue(_ items: [OutboxItem]) async throws(StoreError)
  /// Leases the items that are due, the earliest first. Of one channel and collapse key, and of one channel
  /// and alarm, only one item is leased at a time, the oldest first, so that a withdrawal never overtakes its
  /// notice.
  ///
  /// An item whose lease ran out is due again. Expired items are dropped, and recorded with their alarm as
  /// rejected.
  /// - Parameters:
  ///   - owner: the process that delivers them. Processes that lease at the same time get different items.
  ///   - left: kinds of channels whose items stay where they are: this process cannot reach them now. They wait without an
  ///     attempt, for another process or a later call.
  func lease(
    now: Instant, limit: Int, for duration: TimeSpan, owner: String, without left: Set<ChannelKind>
  ) async throws(StoreError) -> [OutboxLease]
  /// Records attempts, and removes the items that are done or puts them off. All are settled in one
  /// transaction.
  /// - Returns: for how many items the lease was still valid. The attempts are recorded in any case.
  @discardableResult
  func settle(_ settlements: [OutboxSettlement]) async throws(StoreError) -> Int
  /// Drops all items about an alarm, leased or not.
  /// - Returns: how many.
  @discardableResult
  func cancelOutbox(of alarm: AlarmID) async throws(StoreError) -> Int
  @discardableResult
  func cancelOutbox(of channel: ChannelID, collapseKey: String) async throws(StoreError) -> Int
  /// Ends the leases of an owner. Call it when the process that held them is gone and the caller has taken its
  /// place, so that no item waits for their end. Leases of other processes stay.
  func releaseLeases(of owner: String, at now: Instant) async throws(StoreError)
  /// When the next item is due, including items whose lease runs out; nil if there is none.
  /// - Parameter left: kinds of channels whose items are passed over.
  func nextDue(without left: Set<ChannelKind>) async throws(StoreError) -> Instant?
}

extension OutboxStore {
  /// The same for channels of all kinds.
  public func lease(
    now: Instant, limit: Int, for duration: TimeSpan, owner: String
  ) async throws(StoreError) -> [OutboxLease] {
    try await lease(now: now, limit: limit, for: duration, owner: owner, without: [])
  }

  /// The same for channels of all kinds.
  public func nextDue() async throws(StoreError) -> Instant? { try await nextDue(without: []) }

  /// Records the attempt, successful or not, and removes the item.
  /// - Returns: whether the lease was still valid.
  @discardableResult
  public func complete(
    _ lease: OutboxLease, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .done, attempt: attempt)]) == 1
  }

  /// Records the attempt; the item is due again at `time`.
  @discardableResult
  public func retry(
    _ lease: OutboxLease, at time: Instant, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .again(at: time), attempt: attempt)]) == 1
  }
}
