import AlarmEngine
import Geometry
import TestSupport

/// The steps of a server on a device's timeline, made from a seed: fixes late, twice and out of order,
/// answers to alarms that ring, are over or never existed, edits of the zones, time passing, forgetting,
/// saving.
struct TimelineScript {
  enum Step {
    case insert([Input])
    case advance(Instant)
    case forget(before: Instant, keeping: Int)
    case restore
  }

  let fixes: [Fix]
  let timeline: Timeline
  private let settings: Settings
  private let sets: [WatchedZones]
  private var waiting: [Input]
  private var random: SeededGenerator
  private var time = AlarmStory.start
  private static let device = DeviceID(rawValue: 7)

  init(seed: UInt64) {
    let journey = RandomJourney(seed: seed)
    random = SeededGenerator(seed: seed ^ 0x5eed)
    var settings = AlarmStory.quietSettings
    if seed % 2 == 0 {
      settings.change(.alarmCycle, to: 10)
      settings.change(.signalTimeout, to: 60)
    }
    self.settings = settings
    fixes = journey.fixes
    sets = Self.sets(from: journey.zones, &random)
    timeline = Timeline(device: Self.device, settings: settings, watched: sets[0])
    waiting = journey.inputs
    // Some inputs are slightly out of order, some much later, some twice.
    for place in waiting.indices where random.next() % 5 == 0 {
      let other = min(waiting.count - 1, place + Int(random.next() % (random.next() % 8 == 0 ? 60 : 4)))
      waiting.swapAt(place, other)
    }
    for fix in fixes where random.next() % 6 == 0 {
      waiting.insert(.fix(fix), at: Int.random(in: 0...waiting.count, using: &random))
    }
    waiting.reverse()
  }

  func restored(_ bytes: [UInt8]) throws(SnapshotError) -> Timeline {
    try Timeline(snapshot: bytes, device: Self.device, settings: settings) { revision in
      sets.first { $0.revision == revision }
    }
  }

  /// - Parameter timeline: the timeline whose alarms are answered.
  mutating func next(after timeline: Timeline) -> Step? {
    guard !waiting.isEmpty else { return nil }
    switch random.next() % 10 {
    case 0, 1: return .restore
    case 2: return .advance(time + .seconds(random.double(in: -60...90)))
    case 3:
      return .forget(
        before: time - .seconds(random.double(in: -30...300)),
        keeping: random.next() % 2 == 0 ? Int(random.next() % 12) : .max)
    default: return .insert(batch(timeline))
    }
  }

  private mutating func batch(_ timeline: Timeline) -> [Input] {
    var batch: [Input] = []
    for _ in 0...(random.next() % 6) {
      guard let input = waiting.popLast() else { break }
      time = max(time, input.time)
      batch.append(input)
    }
    if random.next() % 3 == 0 {
      let answer = self.answer(timeline)
      batch.append(answer)
      if random.next() % 2 == 0 { waiting.insert(answer, at: max(0, waiting.count - 3)) }
    }
    if random.next() % 9 == 0, let zones = sets.randomElement(using: &random) {
      batch.append(.command(.replaceZones(zones), at: moment()))
    }
    return batch.shuffled(using: &random)
  }

  private mutating func moment() -> Instant { time - .seconds(random.double(in: -5...40)) }

  private mutating func answer(_ timeline: Timeline) -> Input {
    let known = timeline.events.compactMap { event -> AlarmID? in
      guard case .alarm(let report) = event.kind else { return nil }
      return report.alarm
    }
    let alarm = known.suffix(3).randomElement(using: &random) ?? AlarmID(rawValue: random.next())
    let command: Command =
      switch random.next() % 5 {
      case 0: .close(alarm)
      case 1: alarm.rawValue % 2 == 0 ? .sleep(alarm) : .sleepUntil(alarm, time + .seconds(100))
      case 2: .acknowledgeInside(alarm)
      case 3: .acknowledgeForToday(alarm, until: moment() + .seconds(200))
      default: random.next() % 2 == 0 ? .deactivate : .activate
      }
    return .command(command, at: moment())
  }

  /// Sets of zones, each an edit of the previous one: a zone removed, one redrawn, one renamed, one added.
  private static func sets(from zones: [Zone], _ random: inout SeededGenerator) -> [WatchedZones] {
    var sets = [WatchedZones(zones)]
    var zones = zones
    for number in 1...3 as ClosedRange<UInt64> {
      zones.remove(at: Int.random(in: 0..<zones.count, using: &random))
      let redrawn = Int.random(in: 0..<zones.count, using: &random)
      zones[redrawn].change { $0.alertDistance = .metres(random.double(in: 0...200)) }
      zones[Int.random(in: 0..<zones.count, using: &random)].change { $0.name = Text("renamed \(number)") }
      zones.append(
        AlarmStory.circle("new", radius: 150, east: random.double(in: -800...800), id: 100 + number))
      sets.append(WatchedZones(zones, replacing: sets.last))
    }
    return sets
  }
}
