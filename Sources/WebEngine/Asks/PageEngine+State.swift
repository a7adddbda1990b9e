import AlarmEngine
import Geometry

extension PageEngine {
  /// Takes over a request's data about the device: `positioning`, `visible`, `phones_ringing`. Absent ones
  /// stay.
  mutating func takeCircumstances(_ fields: Fields) throws(Refusal) {
    if let word = try fields.asked(text: "positioning") {
      guard let found = Circumstances.Positioning.allCases.first(where: { $0.word == word }) else {
        throw .field(.init("positioning", .unknownWord))
      }
      circumstances.positioning = found
    }
    if let count = try fields.asked(number: "phones_ringing", 0...1e6) {
      circumstances.phonesRinging = Int(count)
    }
    guard let visible = try fields.asked(bool: "visible"), fields.present("now_ms") != nil else { return }
    let now = try fields.now()
    if !visible {
      hiddenAt = hiddenAt ?? now
    } else if let hidden = hiddenAt {
      hiddenAt = nil
      if now - hidden > Circumstances.briefAbsence { circumstances.returnedAt = now }
    }
    circumstances.isVisible = visible
  }

  /// Returns the condition of the device that prevents all watching; nil if there is none or watching is off.
  func obstacle(at now: Instant) -> WatchState.Obstacle? {
    guard let timeline, timeline.armed else { return nil }
    return circumstances.obstacle(position: timeline.position, latest: timeline.reached, at: now)
  }

  func watchState(_ zones: ZonesOnDuty, _ surroundings: Surroundings, at now: Instant) -> WatchState {
    guard let timeline else { return .off }
    let ringing = timeline.states.count {
      if case .ringing = $0.state { return true }
      return false
    }
    return WatchState(
      armed: timeline.armed, ringing: ringing, zones: zones, position: timeline.position,
      latest: timeline.reached, circumstances: circumstances, at: now
    ) { promise }
  }

  /// The guarantee for the watched zones.
  private var promise: Guarantee {
    guard let fix = timeline?.position else { return .bestEffort(.noFix) }
    if case .radius(let radius) = fix.accuracy, radius > Circumstances.rough {
      return .bestEffort(.approximateOnly)
    }
    return .visibleOnly(isHidden: isHidden)
  }

  /// Returns whether the page has to request a position now to keep the zones watched, and when to check
  /// next.
  mutating func request(at now: Instant) -> (isDue: Bool, next: Instant?) {
    guard let timeline, timeline.armed else { return (false, nil) }
    let zones = timeline.surroundings(at: now)
    guard zones.hasWatchedZones,
      let due = circumstances.nextRequest(
        position: timeline.position, latest: timeline.reached,
        stay: timeline.position.flatMap { zones.undecidedStay(at: $0) }, at: now)
    else { return (false, nil) }
    if now < due { return (false, due) }
    // Also check when the last position becomes too old.
    let old = timeline.position.map { $0.measuredAt + Circumstances.oldAfter }
    if let last = requestedAt, last <= now, now - last < Circumstances.askAgain {
      return (false, [last + Circumstances.askAgain, old].compactMap { $0 }.filter { $0 > now }.min())
    }
    requestedAt = now
    return (true, [now + Circumstances.askAgain, old].compactMap { $0 }.filter { $0 > now }.min())
  }

  static func form(of state: WatchState) -> PageValue {
    switch state {
    case .off: return .map([.init("kind", .text("off"))])
    case .ringing(let own, let phones, let obstacle):
      var entries: [PageValue.Entry] = [
        .init("kind", .text("ringing")), .init("own", .integer(Int64(own))),
        .init("phones", .integer(Int64(phones))),
      ]
      if let obstacle { add(obstacle, to: &entries) }
      return .map(entries)
    case .cannotWatch(let obstacle):
      var entries: [PageValue.Entry] = [.init("kind", .text("cannot_watch"))]
      add(obstacle, to: &entries)
      return .map(entries)
    case .watching(let guarantee):
      return .map([.init("kind", .text("watching")), .init("guarantee", form(of: guarantee))])
    }
  }

  private static func add(_ obstacle: WatchState.Obstacle, to entries: inout [PageValue.Entry]) {
    entries.add("why", .text(obstacle.word))
    switch obstacle {
    case .zonesAsleep(let until?): entries.add("until_ms", .integer(until.millisecondsSince1970))
    case .positionTooOld(let age): entries.add("age_s", .number(age.seconds))
    case .positionTooCoarse(let accuracy): entries.add("accuracy_m", .number(accuracy.metres))
    case .noZones, .noArea, .zonesOff, .zonesAsleep, .notAuthorized, .hidden, .clockSetBack, .noPosition,
      .awaitingPosition:
      break
    }
  }
}

// MARK: Words that programs read

extension Circumstances.Positioning {
  var word: Text {
    switch self {
    case .unknown: "unknown"
    case .asking: "asking"
    case .granted: "granted"
    case .denied: "denied"
    case .unavailable: "unavailable"
    }
  }
}

extension WatchState.Obstacle {
  var word: Text {
    switch self {
    case .noZones: "no_zones"
    case .noArea: "no_area"
    case .zonesOff: "zones_off"
    case .zonesAsleep: "zones_asleep"
    case .notAuthorized: "not_authorized"
    case .hidden: "hidden"
    case .clockSetBack: "clock_set_back"
    case .noPosition(isAvailable: true): "no_position"
    case .noPosition(isAvailable: false): "position_unavailable"
    case .awaitingPosition: "awaiting_position"
    case .positionTooOld: "position_too_old"
    case .positionTooCoarse: "position_too_coarse"
    }
  }
}
