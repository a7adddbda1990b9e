import AlarmEngine
import Geometry

extension PageEngine {
  mutating func open(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let settings = try fields.settings()
    let device = DeviceID(rawValue: try fields.identifier("device"))
    let armed = try fields.asked(bool: "armed") ?? false
    let (zones, refusedForms) = try fields.zones("zones")
    let watched = WatchedZones(zones, defaultRadius: settings.defaultRadius)
    let (list, refusedReminders) = try fields.reminders("reminders")
    var nearby: [NearbyPlace] = []
    for form in try fields.asked(list: "nearby") { nearby.append(try ReminderForm.nearby(form)) }
    var reminders = ReminderList(list, settings: settings, nearby: nearby)
    let effects = reminders.step(.advance(to: now))
    let opened: Timeline
    if let bytes = fields.present("snapshot")?.bytes {
      do {
        opened = try Timeline(snapshot: bytes, device: device, settings: settings) {
          WatchedZones.named($0, among: [watched])
        }
      } catch { throw .snapshotUnusable }
    } else {
      opened = Timeline(device: device, settings: settings, watched: watched, armed: armed)
    }
    self.settings = settings
    self.reminders = reminders
    self.refusedForms = refusedForms
    self.refusedReminders = refusedReminders
    timeline = opened
    isHidden = false
    trends = []
    requestedAt = nil
    let jump = opened.jumpWhileAway(at: now)
    let change = jump.map { timeline!.clockJumped(by: $0, at: now) } ?? timeline!.advance(to: now)
    return report(change, effects: effects, at: now)
  }

  /// Returns the snapshot from which `open` continues with the same zones.
  func snapshot() throws(Refusal) -> PageValue {
    var kept = try opened()
    kept.forget(keeping: 0)
    return .map([.init("snapshot", .bytes(kept.snapshot()))])
  }

  mutating func takeFixes(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let numbers = try fields.rows("rows")
    _ = try opened()
    var inputs: [Input] = []
    var refused: [PageValue] = []
    var effects: [ReminderList.Effect] = []
    for start in stride(from: 0, to: numbers.count, by: FixRow.width) {
      do {
        let fix = try FixRow.fix(numbers[start..<(start + FixRow.width)])
        inputs.append(.fix(fix))
        effects += reminders.step(.fix(fix))
      } catch {
        refused.append(
          .map([
            .init("row", .integer(Int64(start / FixRow.width))), .init("why", .text(error.word)),
          ]))
      }
    }
    var change = timeline!.insert(inputs)
    let passed = timeline!.advance(to: now)
    change.added += passed.added
    change.retracted += passed.retracted
    effects += reminders.step(.advance(to: now))
    return report(change, effects: effects, refusedRows: refused, at: now)
  }

  mutating func advance(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    _ = try opened()
    let change = timeline!.advance(to: now)
    let effects = reminders.step(.advance(to: now))
    return report(change, effects: effects, at: now)
  }

  mutating func jumpClock(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    guard fields.present("by_ms") != nil else { throw .field(.init("by_ms", .missing)) }
    let longest = Double(ClockJump.allowed.upperBound.milliseconds)
    let given = try fields.asked(number: "by_ms", -longest...longest) ?? 0
    let span = TimeSpan.milliseconds(Int64(given.rounded(.down)))
    _ = try opened()
    let change = timeline!.clockJumped(by: span, at: now)
    return report(change, effects: reminders.step(.clockJumped(by: span, at: now)), at: now)
  }

  mutating func apply(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let command = try Self.command(fields)
    _ = try opened()
    return apply(command, at: now)
  }

  private static func command(_ fields: Fields) throws(Refusal) -> Command {
    func alarm() throws(Refusal) -> AlarmID { AlarmID(rawValue: try fields.identifier("alarm")) }
    guard let word = try fields.asked(text: "command") else { throw .field(.init("command", .missing)) }
    if word == "activate" { return .activate }
    if word == "deactivate" { return .deactivate }
    if word == "close" { return .close(try alarm()) }
    if word == "sleep" {
      guard fields.present("until_ms") != nil else { return .sleep(try alarm()) }
      return .sleepUntil(try alarm(), try fields.instant("until_ms"))
    }
    if word == "inside" { return .acknowledgeInside(try alarm()) }
    if word == "today" { return .acknowledgeForToday(try alarm(), until: try fields.instant("until_ms")) }
    throw .field(.init("command", .unknownWord))
  }

  /// Reads zones before `replace_zones`, some at a time, so that a large edit does not block the page. With
  /// `first` the zones staged before are removed.
  mutating func stageZones(_ fields: Fields) throws(Refusal) -> PageValue {
    let (zones, refused) = try fields.zones("zones")
    if try fields.asked(bool: "first") == true { (staged, stagedRefused) = ([], []) }
    staged += zones
    stagedRefused += refused
    return .map([.init("staged", .integer(Int64(staged.count + stagedRefused.count)))])
  }

  /// Replaces the watched zones. With `staged` the staged zones are added to those given; with `others` the
  /// zones watched stay and need not be sent again.
  mutating func replaceZones(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    var (zones, refused) = try fields.zones("zones")
    let former = try opened().watched
    if try fields.asked(bool: "staged") == true {
      zones += staged
      refused += stagedRefused
      stagedRefused = []
      staged = []
    }
    refusedForms = refused
    let others = try fields.asked(bool: "others") == true
    let next =
      others
      ? WatchedZones(editing: former, putting: zones)
      : WatchedZones(zones, defaultRadius: settings.defaultRadius, replacing: former)
    return apply(.replaceZones(next), at: now)
  }

  private mutating func apply(_ command: Command, at now: Instant) -> PageValue {
    var change = timeline!.insert([.command(command, at: now)])
    let passed = timeline!.advance(to: now)
    change.added += passed.added
    change.retracted += passed.retracted
    return report(change, at: now)
  }

  mutating func changeVisibility(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    guard let visible = try fields.asked(bool: "visible") else { throw .field(.init("visible", .missing)) }
    _ = try opened()
    let change = timeline!.advance(to: now)
    isHidden = !visible
    return report(change, at: now)
  }
}

extension FixRow.Refusal {
  var word: Text {
    switch self {
    case .latitude: "latitude"
    case .longitude: "longitude"
    case .accuracy: "accuracy"
    case .measuredAt: "measured_at"
    case .receivedAt: "received_at"
    }
  }
}
