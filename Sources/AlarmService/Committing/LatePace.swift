import Store

/// Shares the time of all accounts: to judge positions of a time that the engine has forgotten costs far more than to take one
/// of now.
///
/// After such a job the account's next one rests three times as long as the job took, if other accounts report too. So an
/// account takes a quarter of the time at most. A job that rests is not acknowledged before it is done.
struct LatePace: Sendable {
  private static let rests = 3
  private static let restsAtMost = Duration.seconds(5)
  /// An account that has not reported for so long shares nothing.
  private static let reportsWithin = Duration.seconds(600)
  private static let keptAtMost = 1000

  private var restsUntil: [AccountID: ContinuousClock.Instant] = [:]
  /// The accounts that reported last, two of them at most, each once.
  private var latest: [(account: AccountID, at: ContinuousClock.Instant)] = []

  mutating func note(reportOf account: AccountID, at now: ContinuousClock.Instant) {
    latest.removeAll { $0.account == account }
    latest = [(account, now)] + latest.prefix(1)
  }

  /// Notes how long a job of the account took that judged the past.
  mutating func note(_ cost: Duration, of account: AccountID, at now: ContinuousClock.Instant) {
    if restsUntil.count >= Self.keptAtMost { restsUntil = restsUntil.filter { $0.value > now } }
    restsUntil[account] = now + min(cost * Self.rests, Self.restsAtMost)
  }

  /// How long the account's next such job has to rest; nil if it need not.
  func rest(of account: AccountID, at now: ContinuousClock.Instant) -> Duration? {
    guard let end = restsUntil[account], end > now,
      latest.contains(where: { $0.account != account && now - $0.at < Self.reportsWithin })
    else { return nil }
    return end - now
  }
}
