import AlarmEngine
import Geometry
import PhoneHost

/// The protocol between the page and the app that shows it. The app's watch decides and rings; the page
/// displays it, edits zones and passes on people's commands.
///
/// Requests and answers are `PageValue`s as bytes, as those of ``PageEngine``:
/// - `phone_watch` (`zones`, `reminders`, `settings`): from now on these are watched, while the alarms are on -> `zones`: how
///   many, `refused_zones`, `reminder_places`: how many of the active reminders' are.
/// - `phone_act` (`command`, `zone`?, `until_ms`?): `activate`, `deactivate`, or an answer to the alarm of a zone, by the
///   words of ``PageEngine``'s `command`.
/// - `phone_edition` (`edition`): the edition of the data that the page stores, a count of its edits -> `done`.
/// - `phone_state` (`after_ms`?): `armed`; `edition`: the last one stated, which is above that of a page whose storage is older than
///   the watch; `promises`: of each zone on duty its `guarantee`; `rows`: positions (``FixRow``) that arrived after that; `acts`: what was done after
///   that in notifications, each with `command`, `zone`, `at_ms`; `ringing`: ids of zones; `state`: what is promised for all.
/// - `phone_kept`: `zones` and `settings` that the watch has, for a page whose own storage was lost or is older.
public enum PhoneBridge {
  ///
  /// Every request contains the time (`now_ms`).
  ///
  /// - Returns: the answer, and the input for the watch, if any.
  public static func answer<Policy>(
    _ request: [UInt8], of host: PhoneHost<Policy>
  ) -> (answer: [UInt8], told: (input: PhoneInput, time: PhoneTime)?) {
    do throws(Refusal) {
      let value: PageValue
      do { value = try PageValue(cbor: request) } catch { throw .notUnderstood }
      let fields = Fields(value)
      let now = try fields.now()
      func told(_ input: PhoneInput?) -> (input: PhoneInput, time: PhoneTime)? {
        input.map { ($0, PhoneTime(now: now, uptime: nil)) }
      }
      switch value["ask"]?.text {
      case "phone_watch":
        let (zones, refused) = try fields.zones("zones")
        let settings = try fields.settings()
        let (reminders, _) = try fields.reminders("reminders")
        let places = ReminderZone.zones(of: reminders, near: host.timeline.position?.position)
        let answer = PageValue.map([
          .init("zones", .integer(Int64(zones.count))),
          .init("refused_zones", .list(refused.map { $0.form })),
          .init("reminder_places", .integer(Int64(places.count))),
        ])
        return (answer.cbor, told(.zones(zones.map { ReminderZone.without($0) } + places, settings)))
      case "phone_act":
        let input = try act(fields, host.timeline)
        return (PageValue.map([.init("done", .bool(input != nil))]).cbor, told(input))
      case "phone_edition":
        guard let edition = try fields.asked(whole: "edition", 0...Self.greatestEdition) else {
          throw .field(.init("edition", .missing))
        }
        return (PageValue.map([.init("done", .bool(true))]).cbor, told(.edition(UInt64(edition))))
      case "phone_state":
        let after =
          fields.present("after_ms") == nil ? Instant.allowed.lowerBound : try fields.instant("after_ms")
        return (state(of: host, after: after, at: now).cbor, nil)
      case "phone_kept": return (kept(by: host).cbor, nil)
      case "phone_past": return (try past(fields).cbor, nil)
      default: throw .unknownAsk
      }
    } catch {
      return (PageValue.map([.init("refused", error.form)]).cbor, nil)
    }
  }

  /// Returns the input for the watch; nil if there is nothing to do, as for an alarm already answered.
  private static func act(_ fields: Fields, _ timeline: Timeline) throws(Refusal) -> PhoneInput? {
    guard let word = try fields.asked(text: "command") else { throw .field(.init("command", .missing)) }
    if word == "activate" { return timeline.armed ? nil : .command(.activate) }
    if word == "deactivate" { return timeline.armed ? .command(.deactivate) : nil }
    let zone = ZoneID(rawValue: try fields.identifier("zone"))
    var standing: AlarmID?
    for (each, state) in timeline.states where each == zone {
      switch state {
      case .ringing(let alarm, _), .asleep(let alarm, _), .acknowledged(let alarm): standing = alarm
      default: break
      }
    }
    let until = fields.present("until_ms") == nil ? nil : try fields.instant("until_ms")
    guard let alarm = standing else { return nil }
    switch word {
    case "close": return .command(.close(alarm))
    case "sleep": return .command(until.map { .sleepUntil(alarm, $0) } ?? .sleep(alarm))
    case "inside": return .command(.acknowledgeInside(alarm))
    case "today":
      guard let until else { throw .field(.init("until_ms", .missing)) }
      return .command(.acknowledgeForToday(alarm, until: until))
    default: throw .field(.init("command", .unknownWord))
    }
  }

  private static func kept<Policy>(by host: PhoneHost<Policy>) -> PageValue {
    let zones = host.timeline.zones.filter { !ReminderZone.isOne($0) }
    return .map([
      .init("zones", .list(zones.map { ZoneForm.form(of: $0) })),
      .init("settings", PageSetting.form(of: host.kept.settings)),
    ])
  }

  private static func state<Policy>(
    of host: PhoneHost<Policy>, after: Instant, at now: Instant
  ) -> PageValue {
    let timeline = host.timeline
    let rows = Self.rows(of: timeline.fixes(receivedAfter: after))
    var acts: [PageValue] = []
    for (command, at) in timeline.commands(after: after) {
      guard let entries = entries(of: command, timeline) else { continue }
      acts.append(.map(entries + [.init("at_ms", .integer(at.millisecondsSince1970))]))
    }
    // The page has its own list of reminders, and nothing is promised of them.
    let guarantees = host.policy.guarantees(zones: timeline.surroundings(at: now)).filter { zone, _ in
      !(timeline.watched.zone(zone).map { ReminderZone.isOne($0) } ?? false)
    }
    return .map([
      .init("armed", .bool(timeline.armed)), .init("edition", .integer(Int64(host.kept.edition))),
      .init("rows", .bytes(rows)), .init("acts", .list(acts)),
      .init("ringing", .list(host.kept.ringing.map { .text(Text($0.zone.description)) })),
      .init("state", weakest(of: guarantees.map { $0.guarantee })),
      .init("kept_from_ms", timeline.keptFrom.map { .integer($0.millisecondsSince1970) } ?? .null),
      .init(
        "promises",
        .list(
          guarantees.prefix(mostPromises).map { zone, guarantee in
            .map([
              .init("zone", .text(Text(zone.description))),
              .init("guarantee", PageEngine.form(of: guarantee)),
            ])
          })),
    ])
  }

  /// The greatest whole number that the page's numbers hold exactly.
  private static let greatestEdition = 9_007_199_254_740_991.0

  /// The most urgent zones, of which the page has a list.
  private static let mostPromises = 1000

  private static func entries(of command: Command, _ timeline: Timeline) -> [PageValue.Entry]? {
    func answer(_ word: Text, _ alarm: AlarmID, until: Instant? = nil) -> [PageValue.Entry]? {
      guard let zone = timeline.zone(of: alarm),
        !(timeline.watched.zone(zone).map { ReminderZone.isOne($0) } ?? false)
      else { return nil }
      var entries: [PageValue.Entry] = [
        .init("command", .text(word)), .init("zone", .text(Text(zone.description))),
      ]
      if let until { entries.add("until_ms", .integer(until.millisecondsSince1970)) }
      return entries
    }
    switch command {
    case .activate: return [.init("command", .text("activate"))]
    case .deactivate: return [.init("command", .text("deactivate"))]
    case .close(let alarm): return answer("close", alarm)
    case .sleep(let alarm): return answer("sleep", alarm)
    case .sleepUntil(let alarm, let until): return answer("sleep", alarm, until: until)
    case .acknowledgeInside(let alarm): return answer("inside", alarm)
    case .acknowledgeForToday(let alarm, let until): return answer("today", alarm, until: until)
    case .replaceZones: return nil
    }
  }

  /// Returns the weakest guarantee among the zones on duty, in the form of a `WatchState`.
  private static func weakest(of guarantees: [Guarantee]) -> PageValue {
    var weakest: Guarantee?
    for guarantee in guarantees {
      switch (guarantee, weakest) {
      case (.notWatched(.notAuthorized), _), (.notWatched(.stopped), _):
        return PageEngine.form(of: WatchState.watching(guarantee))
      case (.notWatched, _): continue
      case (_, nil): weakest = guarantee
      case (.bestEffort, .guaranteed?): weakest = guarantee
      case (.guaranteed(let a), .guaranteed(let b)?): if b.late < a.late { weakest = guarantee }
      default: continue
      }
    }
    guard let weakest else { return .map([.init("kind", .text("none"))]) }
    return PageEngine.form(of: WatchState.watching(weakest))
  }
}
