import AlarmEngine
import Geometry

/// A walk with noise, gaps, jumps, invalid and repeated fixes among zones of every kind, made from a seed.
public struct RandomJourney {
  public let zones: [Zone]
  public let fixes: [Fix]
  public let commands: [Input]
  public var inputs: [Input] { fixes.map { .fix($0) } + commands }

  public init(seed: UInt64, fixes count: Int = 120) {
    var random = SeededGenerator(seed: seed)
    // A separate generator, so that journeys are the same as before heights were added.
    var heights = SeededGenerator(seed: seed ^ 0xa1717de)
    zones = (0..<12).map { Self.zone(number: UInt64($0) + 1, &random, &heights) }
    var climb = heights.double(in: 0...1500)
    var fixes: [Fix] = []
    var (east, north) = (0.0, 0.0)
    var heading = random.double(in: 0...6.28)
    var time = AlarmStory.start
    for _ in 0..<count {
      let pause: Double
      switch random.next() % 12 {
      case 0: pause = 0
      case 1: pause = 90
      case 2: pause = random.next() % 4 == 0 ? 700 : 30
      default: pause = 5
      }
      heading += random.normal() * 0.4
      let speed = random.double(in: 0...15)
      time = time + .milliseconds(pause == 0 ? 0 : Int64(pause * 1000) + Int64(random.next() % 1000))
      east += Trigonometry.sine(heading) * speed * pause
      north += Trigonometry.cosine(heading) * speed * pause
      // Turns back before the zones are too far away.
      if (east * east + north * north).squareRoot() > 1500 {
        heading = Trigonometry.arctangent(y: -east, x: -north)
      }
      climb = min(1800, max(-50, climb + heights.normal() * 120))
      let altitude = Self.altitude(climb, &heights)
      fixes.append(Self.fix(east, north, time, altitude, &random))
    }
    self.fixes = fixes
    commands =
      random.next() % 2 == 0
      ? []
      : [
        .command(.deactivate, at: AlarmStory.start + .seconds(200)),
        .command(.activate, at: AlarmStory.start + .seconds(260)),
      ]
  }

  private static func fix(
    _ east: Double, _ north: Double, _ time: Instant, _ altitude: Altitude?, _ random: inout SeededGenerator
  ) -> Fix {
    let noise = random.double(in: 0...25)
    var (east, north) = (east + random.normal() * noise * 0.5, north + random.normal() * noise * 0.5)
    var accuracy = Fix.Accuracy.radius(.metres(noise + 2))
    switch random.next() % 30 {
    case 0: east += 9000
    case 1: accuracy = .radius(.metres(-1))
    case 2: accuracy = .unstated
    case 3: accuracy = .radius(.metres(random.double(in: 100...3000)))
    default: break
    }
    if random.next() % 40 == 0 { north -= 5000 }
    return Fix(
      position: AlarmStory.place(east: east, north: north), accuracy: accuracy, measuredAt: time,
      receivedAt: time + .seconds(random.next() % 5 == 0 ? 600 : 1), altitude: altitude)
  }

  /// A height in three of four cases, with errors of all sizes and without.
  private static func altitude(_ metres: Double, _ random: inout SeededGenerator) -> Altitude? {
    if random.next() % 4 == 0 { return nil }
    return Altitude(
      metres: metres, error: random.next() % 4 == 0 ? nil : random.double(in: 1...60),
      reference: random.next() % 3 == 0 ? .unknown : .seaLevel)
  }

  private static func zone(
    number: UInt64, _ random: inout SeededGenerator, _ heights: inout SeededGenerator
  ) -> Zone {
    let place = { (random: inout SeededGenerator) in
      AlarmStory.place(east: random.double(in: -1200...1200), north: random.double(in: -1200...1200))
    }
    var locations = [place(&random)]
    if random.next() % 3 == 0 { locations += [place(&random), place(&random)] }
    var zone = ZoneDraft(
      id: ZoneID(rawValue: number), name: "zone", size: .metres(random.double(in: 20...300)),
      outline: .locations(locations))
    zone.assurance = Assurance.allCases[Int(random.next() % 3)]
    zone.priority = Int32(random.next() % 3)
    zone.inset = .metres(random.double(in: -30...10))
    zone.alertDistance = random.next() % 2 == 0 ? .zero : .metres(random.double(in: 0...80))
    zone.leadTime = random.next() % 4 == 0 ? .seconds(20) : nil
    switch random.next() % 4 {
    case 0: zone.trigger = number % 2 == 0 ? .leave() : .enterAndLeave(passingCounts: number % 4 == 1)
    case 1: zone.trigger = .dwell(.seconds(random.double(in: 5...120)))
    default: zone.trigger = .enter(passingCounts: random.next() % 4 != 0)
    }
    if random.next() % 3 == 0 {
      zone.schedule = Schedule(
        windows: [
          .init(weekdays: .everyDay, opens: 5, closes: 20),
          .init(weekdays: .everyDay, opens: 25, closes: 1400),
        ],
        timeZone: "UTC", offsets: [])
    }
    switch heights.next() % 5 {
    case 0: zone.ceiling = .metres(heights.double(in: 100...1200))
    case 1: zone.floor = .metres(heights.double(in: 100...1200))
    case 2:
      zone.floor = .metres(heights.double(in: 0...800))
      zone.ceiling = .metres(heights.double(in: 900...1500))
    default: break
    }
    zone.notice = random.next() % 4 == 0 ? Notice(title: "n", text: "t", cap: .minutes(3)) : nil
    return .valid(zone)
  }
}
