import Geometry

/// Computes for how long two devices need not report their positions, to save both batteries.
public enum CompanionPacing {
  /// Returns a time within which the two devices cannot cross a distance at the allowed speeds; at most a
  /// day.
  ///
  /// - Parameters:
  ///   - level: the distance that rings.
  ///   - apart: their measured distance.
  ///   - error: the sum of both position errors.
  ///   - own: the greatest speed of the one device.
  ///   - other: the greatest speed of the other device. If both are zero, the result is a day.
  public static func quietTime(
    _ level: Distance, apart: Distance, error: Distance, speeds own: Speed, _ other: Speed
  ) -> TimeSpan {
    let gap = max(.zero, max(apart - level, level - apart) - max(.zero, error))
    let closing = own.metresPerSecond + other.metresPerSecond
    return closing > 0 ? min(.hours(24), .seconds(gap.metres / closing)) : .hours(24)
  }

  /// Returns the same, counted from `now`, for two positions measured at different times; zero if that time
  /// has passed.
  public static func quietTime(
    _ level: Distance, _ assurance: Assurance, between own: Fix, _ settings: Settings, _ other: Fix,
    _ others: Settings, at now: Instant
  ) -> TimeSpan {
    let aged =
      settings.maximumSpeed * max(.zero, now - own.measuredAt)
      + others.maximumSpeed * max(.zero, now - other.measuredAt)
    let stated = (own.radius(settings) + other.radius(others)) * Rule.errorFactor(assurance)
    return quietTime(
      level, apart: own.position.distance(to: other.position), error: stated + aged,
      speeds: settings.maximumSpeed, others.maximumSpeed)
  }
}
