import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Companion alarm")
struct CompanionAlarmTests {
  private let story = CompanionStory()

  @Test func `two who come together ring once, and clear when they part`() throws {
    var alarm = story.alarm(try CompanionStory.rules())
    // Anna stands still; I come from 2 km away at 10 m/s, stay a minute and leave again.
    var own: [Fix] = []
    var hers: [Fix] = []
    for step in 0...60 {
      let time = Double(step) * 10
      let far = step <= 20 ? 2000 - Double(step) * 100 : step <= 26 ? 0 : Double(step - 26) * 100
      own.append(story.fix(time, east: far))
      if step % 2 == 0 { hers.append(story.fix(time + 3, east: 0, north: 5)) }
    }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(620))
    #expect(alarm.rung.count == 1 && alarm.cleared == 1 && alarm.ringing == nil)
    let rung = try #require(alarm.rung.first)
    // The distance of 500 m is reached at 150 s.
    #expect(abs((rung.at - CompanionStory.at(150)).seconds) <= 10)
    #expect(rung.distance <= .metres(520))
  }

  @Test func `who are together when the alarm is set ring at once`() throws {
    var alarm = story.alarm(try CompanionStory.rules(), begins: 100)
    let change = alarm.judge(
      watcher: [story.fix(60, east: 0)], target: [story.fix(80, east: 100)], through: CompanionStory.at(100))
    #expect(change.added.count == 1 && alarm.rung.first?.at == CompanionStory.at(100))
  }

  @Test(arguments: [Assurance.normal, .safety])
  func `two who pass each other between fixes ring`(assurance: Assurance) throws {
    var alarm = story.alarm(try CompanionStory.rules(.within, metres: 300, assurance))
    // Two cars at 25 m/s each on one road, 1,500 m apart at 60 s and again at 90 s.
    let own = (0...6).map { story.fix(Double($0) * 30, east: Double($0) * 750) }
    let hers = (0...6).map { story.fix(Double($0) * 30, east: 3750 - Double($0) * 750, north: 40) }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(200))
    #expect(alarm.rung.count == 1)
    let rung = try #require(alarm.rung.first)
    // They approach at 50 m/s and meet at 75 s; they are 300 m apart 6 s earlier.
    if assurance == .normal {
      #expect(rung.cause == .passed && abs(rung.distance.metres - 40) <= 1)
      #expect(abs((rung.at - CompanionStory.at(69)).seconds) <= 1)
    } else {
      // The first of the two fixes at 90 s already rings: it does not exclude that they are near.
      #expect(CompanionStory.at(68) <= rung.at && rung.at <= CompanionStory.at(90))
    }
    #expect(alarm.ringing == nil, "they are far apart again")
  }

  @Test func `fixes that come at different times are compared at one time`() throws {
    var alarm = story.alarm(try CompanionStory.rules(.within, metres: 300))
    // Two cars, one 1,000 m behind the other, at 20 m/s. Without extrapolation, fixes 40 s old would seem
    // near.
    let own = (0...20).map { story.fix(Double($0) * 80, east: Double($0) * 1600, speed: 20) }
    let hers = (0...20).map { story.fix(Double($0) * 80 + 40, east: Double($0) * 1600 + 1800, speed: 20) }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(1700))
    #expect(alarm.rung.isEmpty)
  }

  @Test func `the errors of both count`() throws {
    func rings(_ assurance: Assurance, _ radius: Double) throws -> Bool {
      var alarm = story.alarm(try CompanionStory.rules(.within, metres: 500, assurance))
      let own = (0...2).map { story.fix(Double($0) * 10, east: 0, radius: radius) }
      let hers = (0...2).map { story.fix(Double($0) * 10, east: 560, radius: radius) }
      alarm.judge(watcher: own, target: hers, through: CompanionStory.at(60))
      return !alarm.rung.isEmpty
    }
    #expect(try !rings(.safety, 5))
    // 60 m beyond: within the errors of two fixes of 40 m, but not of one.
    #expect(try rings(.safety, 40))
    #expect(try !rings(.relaxed, 40))
  }

  @Test func `who travel together have not parted, and who part ring`() throws {
    for assurance in [Assurance.safety, .normal, .relaxed] {
      var alarm = story.alarm(try CompanionStory.rules(.apart, metres: 500, assurance))
      // Both in one car at 30 m/s for 20 minutes; the phones report 30 s apart.
      var own = (0...20).map { story.fix(Double($0) * 60, east: Double($0) * 1800, speed: 30) }
      var hers = (0...20).map { story.fix(Double($0) * 60 + 30, east: Double($0) * 1800 + 900, speed: 30) }
      alarm.judge(watcher: own, target: hers, through: CompanionStory.at(1240))
      #expect(alarm.rung.isEmpty, "\(assurance)")
      own += (21...26).map { story.fix(Double($0) * 60, east: Double($0) * 1800, speed: 30) }
      hers += (21...26).map { story.fix(Double($0) * 60 + 30, east: 36900, speed: 0) }
      alarm.judge(watcher: own, target: hers, through: CompanionStory.at(1600))
      #expect(alarm.rung.map { $0.cause } == [.left], "\(assurance)")
    }
  }

  @Test func `who were never together have not parted`() throws {
    var alarm = story.alarm(try CompanionStory.rules(.apart))
    let own = (0...9).map { story.fix(Double($0) * 30, east: Double($0) * 100) }
    let hers = (0...9).map { story.fix(Double($0) * 30, east: 5000) }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(300))
    #expect(alarm.rung.isEmpty)
  }

  @Test func `a silent device is unknown after the horizon, and known with its next fix`() throws {
    var alarm = story.alarm(try CompanionStory.rules(horizon: .minutes(10)))
    let own = (0...20).map { story.fix(Double($0) * 60, east: 5000) }
    alarm.judge(watcher: Array(own[...5]), target: [story.fix(0, east: 0)], through: CompanionStory.at(599))
    #expect(alarm.unknown == nil)
    #expect(alarm.nextDue == CompanionStory.at(600))
    alarm.judge(watcher: own, target: [story.fix(0, east: 0)], through: CompanionStory.at(1200))
    #expect(alarm.unknown?.side == .target && alarm.unknown?.since == CompanionStory.at(0))
    alarm.judge(
      watcher: own, target: [story.fix(0, east: 0), story.fix(1190, east: 0)],
      through: CompanionStory.at(1200))
    #expect(alarm.unknown == nil)
  }

  @Test func `a device that never reported is unknown since the alarm was set`() throws {
    var alarm = story.alarm(try CompanionStory.rules(horizon: .minutes(10)))
    alarm.judge(watcher: [story.fix(590, east: 0)], target: [], through: CompanionStory.at(600))
    #expect(alarm.unknown?.side == .target && alarm.apart == nil)
  }

  @Test(arguments: [(0.0, 179.9999), (0.0, -179.9999), (89.9999, 10), (-89.9999, -100), (90, 0)])
  func `poles and the antimeridian are as any other place`(latitude: Double, longitude: Double) throws {
    var story = story
    story.origin = Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
    var alarm = story.alarm(try CompanionStory.rules(.within, metres: 300))
    let own = (0...6).map { story.fix(Double($0) * 30, east: Double($0) * 750 - 1875) }
    let hers = (0...6).map { story.fix(Double($0) * 30, east: 1875 - Double($0) * 750, north: 40) }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(200))
    #expect(alarm.rung.map { $0.cause } == [.passed])
    #expect(abs((alarm.rung.first?.distance.metres ?? 0) - 40) <= 1)
  }

  @Test(arguments: Seeds.few(6))
  func `watcher and target exchanged have the same times and distances`(seed: Int) throws {
    let (own, hers) = story.walks(seed: seed)
    var one = story.alarm(try CompanionStory.rules())
    var other = story.alarm(try CompanionStory.rules())
    let end = CompanionStory.at(7200)
    one.judge(watcher: own, target: hers, through: end)
    other.judge(watcher: hers, target: own, through: end)
    #expect(!one.events.isEmpty, "seed \(seed)")
    #expect(one.rung.map { $0.at } == other.rung.map { $0.at }, "seed \(seed)")
    for (a, b) in zip(one.rung, other.rung) {
      #expect(abs(a.distance.metres - b.distance.metres) < 1e-6, "seed \(seed)")
    }
  }

  @Test(arguments: Seeds.few(8))
  func `whatever order fixes come in, the events are the same, and changes add up to them`(seed: Int) throws {
    let (own, hers) = story.walks(seed: seed, seconds: 3300)
    let rules = try CompanionStory.rules(seed % 2 == 0 ? .within : .apart, metres: 400)
    var whole = story.alarm(rules)
    whole.judge(watcher: own, target: hers, through: CompanionStory.at(3300))
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xc0)
    var pieces = story.alarm(rules)
    var net = Timeline.Change()
    var waiting: [(isOwn: Bool, fix: Fix)] = own.map { (true, $0) } + hers.map { (false, $0) }
    // Swaps fixes with close neighbours, and sometimes with distant ones.
    waiting.sort { $0.fix.measuredAt < $1.fix.measuredAt }
    for place in waiting.indices {
      let far = random.next() % 9 == 0 ? 200 : 6
      waiting.swapAt(place, min(waiting.count - 1, place + Int(random.next() % UInt64(far))))
    }
    var (got, gotHers): ([Fix], [Fix]) = ([], [])
    var restored = 0
    while !waiting.isEmpty {
      for _ in 0...(random.next() % 40) {
        guard let next = waiting.popLast() else { break }
        if next.isOwn { got.append(next.fix) } else { gotHers.append(next.fix) }
      }
      let latest = max(
        got.map { $0.measuredAt }.max() ?? CompanionStory.start,
        gotHers.map { $0.measuredAt }.max() ?? CompanionStory.start)
      net.follow(with: pieces.judge(watcher: got, target: gotHers, through: latest))
      if random.next() % 3 == 0 {
        pieces = try CompanionAlarm(
          snapshot: pieces.snapshot(), rules, watcher: story.settings, target: story.settings)
        restored += 1
      }
    }
    net.follow(with: pieces.judge(watcher: got, target: gotHers, through: CompanionStory.at(3300)))
    #expect(pieces.events == whole.events, "seed \(seed)")
    #expect(Set(net.added) == Set(whole.events) && net.retracted.isEmpty, "seed \(seed)")
    #expect(restored > 0)
  }

  /// The oracle does not use the engine: it walks through both journeys second by second, on a sphere.
  @Test(arguments: Seeds.few(12))
  func `each meeting rings and nothing else, as a plain walk through both journeys says`(seed: Int) throws {
    let journeys = CompanionJourneys(seed: seed)
    var alarm = story.alarm(try CompanionStory.rules(.within, metres: 400))
    let (own, hers) = journeys.fixes(story)
    let change = alarm.judge(watcher: own, target: hers, through: CompanionStory.at(journeys.seconds))
    let apart = journeys.apart
    // Nearer by more than the rounding of the walk and the fixes. A companion that is back within 45 s was
    // not away: as with zones, an alarm ends with two fixes clearly outside.
    var meetings: [ClosedRange<Int>] = []
    for second in apart.indices where apart[second] < 395 {
      if let last = meetings.last,
        second - last.upperBound < 45 || apart[last.upperBound...second].allSatisfy({ $0 < 430 })
      {
        meetings[meetings.count - 1] = last.lowerBound...second
      } else {
        meetings.append(second...second)
      }
    }
    let times = change.added.rung.map { Int(($0.at - CompanionStory.start).seconds) }
    for meeting in meetings {
      #expect(
        times.contains { meeting.lowerBound - 15 <= $0 && $0 <= meeting.upperBound + 15 },
        "seed \(seed): no alarm for the meeting at \(meeting), alarms at \(times)")
    }
    // A position is up to 3 s old at 20 m/s.
    for time in times {
      let around = apart[max(0, time - 15)...min(apart.count - 1, time + 15)]
      #expect(around.min() ?? .infinity < 465, "seed \(seed): alarm at \(time) s with nobody near")
    }
  }

  @Test func `a long day is bounded in memory and changes nothing that is told`() throws {
    let rules = try CompanionStory.rules(.within, metres: 300)
    var alarm = story.alarm(rules)
    var whole: [Event: Int] = [:]
    var (own, hers): ([Fix], [Fix]) = ([], [])
    // Six hours in steps of 20 s; they meet every 40 minutes.
    for round in 0..<72 {
      for step in 0..<15 {
        let time = Double(round * 15 + step) * 20
        let phase = (time / 1200).truncatingRemainder(dividingBy: 2)
        own.append(story.fix(time, east: (phase < 1 ? phase : 2 - phase) * 3010))
        hers.append(story.fix(time + 7, east: 0))
      }
      let first = alarm.wantsFrom
      let change = alarm.judge(
        watcher: own.filter { $0.measuredAt >= first }, target: hers.filter { $0.measuredAt >= first },
        through: CompanionStory.at(Double(round * 15 + 14) * 20 + 7))
      for event in change.added { whole[event, default: 0] += 1 }
      for event in change.retracted { whole[event, default: 0] -= 1 }
    }
    let kept = try #require(alarm.keptFrom)
    #expect(kept > CompanionStory.at(2 * 3600))
    #expect(alarm.snapshot().count < 12_000)
    var one = story.alarm(rules)
    // All fixes at once, before anything is forgotten.
    let all = one.judge(watcher: own, target: hers, through: CompanionStory.at(6 * 3600))
    let told = whole.filter { $0.value != 0 }
    #expect(told.values.allSatisfy { $0 == 1 })
    #expect(Set(told.keys) == Set(all.added))
    #expect(
      all.added.rung.count == 10,
      "at the start, and every 40 minutes: \(all.added.rung.map { ($0.at - CompanionStory.start).seconds })")
  }

  @Test func `fixes from before what is kept change nothing`() throws {
    let rules = try CompanionStory.rules()
    var alarm = story.alarm(rules)
    let own = (0...1000).map { story.fix(Double($0) * 20, east: 9000) }
    let hers = (0...1000).map { story.fix(Double($0) * 20, east: 0) }
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(20_000))
    let kept = try #require(alarm.keptFrom)
    #expect(alarm.wantsFrom == kept)
    let change = alarm.judge(
      watcher: own + [story.fix(30, east: 10)], target: hers, through: CompanionStory.at(20_001))
    #expect(change == Timeline.Change())
  }

  @Test func `what cannot be watched is refused with what is allowed`() {
    func refusal(_ metres: Double, _ horizon: TimeSpan) -> CompanionError? {
      do throws(CompanionError) {
        _ = try CompanionRules(
          companion: CompanionStory.companion, device: CompanionStory.device, trigger: .within,
          distance: .metres(metres), assurance: .normal, horizon: horizon)
        return nil
      } catch { return error }
    }
    let (distances, horizons) = (CompanionRules.allowedDistance, CompanionRules.allowedHorizon)
    #expect(refusal(9.9, .minutes(5)) == .distanceOutOfRange(given: .metres(9.9), allowed: distances))
    #expect(refusal(1e6 + 1, .minutes(5)) == .distanceOutOfRange(given: .metres(1e6 + 1), allowed: distances))
    #expect(refusal(500, .seconds(119)) == .horizonOutOfRange(given: .seconds(119), allowed: horizons))
    #expect(refusal(10, .minutes(2)) == nil)
    #expect(refusal(1e6, .hours(24)) == nil)
  }
}

@Suite("Companion alarm as a snapshot")
struct CompanionSnapshotTests {
  private let story = CompanionStory()

  @Test func `every shorter or longer form and every changed byte is refused`() throws {
    let rules = try CompanionStory.rules()
    let (own, hers) = story.walks(seed: 3)
    var alarm = story.alarm(rules)
    for end in stride(from: 600.0, through: 7200, by: 600) {
      alarm.judge(
        watcher: own.filter { $0.measuredAt <= CompanionStory.at(end) },
        target: hers.filter { $0.measuredAt <= CompanionStory.at(end) }, through: CompanionStory.at(end))
    }
    let bytes = alarm.snapshot()
    func restored(_ bytes: [UInt8]) throws(SnapshotError) -> CompanionAlarm {
      try CompanionAlarm(snapshot: bytes, rules, watcher: story.settings, target: story.settings)
    }
    #expect(try restored(bytes).snapshot() == bytes)
    for length in 0..<bytes.count {
      #expect(throws: SnapshotError.self) { try restored(Array(bytes[..<length])) }
    }
    #expect(throws: SnapshotError.damaged) { try restored(bytes + [0]) }
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 0x40
      #expect(throws: SnapshotError.self) { try restored(other) }
    }
    let others = try CompanionRules(
      companion: CompanionID(rawValue: 1), device: CompanionStory.device, trigger: .within,
      distance: .metres(500), assurance: .normal)
    #expect(throws: SnapshotError.device(given: CompanionStory.device)) {
      try CompanionAlarm(snapshot: bytes, others, watcher: story.settings, target: story.settings)
    }
  }

  /// The checksum is valid, so that each field is read.
  @Test(arguments: Seeds.few(4))
  func `forged bytes are read or refused, and never trap`(seed: Int) throws {
    let rules = try CompanionStory.rules()
    let (own, hers) = story.walks(seed: seed)
    var alarm = story.alarm(rules)
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(7200))
    let body = Array(alarm.snapshot().dropLast(8))
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<400 {
      var forged = body
      for _ in 0...(random.next() % 3) {
        forged[1 + Int(random.next() % UInt64(forged.count - 1))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { forged.removeLast(Int(random.next() % 40)) }
      do throws(SnapshotError) {
        var read = try CompanionAlarm(
          snapshot: SnapshotForge.sealed(forged), rules, watcher: story.settings, target: story.settings)
        read.judge(
          watcher: Array(own.suffix(6)), target: Array(hers.suffix(6)), through: CompanionStory.at(7200))
      } catch { continue }
    }
  }
}

@Suite("Companion pacing")
struct CompanionPacingTests {
  private let story = CompanionStory()

  @Test func `the time is the gap over both speeds, less the errors`() {
    func quiet(_ apart: Double, _ error: Double, _ speed: Double) -> TimeSpan {
      CompanionPacing.quietTime(
        .metres(500), apart: .metres(apart), error: .metres(error), speeds: .metresPerSecond(speed),
        .metresPerSecond(speed))
    }
    #expect(quiet(5000, 100, 22) == .seconds(100))
    #expect(quiet(100, 0, 20) == .seconds(10))
    #expect(quiet(510, 20, 22) == .zero)
    #expect(quiet(5000, 100, 0) == .hours(24))
  }

  /// Both are anywhere within their errors, and each moves at its greatest speed, straight towards or away
  /// from the other.
  @Test(arguments: Seeds.few(50))
  func `between the two asked fixes the two cannot cross the distance`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xface)
    var (own, others) = (Settings.phone, Settings.phone)
    own.change(.maximumSpeed, to: random.double(in: 1...60))
    others.change(.maximumSpeed, to: random.double(in: 1...60))
    let speeds = (own.maximumSpeed.metresPerSecond, others.maximumSpeed.metresPerSecond)
    let level = random.double(in: 50...2000)
    let isInside = seed % 3 == 0
    let apart = isInside ? level * random.double(in: 0...0.9) : level + random.double(in: 100...20_000)
    let (radius, age) = (random.double(in: 1...30), random.double(in: 0...40))
    let quiet = CompanionPacing.quietTime(
      .metres(level), .safety, between: story.fix(100, east: 0, radius: radius), own,
      story.fix(100 - age, east: apart, radius: radius), others, at: CompanionStory.at(100)
    ).seconds
    // 2.15 times the radius contains a phone 99 times in 100.
    let error = 2 * 2.15 * radius
    let moved = speeds.0 * quiet + speeds.1 * (quiet + age)
    if isInside {
      #expect(quiet == 0 || apart + error + moved <= level + 0.1, "seed \(seed)")
    } else {
      #expect(quiet == 0 || apart - error - moved >= level - 0.1, "seed \(seed)")
      // The next fix is not asked for sooner than needed.
      let spare = apart - level - error - speeds.1 * age
      if spare > 0 { #expect(abs(quiet - spare / (speeds.0 + speeds.1)) < 0.1, "seed \(seed)") }
    }
  }
}
