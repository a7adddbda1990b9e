import Geometry

/// For how long nobody need know where two devices are, so that both batteries are spared.
public enum CompanionPacing {
  /// In less time the two cannot cross a distance, however they move at the speeds that are allowed.
  ///
  /// - Parameters:
  ///   - level: the distance that rings.
  ///   - apart: how far apart they were found.
  ///   - error: of both positions together.
  ///   - own: the greatest speed of the one, and `other`. If both stand still, there is no limit but a day.
  public static func quietTime(
    _ level: Distance, apart: Distance, error: Distance, speeds own: Speed, _ other: Speed
  ) -> TimeSpan {
    let gap = max(.zero, max(apart - level, level - apart) - max(.zero, error))
    let closing = own.metresPerSecond + other.metresPerSecond
    return closing > 0 ? min(.hours(24), .seconds(gap.metres / closing)) : .hours(24)
  }

  /// The same from two positions, each of its own time: from `now` on, and zero where that time has passed.
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
