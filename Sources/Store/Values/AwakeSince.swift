import AlarmEngine

/// Since when phones have been able to report without a pause, to whichever of a database's processes.
public struct AwakeSince: Hashable, Sendable {
  /// For each moment since then one of the processes has said, afterwards, that it was there.
  public let proven: Instant
  /// As far as can be told before the others have spoken again: never later than `proven`.
  public let likely: Instant

  /// What is likely may not be later than what is proven, and counts as that where it is.
  public init(proven: Instant, likely: Instant) {
    self.proven = proven
    self.likely = min(proven, likely)
  }
}
