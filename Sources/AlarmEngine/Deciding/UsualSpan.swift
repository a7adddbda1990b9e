import Geometry

/// The usual time between the reports of a phone, which determines how long it may be silent.
public enum UsualSpan {
  /// The longest silence before a signal counts as lost, however seldom a phone reports.
  private static let most = TimeSpan.minutes(30)

  /// How long a phone may be silent: three times the median of the spans between its reports, 30 min at most.
  /// - Parameter spans: in any order.
  /// - Returns: nil for fewer than three spans, which are too few.
  public static func patience(after spans: [TimeSpan]) -> TimeSpan? {
    spans.count < 3 ? nil : min(spans.sorted()[spans.count / 2] * 3, most)
  }
}

extension Settings {
  /// Returns these settings for a whole track: the signal counts as lost after three times the usual time
  /// between its positions, if that is longer than ``signalTimeout``.
  /// - Parameter times: the times of all positions, ascending.
  public func raisingSignalTimeout(forTrackAt times: [Instant]) -> Settings {
    var settings = self
    let spans = zip(times, times.dropFirst()).map { $1 - $0 }
    if let patience = UsualSpan.patience(after: spans), patience > signalTimeout {
      try? settings.set(.signalTimeout, to: patience.seconds)
    }
    return settings
  }
}
