import AlarmEngine
import Foundation

/// The calendar of the world's governments, handed to the engine as data.
public enum TimeZoneOffsets {
  /// The UTC offsets of a named time zone: the one that counts at `from`, then one for each change until
  /// `through`.
  ///
  /// From the copy of the IANA database in Swift's Foundation. Offsets beyond its forecasts repeat its last rule. The first
  /// offset has `from` as its own start, so that a `Schedule` made of them is right from there on, and after
  /// `through` its last offset lasts; take a year more than is needed.
  /// - Parameter name: as the IANA database spells it, with its upper and lower case: "Europe/Berlin".
  /// - Throws: `.unknownName` where it knows no such zone; `.endBeforeStart`.
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
      // Some changes are of the law only and leave the clocks alone.
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

/// Why there are no offsets for a time zone.
public enum TimeZoneError: Error, Hashable, Sendable {
  /// Allowed: what Foundation's copy of the IANA database knows, such as "Europe/Berlin" or "UTC".
  case unknownName(given: String)
  case endBeforeStart(from: Instant, through: Instant)
}
