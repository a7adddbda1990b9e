import AlarmEngine
import Geometry

extension PageEngine {
  /// Returns the changes and the current state: `events` (new), `retracted`, `refused_rows`, `state`
  /// (`WatchState`, the source of every display of the state), `armed`, `total` and `watching` (zones on
  /// duty), `refused_zones` and `refused_reminders` (each with `why`), `position`, `nearest` (three rows),
  /// `alarms` (ringing, asleep or acknowledged, the most urgent first), `next_due_ms`, `wants_fix`, `listens`
  /// (positions are of use: zones are armed, or a reminder waits), and for reminders `reminders`, `nearby`,
  /// `snoozed`, `effects`.
  mutating func report(
    _ change: Timeline.Change, effects: [ReminderList.Effect] = [], refusedRows: [PageValue] = [],
    at now: Instant
  ) -> PageValue {
    followTrends()
    guard let timeline else { return .map([]) }
    let names = ZoneNames(timeline)
    let surroundings = timeline.surroundings(at: now)
    var entries: [PageValue.Entry] = []
    func add(_ key: Text, _ value: PageValue) { entries.add(key, value) }
    add("events", .list(change.added.map { EventForm.form(of: $0, names) }))
    add("retracted", .list(change.retracted.map { EventForm.form(of: $0, names) }))
    add("refused_rows", .list(refusedRows))
    let onDuty = surroundings.zonesOnDuty
    add("state", Self.form(of: watchState(onDuty, surroundings, at: now)))
    add("armed", .bool(timeline.armed))
    add("total", .integer(Int64(timeline.zones.count + timeline.refusedZones.count + refusedForms.count)))
    add("watching", .integer(Int64(onDuty.watched)))
    add("refused_zones", Self.refused(timeline.refusedZones, refusedForms))
    add("refused_reminders", .list(refusedReminders.map { $0.form }))
    if let position = timeline.position { add("position", Self.form(of: position)) }
    add("nearest", .list(nearest(surroundings)))
    add("alarms", .list(alarms(timeline, surroundings)))
    let request = request(at: now)
    let due = [timeline.nextDue, reminders.nextWake, request.next].compactMap { $0 }.min()
    if let due { add("next_due_ms", .integer(due.millisecondsSince1970)) }
    add("wants_fix", .bool(timeline.wantsFix || request.isDue))
    add("listens", .bool(timeline.armed || reminders.followsPlaces))
    add("reminders", .list(reminders.reminders.map { ReminderForm.form(of: $0) }))
    add("nearby", .list(reminders.nearby.map { ReminderForm.form(of: $0) }))
    add(
      "snoozed",
      .list(
        reminders.snoozed.map {
          .map([
            .init("id", .text(Text($0.reminder.id.description))),
            .init("until_ms", .integer($0.until.millisecondsSince1970)),
          ])
        }))
    add("effects", .list(effects.compactMap { ReminderForm.form(of: $0) }))
    return .map(entries)
  }

  /// Zones that cannot be watched, and forms that are no zones.
  static func refused(
    _ zones: [(zone: ZoneID, error: ZoneError)], _ forms: [RefusedForm]
  ) -> PageValue {
    .list(
      zones.map { .map([.init("id", .text(Text($0.zone.description)))] + $0.error.entries) }
        + forms.map { $0.form })
  }

  static func form(of fix: Fix) -> PageValue {
    var entries: [PageValue.Entry] = [
      .init("latitude", .number(fix.position.latitude.degrees)),
      .init("longitude", .number(fix.position.longitude.degrees)),
      .init("measured_ms", .integer(fix.measuredAt.millisecondsSince1970)),
    ]
    if let stated = fix.accuracy.stated { entries.add("accuracy_m", .number(stated.metres)) }
    if let speed = fix.speed { entries.add("speed_m_s", .number(speed.metresPerSecond)) }
    if let course = fix.course { entries.add("course_deg", .number(course.degrees)) }
    return .map(entries)
  }

  private func nearest(_ surroundings: Surroundings) -> [PageValue] {
    guard let timeline, let position = timeline.position?.position else { return [] }
    return surroundings.nearest(3, to: position).map { row(of: $0.zone, from: position, surroundings) }
  }

  /// One line about a zone: what it is, what it does, how far it is.
  func row(of slot: ZoneSlot, from place: Coordinate?, _ surroundings: Surroundings) -> PageValue {
    guard let timeline else { return .null }
    let zone = timeline.zones[slot.index]
    var entries: [PageValue.Entry] = []
    func add(_ key: Text, _ value: PageValue) { entries.add(key, value) }
    add("id", .text(Text(zone.id.description)))
    add("name", .text(zone.name))
    add("category", .text(zone.category))
    add("priority", .integer(Int64(zone.priority)))
    add("urgency", .text(Self.urgency(zone.priority)))
    add("active", .bool(zone.active))
    add("trigger", .text(zone.trigger.kind.word))
    add("alert_m", .number(zone.alertDistance.metres))
    let state = timeline.states.first { $0.zone == zone.id }?.state
    add("state", .text(Self.word(state, surroundings.silence(of: slot))))
    if case .asleep(_, let until)? = state { add("until_ms", .integer(until.millisecondsSince1970)) }
    add("guarantee", guarantee(slot, surroundings))
    if let place {
      let near = surroundings.nearby(slot, from: place)
      let center = surroundings.enclosingCircle(of: slot).center
      add("distance_m", .number(near.toEdge.metres))
      add("to_alert_m", .number(near.toAlert.metres))
      add("bearing_deg", .number(Self.bearing(from: place, to: center)))
      add(
        "closeness", .number(Self.closeness(toAlert: near.toAlert.metres, alert: zone.alertDistance.metres)))
      if near.toAlert > .zero, let entry = secondsToEntry(of: zone.id, at: surroundings.now) {
        add("entry_s", .number(entry))
      }
    }
    return .map(entries)
  }

  /// Nil for a phone at rest, whose positions seem to approach a zone only by their errors.
  private func secondsToEntry(of zone: ZoneID, at now: Instant) -> Double? {
    guard let timeline, timeline.isMoving(at: now), let position = timeline.position,
      let entry = timeline.timeToEntry(of: zone)?.likely
    else { return nil }
    return max(0, (entry - max(.zero, now - position.measuredAt)).seconds)
  }

  /// How full the ring is: 0 at four times the alert distance, at least 1 km, from the alert line; 1 at the line.
  static func closeness(toAlert: Double, alert: Double) -> Double {
    max(0, min(1, 1 - toAlert / max(4 * alert, 1000)))
  }

  static func bearing(from a: Coordinate, to b: Coordinate) -> Double {
    let degrees = Geodesic(from: a, to: b).azimuthAtStart.degrees
    return degrees < 0 ? degrees + 360 : degrees
  }

  private static func word(_ state: AlarmState?, _ silence: Guarantee.Silence?) -> Text {
    switch state {
    case .ringing: return "ringing"
    case .asleep: return "asleep"
    case .acknowledged: return "acknowledged"
    case .dwelling: return "dwelling"
    case .confirming: return "confirming"
    case .present: return "present"
    case .idle, nil: break
    }
    switch silence {
    case .inactive: return "off"
    case .scheduleClosed: return "closed"
    case .disarmed: return "disarmed"
    case .acknowledgedForToday: return "acknowledged"
    case .stopped, .notAuthorized, .hidden, .noArea, nil: return "watching"
    }
  }

  private func guarantee(_ slot: ZoneSlot, _ surroundings: Surroundings) -> PageValue {
    if let silence = surroundings.silence(of: slot) { return Self.form(of: .notWatched(silence)) }
    if let obstacle = obstacle(at: surroundings.now) {
      return .map([.init("kind", .text("not_watched")), .init("why", .text(obstacle.word))])
    }
    return Self.form(of: .visibleOnly(isHidden: isHidden))
  }

  static func form(of guarantee: Guarantee) -> PageValue {
    switch guarantee {
    case .guaranteed(let promise):
      return .map([
        .init("kind", .text("guaranteed")), .init("up_to_m_s", .number(promise.upTo.metresPerSecond)),
        .init("late_s", .number((promise.late + promise.coarse).seconds)),
        .init("late_m", .number(promise.far.metres)),
      ])
    case .bestEffort(let why):
      return .map([.init("kind", .text("best_effort")), .init("why", .text(why.word))])
    case .notWatched(let why):
      return .map([.init("kind", .text("not_watched")), .init("why", .text(why.word))])
    }
  }

  /// Every alarm that is not over, the most urgent zone first.
  private func alarms(_ timeline: Timeline, _ surroundings: Surroundings) -> [PageValue] {
    var alarms: [PageValue] = []
    for (id, state) in timeline.states {
      guard let slot = surroundings.slot(of: id) else { continue }
      let zone = timeline.zones[slot.index]
      var entries: [PageValue.Entry] = []
      switch state {
      case .ringing(let alarm, _):
        entries = [
          .init("alarm", .text(Text(alarm.description))),
          .init("sound", .text(zone.soundName)), .init("vibrate", .bool(zone.vibrate)),
        ]
        if let trend = trends.first(where: { $0.zone == id }) {
          entries.add("nearing", .bool(trend.isNearing))
        }
      case .asleep(let alarm, _), .acknowledged(let alarm):
        entries = [.init("alarm", .text(Text(alarm.description)))]
      case .idle, .confirming, .dwelling, .present: continue
      }
      if let standing = timeline.standing(of: zone.id) {
        entries.add("cause", .text(standing.cause.word))
        entries.add("began_ms", .integer(standing.began.millisecondsSince1970))
        entries.add("closed", .bool(standing.isClosed))
      }
      entries.add("sleep_s", .number((zone.sleepTime ?? settings.defaultSleepTime).seconds))
      entries.add("zone", row(of: slot, from: timeline.position?.position, surroundings))
      alarms.append(.map(entries))
    }
    return alarms
  }
}

/// The names of a timeline's zones.
struct ZoneNames {
  private let watched: WatchedZones
  init(_ timeline: Timeline) { watched = timeline.watched }
  subscript(zone: ZoneID) -> Text { watched.zone(zone)?.name ?? .empty }
}
