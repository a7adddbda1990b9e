import AlarmEngine
import Geometry

/// The length and loudness of an alarm's sounds on a phone. The platform plays one sound at a time.
public enum SoundPlan {
  /// The first sound of an alarm.
  static let first = TimeSpan.seconds(5)
  /// Each later one: long enough to wake, short enough for a pause before the next.
  static let lengths = TimeSpan.milliseconds(2500)...TimeSpan.seconds(15)
  /// The time for which a sound until closed goes on after the last repeat.
  static let untilClosed = TimeSpan.seconds(600)
  /// The time of the rise from a tenth of the loudness to full; as on the page.
  static let rise = TimeSpan.seconds(20)
  /// Returns the length of an alarm's next sound: half the time between two repeats, or `untilClosed` if the
  /// alarm is set to sound without a pause until it is closed.
  ///
  /// - Parameter since: time since this alarm last began to sound; nil if the last sound was another's or
  ///   there is none.
  public static func length(since: TimeSpan?, untilClosed isUntilClosed: Bool) -> TimeSpan {
    if isUntilClosed { return untilClosed }
    guard let since else { return first }
    return min(max(.milliseconds(since.milliseconds / 2), lengths.lowerBound), lengths.upperBound)
  }

  /// Returns the loudness of a rising sound, in millionths of full. It rises exponentially, as suits hearing.
  ///
  /// - Parameter since: time since its beginning.
  public static func loudness(since: TimeSpan) -> Int {
    // 0.1 to the power of the remaining share of the rise, by squaring: a phone's module has no `pow` of the
    // C library.
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
