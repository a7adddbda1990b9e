import AlarmEngine
import Foundation

/// UTC offsets of time zones, given to the engine as data.
public enum TimeZoneOffsets {
  /// Returns the UTC offsets of a named time zone: the one in force at `from`, then one for each change until
  /// `through`.
  ///
  /// The source is the copy of the IANA database in Swift's Foundation, whose last rule is repeated beyond
  /// its forecasts. The first offset starts at `from`, so that a `Schedule` made of them is right from then
  /// on. The last offset continues after `through`; request a year more than is needed.
  /// - Parameter name: as the IANA database spells it, with its upper and lower case: "Europe/Berlin".
  /// - Throws: `.unknownName` if Foundation knows no such zone; `.endBeforeStart`.
  /// - Complexity: linear in the number of changes, about two for each year.
  public static func offsets(
    of name: String, from: Instant, through: Instant
  ) throws(TimeZoneError) -> [Schedule.Offset] {
    guard let zone = zone(name) else { throw .unknownName(given: name) }
    guard from <= through else { throw .endBeforeStart(from: from, through: through) }
    var offsets = [offset(of: zone, from: from)]
    var last = date(from)
    while let change = zone.nextDaylightSavingTimeTransition(after: last), change > last,
      change <= date(through)
    {
      let next = offset(of: zone, from: instant(change))
      // Some changes are legal only and leave the clocks unchanged.
      if next.seconds != offsets[offsets.count - 1].seconds { offsets.append(next) }
      last = change
    }
    return offsets
  }

  public static func isKnown(_ name: String) -> Bool { zone(name) != nil }

  /// Foundation reads a name only as far as its first zero byte.
  private static func zone(_ name: String) -> TimeZone? {
    name.utf8.contains(0) ? nil : TimeZone(identifier: name)
  }

  private static func offset(of zone: TimeZone, from: Instant) -> Schedule.Offset {
    // The database keeps whole seconds, all of them less than a day.
    let seconds = Int32(clamping: zone.secondsFromGMT(for: date(from)))
    let allowed = Schedule.Offset.allowedSeconds
    return Schedule.Offset(from: from, seconds: min(max(seconds, allowed.lowerBound), allowed.upperBound))
  }
  private static func date(_ instant: Instant) -> Date {
    Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000)
  }
  private static func instant(_ date: Date) -> Instant {
    Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}
