import AlarmEngine

/// The times since when phones have been able to report without a pause, to any process that uses the
/// database.
public struct AwakeSince: Hashable, Sendable {
  /// Every moment since this time is covered: some process has recorded afterwards that it was running.
  public let proven: Instant
  /// The best estimate before the other processes have reported again; never later than `proven`.
  public let likely: Instant

  /// `likely` is clamped to at most `proven`.
  public init(proven: Instant, likely: Instant) {
    self.proven = proven
    self.likely = min(proven, likely)
  }
}
