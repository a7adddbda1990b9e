import AlarmEngine
import Geometry

/// How long and how loud an alarm sounds on a phone. The platform plays; of all that rings, one sound at a time.
public enum SoundPlan {
  /// The first sound of an alarm.
  static let first = TimeSpan.seconds(5)
  /// Each later one: long enough to wake, short enough for a pause before the next.
  static let lengths = TimeSpan.milliseconds(2500)...TimeSpan.seconds(15)
  /// A sound until closed goes on so long after the last repeat, should no other come.
  static let untilClosed = TimeSpan.seconds(600)
  /// From soft, a tenth, to full; as on the page.
  static let rise = TimeSpan.seconds(20)
  /// The length of the next sound of an alarm: half the time between two repeats, or as long as it takes where a person
  /// wants it to sound without a pause until it is closed.
  ///
  /// - Parameter since: from when this alarm last began to sound; nil where another one did, or none.
  public static func length(since: TimeSpan?, untilClosed isUntilClosed: Bool) -> TimeSpan {
    if isUntilClosed { return untilClosed }
    guard let since else { return first }
    return min(max(.milliseconds(since.milliseconds / 2), lengths.lowerBound), lengths.upperBound)
  }

  /// How loud a sound that rises is, in millionths of full: louder by the same factor in the same time, as ears want it.
  ///
  /// - Parameter since: from its beginning.
  public static func loudness(since: TimeSpan) -> Int {
    // A tenth to the power of what is left of the rise, by squares: a phone's module has no C library's power.
    var left = rise.milliseconds - min(max(since.milliseconds, 0), rise.milliseconds)
    var loudness = 1_000_000.0
    // 10^(-1/20000): a millisecond of the rise.
    var factor = 0.999_884_877_372_468_6
    while left > 0 {
      if left & 1 == 1 { loudness *= factor }
      factor *= factor
      left >>= 1
    }
    return Int(loudness + 0.5)
  }
}
