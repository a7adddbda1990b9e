import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Time to entry")
struct TimeToEntryTests {
  private func time(
    _ distance: Double, error: Double = 0, closing: Double, closingError: Double = 0, maximum: Double = 45
  ) -> TimeToEntry {
    TimeToEntry(
      distance: .metres(distance), error: .metres(error), closing: .metresPerSecond(closing),
      closingError: .metresPerSecond(closingError), maximumSpeed: .metresPerSecond(maximum))
  }

  @Test func `W18: a train 3 km before the stop at 20 m a second is there in 150 s`() {
    let train = time(3000, error: 100, closing: 20, closingError: 0.625, maximum: 90)
    #expect(train.earliest == .milliseconds(32_222))
    #expect(train.likely == .seconds(150))
    #expect(train.latest == .seconds(700))  // Four times 160 s and a minute.
  }

  @Test func `whoever stands or recedes has no likely time, but an earliest one`() {
    for closing in [0, -3.0] {
      let phone = time(450, closing: closing)
      #expect(phone.earliest == .seconds(10))
      #expect(phone.likely == nil)
      #expect(phone.latest == nil)
    }
  }

  @Test func `a speed that may be zero promises no latest time`() {
    #expect(time(100, error: 10, closing: 1, closingError: 1).latest == nil)
    #expect(time(100, error: 10, closing: 1, closingError: 0.5).latest == .seconds(940))
  }

  @Test func `who may be inside could have arrived; who is inside for sure has`() {
    let maybe = time(20, error: 30, closing: 2)
    #expect(maybe.earliest == .zero && maybe.likely == .seconds(10) && maybe.latest == .seconds(160))
    let sure = time(-40, error: 30, closing: -5)
    #expect(sure.earliest == .zero && sure.likely == .zero && sure.latest == .zero)
  }

  @Test func `what takes more than a hundred years does not happen`() {
    let snail = time(1e7, closing: 1e-9, maximum: 1e-300)
    #expect(snail.earliest == TimeToEntry.longest)
    #expect(snail.likely == nil)
    #expect(time(1e7, closing: 1e300, closingError: 1e300, maximum: 0).latest == nil)
  }

  @Test func `two fixes give the speed between them, and its error`() throws {
    let start = Instant(millisecondsSince1970: 0)
    let first = TimeToEntry.Measurement(distance: .metres(400), error: .metres(3), at: start)
    let last = TimeToEntry.Measurement(distance: .metres(300), error: .metres(4), at: start + .seconds(10))
    let maximum = Speed.metresPerSecond(45)
    let time = try #require(TimeToEntry(first: first, last: last, maximumSpeed: maximum))
    #expect(time.likely == .seconds(30))
    #expect(time.latest == .seconds(188))  // 304 m at 10 m/s less the error of 5 m in 10 s take 32 s.
    #expect(TimeToEntry(first: last, last: first, maximumSpeed: maximum) == nil)
    #expect(TimeToEntry(first: first, last: first, maximumSpeed: maximum) == nil)
  }

  @Test(arguments: 0..<20)
  func `earliest, likely and latest are in order`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<500 {
      let closing = random.double(in: -50...100)
      let phone = time(
        random.double(in: -200...5000), error: random.double(in: 0...300), closing: closing,
        closingError: random.double(in: 0...30), maximum: random.double(in: 0...90))
      if let likely = phone.likely { #expect(phone.earliest <= likely, "seed \(seed)") }
      if let latest = phone.latest {
        #expect(phone.likely.map { $0 <= latest } == true, "seed \(seed)")
      }
    }
  }

  /// F2: the predicted interval covers the true entry in at least 95 of 100 approaches.
  @Test(arguments: [(speed: 1.4, gap: 60.0), (speed: 7, gap: 20), (speed: 30, gap: 10), (speed: 60, gap: 10)])
  func `F2: the true entry of straight approaches lies within the interval`(speed: Double, gap: Double) {
    var random = SeededGenerator(seed: 7)
    var covered = 0
    var promised = 0
    let runs = 2000
    for _ in 0..<runs {
      let accuracy = random.double(in: 5...30)
      // Design, section 2: e = 1.73 times the accuracy; one axis of a fix has σ = accuracy / √2.
      let error = Distance.metres(1.73 * accuracy)
      let distance = random.double(in: 100...3000)
      let start = Instant(millisecondsSince1970: 0)
      func measured(_ truth: Double, _ at: Instant) -> TimeToEntry.Measurement {
        .init(distance: .metres(truth + random.normal() * accuracy / 2.0.squareRoot()), error: error, at: at)
      }
      let first = measured(distance + speed * gap, start)
      let last = measured(distance, start + .seconds(gap))
      guard let time = TimeToEntry(first: first, last: last, maximumSpeed: .metresPerSecond(90)) else {
        continue
      }
      let truth = TimeSpan.seconds(distance / speed)
      if let latest = time.latest {
        promised += 1
        if latest < truth { continue }
      }
      if time.earliest <= truth { covered += 1 }
    }
    #expect(covered >= runs * 95 / 100, "\(covered) of \(runs)")
    #expect(promised >= runs * 70 / 100, "only \(promised) of \(runs) had a latest time")
  }

  /// F2: the interval covers the true entry at every distance, also for phones that stop and turn.
  @Test(arguments: [(speed: 1.4, gap: 10), (speed: 5, gap: 5), (speed: 13, gap: 1), (speed: 13, gap: 10)])
  func `F2: the entries of winding ways with stops lie within the interval, near and far`(
    speed: Double, gap: Int
  ) {
    var random = SeededGenerator(seed: UInt64(speed * 10) + UInt64(gap))
    // Seconds before the entry: below 30, to 120, to 300, to 900.
    var told = [0, 0, 0, 0]
    var covered = [0, 0, 0, 0]
    for _ in 0..<150 {
      let way = Self.windingWay(seconds: 1800, speed: speed, &random)
      let radius = random.double(in: 30...250)
      let target = way[Int.random(in: 900..<1800, using: &random)]
      func distance(_ second: Int) -> Double {
        let (east, north) = (way[second].east - target.east, way[second].north - target.north)
        return (east * east + north * north).squareRoot() - radius
      }
      guard let entry = (1..<1800).first(where: { distance($0) <= 0 }), distance(0) > 0 else { continue }
      let errors = (0..<entry).map { _ in random.normal() * 3 }
      func measured(_ second: Int) -> TimeToEntry.Measurement {
        .init(
          distance: .metres(distance(second) + errors[second]), error: .metres(8.65),
          at: Instant(millisecondsSince1970: Int64(second) * 1000))
      }
      for second in stride(from: max(gap, entry - 900), to: entry, by: 5) {
        let time = TimeToEntry(
          first: measured(second - gap), last: measured(second), maximumSpeed: .metresPerSecond(45))
        guard let time, let latest = time.latest else { continue }
        let left = TimeSpan.seconds(Double(entry - second))
        let band = left < .seconds(30) ? 0 : left < .seconds(120) ? 1 : left < .seconds(300) ? 2 : 3
        told[band] += 1
        if time.earliest <= left, left <= latest { covered[band] += 1 }
      }
    }
    for band in 0..<4 {
      #expect(told[band] >= 100, "band \(band) shows nothing: \(told)")
      #expect(covered[band] * 100 >= told[band] * 95, "band \(band): \(covered) of \(told)")
    }
  }

  /// The place at each second of a way to the north-east, along blocks, with a turn at each second or third corner, some
  /// of them back, and a stop at each third.
  private static func windingWay(
    seconds: Int, speed: Double, _ random: inout SeededGenerator
  ) -> [(east: Double, north: Double)] {
    var way: [(east: Double, north: Double)] = [(0, 0)]
    var heading = (east: 1.0, north: 0.0)
    while way.count < seconds {
      let block = random.double(in: 6...25) * speed
      for _ in 0..<Int(block / speed) {
        let last = way[way.count - 1]
        way.append((last.east + heading.east * speed, last.north + heading.north * speed))
      }
      switch random.next() % 16 {
      case 0: heading = (-heading.east, heading.north)
      case 1: heading = (heading.east, -heading.north)
      case 2..<8: heading = (abs(heading.north), abs(heading.east))
      default: break
      }
      if random.next() % 3 == 0 {
        way += Array(repeating: way[way.count - 1], count: Int(random.double(in: 5...60)))
      }
    }
    return way
  }

  @Test func `F2: at 140 km/h with a fix each minute the alarm can come 2.3 km late`() {
    let car = TimeToEntry.Feasibility(speed: .metresPerSecond(140 / 3.6), fixInterval: .seconds(60))
    #expect(car.latestAlarm == .seconds(60))
    #expect(abs(car.latestAlarmDistance.metres - 2333.3) < 0.1)
    #expect(abs(car.alertDistance(forWarning: .minutes(2)).metres - 7000) < 0.1)
    #expect(car.warning(fromAlertDistance: .metres(7000)) == .seconds(120))
    #expect(car.warning(fromAlertDistance: .zero) == .seconds(-60))
  }

  @Test func `F2: the error of a fix takes from the warning`() {
    let walker = TimeToEntry.Feasibility(
      speed: .metresPerSecond(1), fixInterval: .seconds(10), error: .metres(20))
    #expect(walker.latestAlarm == .seconds(30))
    #expect(walker.alertDistance(forWarning: .seconds(60)) == .metres(90))
    #expect(walker.warning(fromAlertDistance: .metres(90)) == .seconds(60))
    #expect(walker.warning(fromAlertDistance: .metres(10)) == .seconds(-20))
  }

  @Test func `who stands still may never be seen beyond the line`() {
    let still = TimeToEntry.Feasibility(
      speed: .metresPerSecond(0), fixInterval: .seconds(10), error: .metres(20))
    #expect(still.latestAlarm == nil)
    #expect(still.warning(fromAlertDistance: .metres(50)) == nil)
    #expect(still.alertDistance(forWarning: .hours(1)) == .metres(20))
  }
}
