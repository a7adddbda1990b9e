import AlarmEngine
import Geometry

extension OverlandSettings {
  /// Returns the settings for a phone whose nearest zone is `distance` away, so that no arrival is noticed
  /// late and no battery is wasted.
  ///
  /// With V the person's maximum speed, the phone needs at least τ = distance / V to the zone. A position is
  /// measured every `min_time`, waits up to `send_interval` in the queue, and is answered with new settings.
  /// Both together stay within half of τ; the other half allows for the network and for delays of iOS, so
  /// that each reply arrives in time to tighten the next one. At least half of the distance then remains at
  /// each report, on any path. Settings that V does not bound are bound by the distance itself: a phone that
  /// has moved less than `min_distance` reports nothing, so this is at most an eighth of the distance, as are
  /// accuracy and the fence that ends a pause (exits are noticed 100 to 300 m late).
  ///
  /// | time to go τ | `send_interval` | `min_time` | | distance | accuracy | `min_distance` | pause until left |
  /// | --- | --- | --- | --- | --- | --- | --- | --- |
  /// | below 20 s | 1s | 1s | | below 80 m | best | off, from 8 m 1m | no |
  /// | from 20 s | 5s | 5s | | from 80 m | 10m | 10m, from 400 m 50m | no |
  /// | from 40 s | 10s | 10s | | from 800 m | 100m | 100m | no |
  /// | from 1 min | 15s | 10s | | from 2.4 km | 100m | 100m | 100m, from 3.2 km 200m |
  /// | from 2 min | 30s | 30s | | from 4 km | 100m | 500m | 200m, from 5.6 km 500m |
  /// | from 4 min | 1m | 1m | | from 8 km | 1km | 500m | 500m, from 9.6 km 1km |
  /// | from 8 min | 2m | 1m | | from 17.6 km | 1km | 500m | 2km |
  /// | from 20 min | 5m | 5m | | | | | |
  ///
  /// Two reports are never more than 5 min apart, at any distance: a zone drawn beside the phone must not go
  /// unnoticed longer.
  /// Significant changes are always on beside the standard service; they cost nothing and wake an app that
  /// was killed.
  /// - Parameters:
  ///   - distance: the distance to the nearest edge at which an alarm is due, alert distance and lead time
  ///     included; zero or less is inside.
  ///   - maximumSpeed: `Settings.maximumSpeed`.
  public static func watching(nearest distance: Distance, maximumSpeed: Speed) -> Self {
    let metres = max(0, distance.metres)
    let seconds = metres / max(maximumSpeed.metresPerSecond, 0.1)
    let part = metres / 8
    var settings = Self()
    settings.sendInterval = SendInterval.steps.last { $0.seconds <= seconds / 4 }?.step ?? .seconds1
    settings.main.trackingMode = .both
    settings.main.minimumTime = MinimumTime.steps.last { $0.seconds <= seconds / 4 }?.step ?? .seconds1
    settings.main.minimumDistance = MinimumDistance.steps.last { $0.metres <= part }?.step ?? .off
    settings.main.desiredAccuracy = Accuracy.steps.last { $0.metres <= part }?.step ?? .best
    let fence = ResumeFence.steps.last { $0.metres + Self.lateExit <= part }?.step
    settings.main.pausesAutomatically = fence != nil
    settings.main.resumeWithGeofence = fence ?? .off
    return settings
  }

  /// The distance outside a fence, in metres, at which iOS reports its crossing.
  private static let lateExit = 200.0
}

extension OverlandSettings.SendInterval {
  fileprivate static let steps: [(seconds: Double, step: Self)] = [
    (1, .seconds1), (5, .seconds5), (10, .seconds10), (15, .seconds15), (30, .seconds30), (60, .minutes1),
    (120, .minutes2), (300, .minutes5),
  ]
}
extension OverlandSettings.MinimumTime {
  fileprivate static let steps: [(seconds: Double, step: Self)] = [
    (1, .seconds1), (5, .seconds5), (10, .seconds10), (30, .seconds30), (60, .minutes1), (300, .minutes5),
  ]
}
extension OverlandSettings.MinimumDistance {
  fileprivate static let steps: [(metres: Double, step: Self)] = [
    (1, .metre1), (10, .metres10), (50, .metres50), (100, .metres100), (500, .metres500),
  ]
}
extension OverlandSettings.Accuracy {
  fileprivate static let steps: [(metres: Double, step: Self)] = [
    (10, .metres10), (100, .metres100), (1000, .kilometre1),
  ]
}
extension OverlandSettings.ResumeFence {
  fileprivate static let steps: [(metres: Double, step: Self)] = [
    (100, .metres100), (200, .metres200), (500, .metres500), (1000, .kilometre1), (2000, .kilometres2),
  ]
}
