import Store

/// Shares the computing time between accounts. Judging positions from a time that the engine has forgotten
/// costs far more than judging a present one.
///
/// After such a job the account's next one is delayed for three times as long as the job took, if other
/// accounts report too. An account therefore takes at most a quarter of the time. A delayed job is not
/// acknowledged before it is done.
struct LatePace: Sendable {
  private static let rests = 3
  private static let restsAtMost = Duration.seconds(5)
  /// An account that has not reported for this long does not count as active.
  private static let reportsWithin = Duration.seconds(600)
  private static let keptAtMost = 1000

  private var restsUntil: [AccountID: ContinuousClock.Instant] = [:]
  /// The accounts that reported last, at most two, each once.
  private var latest: [(account: AccountID, at: ContinuousClock.Instant)] = []

  mutating func note(reportOf account: AccountID, at now: ContinuousClock.Instant) {
    latest.removeAll { $0.account == account }
    latest = [(account, now)] + latest.prefix(1)
  }

  /// Records how long a job took that judged the past of the account.
  mutating func note(_ cost: Duration, of account: AccountID, at now: ContinuousClock.Instant) {
    if restsUntil.count >= Self.keptAtMost { restsUntil = restsUntil.filter { $0.value > now } }
    restsUntil[account] = now + min(cost * Self.rests, Self.restsAtMost)
  }

  /// Returns how long the account's next such job has to be delayed; nil if it need not be.
  func rest(of account: AccountID, at now: ContinuousClock.Instant) -> Duration? {
    guard let end = restsUntil[account], end > now,
      latest.contains(where: { $0.account != account && now - $0.at < Self.reportsWithin })
    else { return nil }
    return end - now
  }
}
