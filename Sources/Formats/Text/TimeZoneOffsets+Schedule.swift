import AlarmEngine
import Foundation

/// Fills in the offsets of schedules from the names of their time zones. Each time zone is looked up once.
public struct ScheduleFiller {
  /// The span of the offsets: from 2000, so that old tracks are judged right as well, to the end of a decade
  /// more than 20 years ahead.
  ///
  /// The end changes once in ten years, so that zones filled on different days are equal.
  let filled: (from: Instant, through: Instant)
  private var known: [Text: [Schedule.Offset]] = [:]

  public init(at now: Instant) {
    let yearMilliseconds = 31_556_952_000.0
    let decade = 197 + Int((Double(now.millisecondsSince1970) / (10 * yearMilliseconds)).rounded(.down))
    let end = Double((decade + 3) * 10 - 1970) * yearMilliseconds
    filled = (
      Instant(millisecondsSince1970: 946_684_800_000),
      min(Instant(millisecondsSince1970: Int64(max(end, 2_524_608_000_000))), Instant.allowed.upperBound)
    )
  }

  /// Returns the schedule with the offsets of its named time zone.
  ///
  /// Offsets given with a name are replaced: they may contradict it or end too early. Without a name they are
  /// kept; no offsets mean UTC.
  /// - Throws: `.unknownName`.
  public mutating func fill(_ schedule: Schedule) throws(TimeZoneError) -> Schedule {
    guard !schedule.timeZone.isEmpty else { return schedule }
    let offsets: [Schedule.Offset]
    if let same = known[schedule.timeZone] {
      offsets = same
    } else {
      offsets = try TimeZoneOffsets.offsets(
        of: schedule.timeZone.string, from: filled.from, through: filled.through)
      known[schedule.timeZone] = offsets
    }
    // A single offset of zero is UTC, which needs none.
    let isUTC = offsets.allSatisfy { $0.seconds == 0 }
    return Schedule(windows: schedule.windows, timeZone: schedule.timeZone, offsets: isUTC ? [] : offsets)
  }

  /// Returns the zone with the offsets of its schedule's named time zone.
  public mutating func fill(_ zone: Zone) throws(TimeZoneError) -> Zone {
    guard let schedule = zone.schedule, !schedule.timeZone.isEmpty else { return zone }
    var draft = zone.draft
    draft.schedule = try fill(schedule)
    return (try? Zone(draft)) ?? zone
  }
}

extension ZoneFile {
  /// Fills in the offsets of named time zones, which the formats need not state. A zone with an unknown name
  /// is left out, with an error.
  /// - Parameter keepsStated: whether offsets stated in the file are kept.
  public mutating func fillTimeZones(keepsStated: Bool = true, at now: Instant = .system) {
    var filler = ScheduleFiller(at: now)
    for index in zones.indices.reversed() {
      let zone = zones[index]
      guard let schedule = zone.schedule, !schedule.timeZone.isEmpty else { continue }
      do throws(TimeZoneError) {
        let filled = try filler.fill(zone)
        if schedule.offsets.isEmpty || !keepsStated { zones[index] = filled }
      } catch {
        let label = ZoneFileBuilder.label(zone.name)
        issues.append(
          ReadIssue(.error, line: lines[zone.id], "\(label): \(error.message); the zone is left out"))
        zones.remove(at: index)
        lines[zone.id] = nil
        foreign[zone.id] = nil
      }
    }
  }
}

extension Instant {
  /// The time of the system's clock.
  public static var system: Instant {
    Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
