import AlarmEngine

extension TimeZoneOffsets {
  /// The time for which a schedule's offsets are filled in: 2000 to 2050, so that old tracks are judged right as well.
  static let filled = (
    from: Instant(millisecondsSince1970: 946_684_800_000),
    through: Instant(millisecondsSince1970: 2_524_608_000_000)
  )

  /// The schedule with the offsets of its named time zone.
  ///
  /// Offsets that came with the name are replaced: they may disagree with it, or end too early. Without a name they stay, and
  /// none at all is UTC.
  /// - Throws: `.unknownName`.
  public static func filling(_ schedule: Schedule) throws(TimeZoneError) -> Schedule {
    guard !schedule.timeZone.isEmpty else { return schedule }
    return schedule.with(
      try offsets(of: schedule.timeZone.string, from: filled.from, through: filled.through))
  }

  /// The zone with the offsets of its schedule's named time zone.
  public static func filling(_ zone: ZoneDraft) throws(TimeZoneError) -> ZoneDraft {
    guard let schedule = zone.schedule else { return zone }
    var draft = zone
    draft.schedule = try filling(schedule)
    return draft
  }
}

extension ZoneFile {
  /// Fills in the offsets of named time zones, which the formats need not state. A zone whose name is unknown is left out, with
  /// an error.
  /// - Parameter keepsStated: offsets that the file states stay.
  public mutating func fillTimeZones(keepsStated: Bool = true) {
    var known: [Schedule: Schedule] = [:]
    for index in zones.indices.reversed() {
      let zone = zones[index]
      guard let schedule = zone.schedule, !schedule.timeZone.isEmpty else { continue }
      do throws(TimeZoneError) {
        let filled: Schedule
        if let same = known[schedule] {
          filled = same
        } else {
          filled = try TimeZoneOffsets.filling(schedule)
        }
        known[schedule] = filled
        guard filled != schedule, schedule.offsets.isEmpty || !keepsStated else { continue }
        var draft = zone.draft
        draft.schedule = filled
        if let filled = try? Zone(draft) { zones[index] = filled }
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

extension Schedule {
  /// A single offset of zero is UTC, which needs none.
  fileprivate func with(_ offsets: [Offset]) -> Schedule {
    let isUTC = offsets.allSatisfy { $0.seconds == 0 }
    return Schedule(windows: windows, timeZone: timeZone, offsets: isUTC ? [] : offsets)
  }
}

extension TimeZoneError {
  /// The finding and what is allowed, for people.
  public var message: String {
    switch self {
    case .unknownName(let given):
      "time zone \"\(given.prefix(60))\" found, a name of the IANA database such as Europe/Berlin or UTC allowed"
    case .endBeforeStart: "an end before the start found"
    }
  }
}
