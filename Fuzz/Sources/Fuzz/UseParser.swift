import AlarmEngine
import Formats
import Foundation
import Geometry

extension Parser {
  /// Checks that whatever a reader accepts can be used: by a timeline, with fixes in the zones, at their
  /// edges and far away, with commands, passing time, edits, snapshots and clock changes. The first line
  /// selects the reader (``Accepted``), the settings and the steps, with a byte or two each; the other lines
  /// are the reader's input.
  @Sendable static func use(_ bytes: [UInt8]) {
    var script = Script(bytes.prefix { $0 != 10 })
    let text = Array(bytes.drop { $0 != 10 }.dropFirst())
    guard let accepted = Accepted(reader: script.byte(), text) else { return }
    var use = Use(accepted, &script)
    for _ in 0..<40 where !script.isAtEnd { use.step(&script) }
    use.finish()
  }
}

/// The bytes that select the steps, followed by endless zeros.
struct Script {
  private var bytes: ArraySlice<UInt8>
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
  var isAtEnd: Bool { bytes.isEmpty }
  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
  mutating func one<Value>(of values: [Value]) -> Value { values[Int(byte()) % values.count] }
}

/// One device with the accepted zones, fixes and reminders, and the properties that must hold for any input.
struct Use {
  static let today = Instant(millisecondsSince1970: 1_790_000_000_000)
  private static let device = DeviceID(rawValue: 0xd1)
  private static let first = Instant.allowed.lowerBound
  private static let last = Instant.allowed.upperBound

  private let accepted: Accepted
  private let settings: Settings
  private let watched: WatchedZones
  private let places: [Coordinate]
  private var timeline: Timeline
  private var list: ReminderList
  private var watch: Watch
  private var now: Instant
  /// The number of fixes taken from `accepted.fixes` so far.
  private var taken = 0
  /// All inputs in the order of arrival; nil once the past is incomplete, because inputs were forgotten or
  /// the clock was set.
  private var inputs: [Input]? = []
  private var told: [Event: Int] = [:]

  init(_ accepted: Accepted, _ script: inout Script) {
    self.accepted = accepted
    settings = Self.settings(&script)
    watched = WatchedZones(accepted.zones, defaultRadius: settings.defaultRadius)
    let named = Set(watched.zones.map { $0.id }).union(watched.refused.map { $0.zone })
    expect(
      accepted.zones.allSatisfy { named.contains($0.id) }, "a zone is neither watched nor refused")
    places = Self.places(accepted)
    timeline = Timeline(device: Self.device, settings: settings, watched: watched)
    list = ReminderList(accepted.reminders, settings: settings)
    watch = Watch(script.one(of: WatchPolicyName.allCases))
    now = script.one(of: [
      accepted.fixes.first?.measuredAt ?? Self.today, Self.today, Instant(millisecondsSince1970: 0),
      Self.first, Self.last - .hours(1),
    ])
    let capabilities = script.one(of: [Capabilities.timed, .suspended, .visibleOnly])
    tellWatch(.started(.person, capabilities: capabilities, lastKnown: nil))
  }

  /// Returns settings of which up to two are at their minimum, maximum or default.
  private static func settings(_ script: inout Script) -> Settings {
    var settings = Settings.phone
    // Few repeats, so that simulating years is fast.
    try? settings.set(.repeatHorizon, to: RangedField.repeatHorizon.allowed.lowerBound)
    let fields: [RangedField] = [
      .alarmCycle, .defaultSleep, .defaultRadius, .maximumSpeed, .unstatedAccuracy, .dangerMargin,
      .signalTimeout,
    ]
    for _ in 0..<2 {
      let choice = script.byte()
      guard Int(choice & 7) < fields.count else { continue }
      let field = fields[Int(choice & 7)]
      let allowed = field.allowed
      let numbers = [allowed.lowerBound, allowed.upperBound, field.byDefault ?? allowed.lowerBound]
      try? settings.set(field, to: numbers[Int(choice >> 4) % 3])
    }
    return settings
  }

  /// Returns places in each zone, at its edge, at its alert distance, and far away.
  private static func places(_ accepted: Accepted) -> [Coordinate] {
    var places = accepted.fixes.prefix(3).map { $0.position }
    func add(_ vertex: Coordinate, _ azimuth: Double, _ metres: Double) {
      places.append(
        Geodesic.destination(
          from: vertex, azimuth: .degrees(azimuth), distance: .metres(max(0, min(2e7, metres)))))
    }
    for zone in accepted.zones {
      let vertices: ArraySlice<Coordinate>
      switch zone.outline {
      case .locations(let all), .path(let all): vertices = all.prefix(2)
      case .area(let polygon): vertices = polygon.parts[0].outer.vertices.prefix(2)
      }
      for vertex in vertices {
        let edge = (zone.size?.metres ?? 50) - zone.inset.metres
        places.append(vertex)
        add(vertex, 90, edge)
        add(vertex, 200, edge + zone.alertDistance.metres)
        add(vertex, 310, edge + zone.alertDistance.metres + 300)
        add(vertex, 45, 1e7)
      }
    }
    places += accepted.reminders.flatMap { $0.places.prefix(2).map { $0.coordinate } }
    return places.isEmpty ? [Coordinate(latitude: .degrees(90), longitude: .degrees(180))] : places
  }

  // MARK: Steps

  mutating func step(_ script: inout Script) {
    switch script.byte() % 16 {
    case 0, 1, 2, 3: take([.fix(fix(&script))])
    case 4: takeRead(Int(script.byte() % 8) + 1)
    case 5, 6: pass(script.one(of: Self.spans))
    case 7: runToDue()
    case 8, 9: answer(&script)
    case 10: take([.command(script.byte() % 2 == 0 ? .deactivate : .activate, at: now)])
    case 11: edit(&script)
    case 12: forget(keeping: Int(script.byte() % 4))
    case 13: restore()
    case 14: setClock(script.one(of: Self.spans), back: script.byte() % 2 == 0)
    default: look(&script)
    }
  }

  private static let spans: [TimeSpan] = [
    .zero, .milliseconds(1), .seconds(1), .seconds(5), .seconds(11), .seconds(70), .minutes(10), .hours(8),
    .hours(30), .hours(24 * 400),
  ]

  private mutating func fix(_ script: inout Script) -> Fix {
    let position = script.one(of: places)
    let detail = script.byte()
    let accuracy: Fix.Accuracy =
      switch detail & 7 {
      case 0: .unstated
      case 1: .radius(.metres(-1))
      case 2: .radius(.zero)
      case 3: .radius(.metres(2000))
      case 4: .radius(.metres(.greatestFiniteMagnitude))
      default: .radius(.metres(5))
      }
    let measuredAt =
      switch detail >> 3 & 7 {
      case 0: max(Self.first, now - .minutes(30))
      case 1: max(Self.first, now - .seconds(7))
      case 2: script.one(of: [Self.first, Self.last, Self.today])
      default: now
      }
    let receivedAt =
      switch detail >> 6 {
      case 0: script.one(of: [Self.first, Self.last, now])
      default: measuredAt
      }
    let speed = detail & 0x80 == 0 ? nil : script.one(of: [0, 1.5, 340, 1e300])
    return Fix(
      position: position, accuracy: accuracy, measuredAt: measuredAt, receivedAt: receivedAt,
      speed: speed.map { .metresPerSecond($0) }, course: speed.map { _ in .degrees(350) },
      altitude: speed.flatMap {
        Altitude(metres: $0 * 10, error: detail & 1 == 0 ? nil : 30, reference: .unknown)
      })
  }

  private mutating func take(_ new: [Input]) {
    inputs? += new
    tell(timeline.insert(new))
    for case .fix(let fix) in new {
      _ = list.step(.fix(fix))
      tellWatch(.fix(fix))
    }
  }

  /// Inserts the next fixes from the input, all at once.
  private mutating func takeRead(_ count: Int) {
    let fixes = accepted.fixes.dropFirst(taken).prefix(count)
    taken += fixes.count
    take(fixes.map { .fix($0) })
    if let latest = fixes.map({ $0.measuredAt }).max() { now = max(now, min(Self.last, latest)) }
  }

  private mutating func pass(_ span: TimeSpan) {
    now = min(Self.last, now + span)
    tell(timeline.advance(to: now))
    expect(timeline.nextDue.map { $0 > now } ?? true, "what is due has not happened")
    _ = list.step(.advance(to: now))
    tellWatch(.timer)
  }

  private mutating func runToDue() {
    for _ in 0..<3 {
      guard let due = timeline.nextDue, due <= Self.last else { return }
      tell(timeline.advance(to: due))
      expect(timeline.nextDue.map { $0 > due } ?? true, "what is due has not happened")
      now = max(now, due)
    }
    if let due = list.nextWake { _ = list.step(.advance(to: due)) }
    tellWatch(.timer)
  }

  private mutating func answer(_ script: inout Script) {
    let until = script.one(of: [now + .hours(1), now, Self.first, Self.last, now + .hours(24 * 400)])
    for (_, state) in timeline.states {
      let alarm: AlarmID
      switch state {
      case .ringing(let id, _), .asleep(let id, _), .acknowledged(let id): alarm = id
      case .idle, .confirming, .dwelling, .present: continue
      }
      take([
        .command(
          script.one(of: [
            .close(alarm), .sleep(alarm), .sleepUntil(alarm, until), .acknowledgeInside(alarm),
            .acknowledgeForToday(alarm, until: until),
          ]), at: now)
      ])
    }
    guard let reminder = accepted.reminders.first?.id else { return }
    _ = list.step(
      .command(
        script.one(of: [
          .snooze(reminder, until: until), .complete(reminder), .restart(reminder), .remove(reminder),
          .toggleItem(reminder, index: Int(script.byte()) - 2),
        ]), at: now))
  }

  /// Replaces the zones by some of them, or by all.
  private mutating func edit(_ script: inout Script) {
    let choice = script.byte()
    let zones = accepted.zones.enumerated().filter { choice >> ($0.offset & 7) & 1 == 0 }.map { $0.element }
    let next =
      zones.count == accepted.zones.count
      ? watched : WatchedZones(zones, defaultRadius: settings.defaultRadius, replacing: timeline.watched)
    take([.command(.replaceZones(next), at: now)])
    tellWatch(.zonesChanged)
  }

  private mutating func forget(keeping most: Int) {
    timeline.forget(keeping: most)
    inputs = nil
  }

  private mutating func restore() {
    let bytes = timeline.snapshot()
    let sets = [watched, timeline.watched] + (inputs ?? []).compactMap { $0.zones }
    // The timeline may still refer to a set of zones that is no longer available here.
    guard timeline.zoneRevisions.allSatisfy({ revision in sets.contains { $0.revision == revision } })
    else { return }
    guard
      let restored = try? Timeline(
        snapshot: bytes, device: Self.device, settings: settings,
        zones: { revision in sets.first { $0.revision == revision } })
    else { preconditionFailure("a snapshot cannot be read") }
    expect(restored.snapshot() == bytes, "a snapshot changes when it is saved again")
    // Times beyond the allowed range are saved as its end. This makes a difference only near the end.
    if timeline.through ?? now < Self.last - .hours(24 * 1000) {
      expect(
        restored.nextDue.map { min(Self.last, $0) } == timeline.nextDue.map { min(Self.last, $0) },
        """
        what is due gets lost in a snapshot: \(timeline.nextDue as Any) is \(restored.nextDue as Any) now
        \(timeline.states)
        \(restored.states)
        """)
    }
    timeline = restored
  }

  private mutating func setClock(_ span: TimeSpan, back: Bool) {
    let by = back ? .zero - span : span
    now = min(Self.last, max(Self.first, now + by))
    timeline.clockJumped(by: by, at: now)
    _ = list.step(.clockJumped(by: by, at: now))
    tellWatch(.clockJumped(by: by))
    if by != .zero { inputs = nil }
  }

  private mutating func look(_ script: inout Script) {
    let place = script.one(of: places)
    let surroundings = timeline.surroundings(at: now)
    _ = surroundings.nearest(3, to: place)
    _ = surroundings.nearestEdges(2, to: place)
    _ = watch.guarantees(zones: surroundings)
    for zone in timeline.zones {
      _ = timeline.timeToEntry(of: zone.id)
      _ = timeline.standing(of: zone.id)
      for record in timeline.explanations(of: zone.id, in: Self.first...Self.last) {
        expect(
          record.replayed() == record.verdict, "a decision is explained otherwise than it was taken")
      }
    }
    switch script.byte() % 4 {
    case 0: tellWatch(.fenceExited(.movement))
    case 1: tellWatch(.visitDeparted(place))
    case 2: tellWatch(.motion(.driving))
    default: tellWatch(.fixFailed)
    }
  }

  private mutating func tellWatch(_ event: WatchEvent) {
    _ = watch.handle(event, at: now, zones: timeline.surroundings(at: now))
  }

  private mutating func tell(_ change: Timeline.Change) {
    for event in change.added { told[event, default: 0] += 1 }
    for event in change.retracted { told[event, default: 0] -= 1 }
  }

  // MARK: Final checks

  mutating func finish() {
    pass(.hours(1))
    let bytes = EventBytes.encode(timeline.events)
    expect((try? EventBytes.decode(bytes)) == timeline.events, "events cannot be read back")
    if let inputs { compare(inputs) }
    restore()
    forget(keeping: 0)
    restore()
    for format in ZoneFormat.allCases { _ = try? format.encode(accepted.zones) }
    _ = OwnTracksFences(zones: accepted.zones, near: places[0], speed: settings.maximumSpeed).file
  }

  /// Checks that the reported changes add up to the timeline's events, and that another order of arrival
  /// gives the same events.
  private func compare(_ inputs: [Input]) {
    var happened: [Event: Int] = [:]
    for event in timeline.events { happened[event, default: 0] += 1 }
    expect(told.filter { $0.value != 0 } == happened, "what was told is not what happened")
    var again = Timeline(device: Self.device, settings: settings, watched: watched)
    again.advance(to: now)
    for input in inputs.filter({ !$0.isFix }) + inputs.filter({ $0.isFix }).reversed() {
      again.insert([input])
    }
    again.advance(to: now)
    expect(
      again.events == timeline.events,
      """
      another order of arrival gives other events, after
      \(inputs.map { "\($0)" }.joined(separator: "\n"))
      they were
      \(timeline.events.map { "\($0)" }.joined(separator: "\n"))
      and are
      \(again.events.map { "\($0)" }.joined(separator: "\n"))
      """)
  }
}

/// A precondition that prints its message in release builds, too.
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if holds { return }
  FileHandle.standardError.write(Data((message() + "\n").utf8))
  preconditionFailure()
}

extension Input {
  fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
  fileprivate var zones: WatchedZones? {
    if case .command(.replaceZones(let zones), _) = self { zones } else { nil }
  }
}
