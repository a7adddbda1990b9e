import AlarmEngine
import Store

/// Finds the positions of a batch that lie in the future and disagree with the rest of the batch.
///
/// A clock that is ahead dates all positions of a batch too late by the same span, so that their times are
/// continuous. A single position from the future among present ones has a wrong time stamp of its own. It
/// proves nothing about the clock and is not judged. A future position disagrees if both are true:
///
/// - It lies further after the position before it than ``least``, and than ``manifold`` times the usual step
///   of the batch.
/// - One of the positions before it is present, or there are more positions before it than from it on.
///
/// A batch of one position has nothing to disagree with.
enum FutureOutliers {
  private static let least = TimeSpan.seconds(60)
  private static let manifold = 3.0

  /// Returns the time from which on the batch's positions disagree with those before; nil if all agree.
  /// - Parameter behind: how far the phone's clock is known to be behind; negative if it is ahead.
  static func begin(in times: [Instant], receivedAt: Instant, behind: TimeSpan) -> Instant? {
    // By a clock that is known to be ahead, the present lies as far ahead.
    let present = receivedAt - min(behind, .zero)
    func isFuture(_ time: Instant) -> Bool { time > present + StoredFix.clockTolerance }
    guard times.count > 1, times.contains(where: isFuture) else { return nil }
    let times = times.sorted()
    let future = times.firstIndex(where: isFuture) ?? times.count
    let limit = max(least, usualStep(of: times) * manifold)
    for index in max(future, 1)..<times.count where times[index] - times[index - 1] > limit {
      let isNow = future > 0 && present - times[future - 1] <= PhoneClock.tolerance
      if isNow || index > times.count - index { return times[index] }
    }
    return nil
  }

  /// Returns the median of the steps without the longest, which may be the outlier's own.
  private static func usualStep(of times: [Instant]) -> TimeSpan {
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted().dropLast()
    return steps.isEmpty ? .zero : steps[steps.count / 2]
  }
}
