import AlarmEngine
import Geometry

/// Uses zones and reminders that a reader has accepted as roughly as phones and people can: with fixes around
/// them of any accuracy, speed and time, late ones too, every answer to every alarm, edits, snapshots, and
/// time that passes to the end of a clock's range.
///
/// Nothing may trap. Other faults are returned: a zone that is neither watched nor refused, an event without
/// bytes, a snapshot that cannot be read, a good zone next to the others that does not ring.
/// has no bytes, a snapshot that cannot be read, a good zone beside the others that does not ring.
public struct RoughUse {
  private var random: SeededGenerator
  private var settings: Settings

  /// - Parameter settings: alarms repeat only a few times, so that years can pass in a moment.
  public init(seed: UInt64, settings: Settings = .phone) {
    random = SeededGenerator(seed: seed)
    self.settings = settings
    if settings.repeatHorizon > .minutes(10) { self.settings.change(.repeatHorizon, to: 600) }
  }

  private static let device = DeviceID(rawValue: 0xd1)
  private static let first = Instant.allowed.lowerBound
  private static let last = Instant.allowed.upperBound
  private static let today = Instant(millisecondsSince1970: 1_795_000_000_000)

  /// - Returns: the fault; nil if there is none.
  public mutating func problem(with zones: [Zone], reminders: [Reminder] = []) -> String? {
    if let problem = problemBeside(zones) { return problem }
    let watched = WatchedZones(zones, defaultRadius: settings.defaultRadius)
    let named = Set(watched.zones.map { $0.id }).union(watched.refused.map { $0.zone })
    if let lost = zones.first(where: { !named.contains($0.id) }) {
      return "zone \(lost.id) is neither watched nor refused"
    }
    let starts = [
      Self.first, Instant(millisecondsSince1970: 0), Self.today, Self.last - .hours(1), Self.last,
    ]
    for _ in 0..<2 {
      let start = starts[Int(random.next() % 5)]
      if let problem = problem(watched, reminders, from: start) { return problem }
    }
    return nil
  }

  /// Checks that a good zone among the others rings as it would alone.
  private func problemBeside(_ zones: [Zone]) -> String? {
    let place = Coordinate(latitude: .degrees(47.5), longitude: .degrees(11))
    let id = ZoneID(rawValue: 0x600d)
    guard zones.allSatisfy({ $0.id != id }) else { return nil }
    let good = Zone.valid(id: id, name: "Good", size: .metres(100), outline: .locations([place]))
    var timeline = Timeline(device: Self.device, settings: settings, zones: zones + [good])
    let change = timeline.insert([
      .fix(Fix(position: place, accuracy: .radius(.metres(5)), measuredAt: Self.today))
    ])
    let rang = change.added.contains { event in
      if case .alarm(let report) = event.kind { report.zone == id } else { false }
    }
    return rang ? nil : "a good zone beside the others does not ring"
  }

  private mutating func problem(
    _ watched: WatchedZones, _ reminders: [Reminder], from start: Instant
  ) -> String? {
    var timeline = Timeline(device: Self.device, settings: settings, watched: watched)
    var list = ReminderList(reminders, settings: settings)
    var watch = CertifiedWatch()
    let places = places(of: Array(watched.zones), reminders)
    var now = start
    for _ in 0..<10 {
      let fix = fix(at: places[Int(random.next() % UInt64(places.count))], now)
      timeline.insert([.fix(fix)])
      _ = list.step(.fix(fix))
      _ = watch.handle(.fix(fix), at: now, zones: timeline.surroundings(at: now))
      answer(&timeline, at: now)
      snooze(&list, reminders, at: now)
      look(timeline, at: now)
      switch random.next() % 6 {
      case 0: timeline.advance(to: timeline.nextDue ?? now)
      case 1: timeline.forget(keeping: Int(random.next() % 3))
      case 2: timeline.insert([.command(.replaceZones(watched), at: now)])
      case 3:
        if let problem = restore(&timeline, watched) { return problem }
      default: break
      }
      let spans: [TimeSpan] = [
        .zero, .milliseconds(1), .seconds(1), .seconds(11), .seconds(70), .minutes(10), .hours(30),
        .seconds(1e9),
      ]
      now = min(Self.last, now + spans[Int(random.next() % 8)])
    }
    timeline.advance(to: Self.last)
    _ = list.step(.advance(to: Self.last))
    if let problem = restore(&timeline, watched) { return problem }
    let told = EventBytes.encode(timeline.events)
    guard let again = try? EventBytes.decode(told), again == timeline.events else {
      return "events cannot be read back"
    }
    return nil
  }

  private mutating func places(of zones: [Zone], _ reminders: [Reminder]) -> [Coordinate] {
    var places: [Coordinate] = []
    for zone in zones.prefix(4) {
      switch zone.outline {
      case .locations(let all), .path(let all): places += all.prefix(2)
      case .area(let polygon): places += polygon.parts[0].outer.vertices.prefix(2)
      }
    }
    for reminder in reminders.prefix(2) { places += reminder.places.prefix(2).map { $0.coordinate } }
    for place in places.prefix(4) {
      places.append(random.coordinate(near: place, within: [10, 1000, 1e5, 1e7][Int(random.next() % 4)]))
    }
    return places.isEmpty ? [random.awkwardCoordinate()] : places
  }

  private mutating func fix(at place: Coordinate, _ now: Instant) -> Fix {
    let accuracy: Fix.Accuracy =
      switch random.next() % 4 {
      case 0: .unstated
      case 1: .radius(.metres(random.extremeNumber()))
      default: .radius(.metres([0, 5, 80, 2000][Int(random.next() % 4)]))
      }
    let measuredAt =
      switch random.next() % 8 {
      case 0: max(Self.first, now - .minutes(30))
      case 1: clamped(random.extremeInteger())
      default: now
      }
    let speed = random.extremeNumber()
    return Fix(
      position: place, accuracy: accuracy, measuredAt: measuredAt,
      receivedAt: random.next() % 4 == 0 ? clamped(random.extremeInteger()) : measuredAt,
      speed: speed >= 0 ? .metresPerSecond(speed) : nil, course: .degrees(random.extremeNumber()),
      altitude: random.next() % 2 == 0
        ? nil
        : Altitude(
          metres: random.extremeNumber(), error: random.next() % 2 == 0 ? nil : random.extremeNumber(),
          reference: .unknown))
  }

  private func clamped(_ milliseconds: Int64) -> Instant {
    min(Self.last, max(Self.first, Instant(millisecondsSince1970: milliseconds)))
  }

  private mutating func answer(_ timeline: inout Timeline, at now: Instant) {
    for (_, state) in timeline.states {
      let alarm: AlarmID
      switch state {
      case .ringing(let id, _), .asleep(let id, _), .acknowledged(let id): alarm = id
      case .idle, .confirming, .dwelling, .present: continue
      }
      let until = clamped(random.extremeInteger())
      let commands: [Command] = [
        .close(alarm), .sleep(alarm), .sleepUntil(alarm, until), .acknowledgeInside(alarm),
        .acknowledgeForToday(alarm, until: until), .deactivate, .activate,
      ]
      timeline.insert([.command(commands[Int(random.next() % 7)], at: now)])
    }
    if !timeline.armed { timeline.insert([.command(.activate, at: now)]) }
  }

  private mutating func snooze(_ list: inout ReminderList, _ reminders: [Reminder], at now: Instant) {
    guard let reminder = reminders.first else { return }
    _ = list.step(.command(.snooze(reminder.id, until: clamped(random.extremeInteger())), at: now))
    _ = list.step(.advance(to: list.nextWake ?? now))
    for choice in ReminderSnooze.allCases { _ = choice.until(from: now, offsets: []) }
  }

  private mutating func look(_ timeline: Timeline, at now: Instant) {
    let surroundings = timeline.surroundings(at: now)
    if let position = timeline.position { _ = surroundings.nearest(3, to: position.position) }
    for zone in timeline.zones.prefix(3) {
      _ = timeline.timeToEntry(of: zone.id)
      _ = timeline.standing(of: zone.id)
    }
    guard random.next() % 8 == 0, let zone = timeline.zones.first else { return }
    for record in timeline.explanations(of: zone.id, in: Self.first...Self.last) { _ = record.replayed() }
  }

  private func restore(_ timeline: inout Timeline, _ watched: WatchedZones) -> String? {
    timeline.forget(keeping: 0)
    let bytes = timeline.snapshot()
    guard
      let restored = try? Timeline(
        snapshot: bytes, device: Self.device, settings: settings,
        zones: { $0 == watched.revision ? watched : nil })
    else { return "a snapshot cannot be read" }
    guard restored.snapshot() == bytes else { return "a snapshot changes when it is saved again" }
    timeline = restored
    return nil
  }
}
