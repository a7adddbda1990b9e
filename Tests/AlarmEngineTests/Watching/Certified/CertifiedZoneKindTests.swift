import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The certified policy's promises for zones with opening hours, zones that ring on leaving, after a stay or
/// ahead of the entry, and for a parked phone; tested with a phone that does its worst within the
/// assumptions.
@Suite("Certified watch: kinds of zones, and parking")
struct CertifiedZoneKindTests {
  private static let error = 10.0

  private static func phone(
    _ zone: Zone, _ way: BoundedWay, _ capabilities: Capabilities, _ parameters: CertifiedParameters,
    _ generator: SeededGenerator
  ) -> WorstCasePhone {
    var phone = WorstCasePhone(
      watch: CertifiedWatch(parameters: parameters), zones: [zone], capabilities: capabilities, way: way,
      generator: generator)
    phone.error = error
    phone.accuracy = error / Rule.errorFactor(zone.assurance)
    phone.fixTime = parameters.coldFix.seconds
    phone.handling = parameters.handling.seconds
    return phone
  }

  private static var parameters: CertifiedParameters {
    var parameters = CertifiedParameters()
    parameters.greatestSpeed = .metresPerSecond(40)
    parameters.hotFix = parameters.coldFix
    return parameters
  }

  /// Checks that the alarm comes after `moment` within the time promised then.
  /// - Returns: true if anything was promised.
  private static func check(_ phone: WorstCasePhone, after moment: Double, _ seed: Int) -> Bool {
    guard let promised = phone.promises.last(where: { $0.at <= moment }),
      case .guaranteed(let promise) = promised.guarantee
    else { return false }
    let alarm = phone.alarms.first ?? .greatestFiniteMagnitude
    #expect(
      alarm <= moment + promise.late.seconds + 0.11,
      "seed \(seed): alarm at \(alarm), due from \(moment), promised \(promise.late.seconds) s")
    return true
  }

  private static var still: Capabilities {
    var capabilities = Capabilities.timed
    capabilities.motion = false
    return capabilities
  }

  @Test func `a zone that opens while somebody is in it, or on the way, rings after one fix`() {
    for seed in Seeds.few(15) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var zone = AlarmStory.circle(radius: 200)
      // The story's day begins at midnight UTC or later; the window opens at its sixth minute.
      let minute = Int((AlarmStory.start.millisecondsSince1970 / 60_000) % 1440)
      zone.change {
        $0.schedule = Schedule(
          windows: [
            .init(weekdays: .init(rawValue: 0b1111111), opens: minute + 6, closes: min(1440, minute + 90))
          ],
          timeZone: "UTC", offsets: [.init(from: Instant(millisecondsSince1970: 0), seconds: 0)])
      }
      var way = BoundedWay(east: generator.double(in: 500...9000), north: 0)
      way.go(seconds: generator.double(in: 1...100), east: 0, north: 0)
      way.go(to: 0, 0, speed: 39.9)
      let entry = way.stays(within: 200 - Self.error - 0.01).first?.from ?? 0
      way.go(seconds: 900, east: 0, north: 0)
      var phone = Self.phone(zone, way, Self.still, Self.parameters, generator)
      phone.run(until: way.end)
      let opening = 360 - Double(AlarmStory.start.millisecondsSince1970 % 60_000) / 1000
      #expect(phone.alarms.first.map { $0 >= opening } ?? false, "seed \(seed)")
      // At the opening nothing is known and nothing is promised until the first fix, which is asked for at
      // once.
      let limit =
        max(entry, opening) + Self.parameters.coldFix.seconds + 2 * Self.parameters.handling.seconds + 0.11
      #expect((phone.alarms.first ?? .greatestFiniteMagnitude) <= limit, "seed \(seed)")
    }
  }

  @Test(arguments: [Assurance.safety, .normal])
  func `whoever leaves a leave zone is noticed as promised`(_ assurance: Assurance) {
    var promised = 0
    for seed in Seeds.few(20, from: 100) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let zone = AlarmStory.circle(radius: 400) {
        $0.trigger = .leave()
        $0.assurance = assurance
      }
      var way = BoundedWay(east: generator.double(in: -200...200), north: 0)
      way.go(seconds: generator.double(in: 60...400), east: 0, north: 0)
      way.go(to: 5000, 0, speed: generator.double(in: 5...39.9))
      let left = (way.stays(within: 400 + Self.error + 0.01).first?.to ?? 0) + 0.1
      way.go(seconds: 200, east: 0, north: 0)
      var phone = Self.phone(zone, way, Self.still, Self.parameters, generator)
      phone.run(until: way.end)
      if Self.check(phone, after: left, seed) { promised += 1 }
    }
    #expect(promised >= 12)
  }

  @Test(arguments: [Assurance.safety, .normal])
  func `a time outside begins as late as promised at most, and a return shortly before its end is seen`(
    _ assurance: Assurance
  ) {
    var promised = 0
    for seed in Seeds.few(20, from: 400) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let delay = generator.double(in: 200...900)
      let zone = AlarmStory.circle(radius: 400) {
        $0.trigger = .leave(after: .seconds(delay))
        $0.assurance = assurance
      }
      var out = BoundedWay(east: generator.double(in: -200...200), north: 0)
      out.go(seconds: generator.double(in: 60...400), east: 0, north: 0)
      out.go(to: 600, 0, speed: generator.double(in: 5...20))
      let arrived = out.end
      /// The times of the alarms, if the phone goes back after so many seconds.
      func rung(backAfter wait: Double) -> (rung: [Double], phone: WorstCasePhone) {
        var way = out
        way.go(seconds: wait, east: 0, north: 0)
        way.go(to: 0, 0, speed: 20)
        way.go(seconds: 400, east: 0, north: 0)
        var phone = Self.phone(zone, way, Self.still, Self.parameters, generator)
        phone.run(until: way.end, stopsAtAlarm: false)
        let times = phone.timeline.events.compactMap { event -> Double? in
          if case .alarm = event.kind { (event.time - AlarmStory.start).seconds } else { nil }
        }
        return (times, phone)
      }
      let (first, phone) = rung(backAfter: delay + 400)
      guard let end = first.first else {
        Issue.record("seed \(seed): rang never")
        continue
      }
      let left = (out.stays(within: 400 + Self.error + 0.01).first?.to ?? 0) + 0.1
      if case .guaranteed(let promise)? = phone.promises.last(where: { $0.at <= left })?.guarantee {
        #expect(end <= left + delay + promise.late.seconds + 0.11, "seed \(seed)")
        promised += 1
      }
      // Certainly inside just before the last look, which takes the time of a fix.
      let look = end - Self.parameters.coldFix.seconds - Self.parameters.handling.seconds
      let wait = look - 1 - (600 - 400 + 2 * Self.error) / 20 - arrived
      #expect(rung(backAfter: wait).rung.isEmpty, "seed \(seed), \(wait) s")
    }
    #expect(promised >= 12)
  }

  @Test func `a phone that rests far outside is asked for few positions while the time runs`() {
    let zone = AlarmStory.circle(radius: 400) { $0.trigger = .leave(after: .hours(8)) }
    var way = BoundedWay(east: 0, north: 0)
    way.go(seconds: 60, east: 0, north: 0)
    way.go(to: 20_000, 0, speed: 20)
    let arrived = way.end
    way.go(seconds: 9 * 3600, east: 0, north: 0)
    var phone = Self.phone(zone, way, Self.still, Self.parameters, SeededGenerator(seed: 1))
    phone.run(until: way.end)
    let asked = phone.measuredAt.filter { $0 > arrived + 600 }.count
    #expect(asked <= 80, "\(asked)")
    #expect(!phone.alarms.isEmpty)
  }

  @Test func `a dwell is over at most so late as promised after its time`() {
    var rung = 0
    for seed in Seeds.few(24, from: 200) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let dwell = generator.double(in: 30...300)
      let zone = AlarmStory.circle(radius: 300) { $0.trigger = .dwell(.seconds(dwell)) }
      var way = BoundedWay(east: generator.double(in: 1000...9000), north: 0)
      way.go(to: 0, 0, speed: 39.9)
      let entry = way.stays(within: 300 - Self.error - 0.01).first?.from ?? 0
      way.go(seconds: 900, east: 0, north: 0)
      var phone = Self.phone(zone, way, Self.still, Self.parameters, generator)
      phone.run(until: way.end)
      func promised(_ time: Double) -> Double? {
        guard case .guaranteed(let promise)? = phone.promises.last(where: { $0.at <= time })?.guarantee else {
          return nil
        }
        return promise.late.seconds
      }
      // A stay that began before the first position counts from that position.
      guard promised(entry) != nil else { continue }
      rung += 1
      // Before the entry, once it was noticed, and at the end of the stay.
      for time in [entry, entry + dwell * 0.9, entry + dwell] {
        guard let late = promised(time) else { continue }
        #expect(
          (phone.alarms.first ?? .greatestFiniteMagnitude) <= entry + dwell + late + 0.11,
          "seed \(seed), \(time - entry) s after the entry")
      }
    }
    #expect(rung >= 15)
  }

  @Test func `a lead time rings before the entry, and never later than promised`() {
    var ahead = 0
    for seed in Seeds.few(20, from: 300) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let zone = AlarmStory.circle(radius: 300) { $0.leadTime = .seconds(120) }
      var way = BoundedWay(east: generator.double(in: 6000...15_000), north: 0)
      way.go(to: 0, 0, speed: generator.double(in: 10...35))
      let entry = way.stays(within: 300 - Self.error - 0.01).first?.from ?? 0
      way.go(seconds: 300, east: 0, north: 0)
      var phone = Self.phone(zone, way, Self.still, Self.parameters, generator)
      phone.run(until: way.end)
      _ = Self.check(phone, after: entry, seed)
      if let alarm = phone.alarms.first, alarm < entry - 30 { ahead += 1 }
    }
    #expect(ahead >= 15)
  }

  @Test(arguments: [true, false])
  func `a parked phone is late by no more than promised after its departure`(_ wifi: Bool) {
    var parked = 0
    for seed in Seeds.few(25, from: 400) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parameters = Self.parameters
      parameters.fenceDelay = .seconds(60)
      var way = BoundedWay(east: generator.double(in: 300...3000), north: 0)
      way.go(seconds: generator.double(in: 500...1200), east: 0, north: 0)
      let departure = way.end
      way.go(to: 0, 0, speed: generator.double(in: 3...39.9))
      let entry = way.stays(within: 100 - Self.error - 0.01).first?.from ?? 0
      way.go(seconds: 600, east: 0, north: 0)
      var capabilities = Capabilities.suspended
      capabilities.wifi = wifi
      var phone = Self.phone(AlarmStory.circle(radius: 100), way, capabilities, parameters, generator)
      phone.reports = [(2, .still)]
      phone.fenceDelay = 60 * (wifi ? 1 : parameters.fenceDelayWithoutWifi)
      phone.cushion = generator.double(in: 0...60)
      phone.run(until: way.end)
      guard let promised = phone.promises.last(where: { $0.at <= entry }),
        case .guaranteed(let promise) = promised.guarantee, promise.after == .departure
      else { continue }
      parked += 1
      let alarm = phone.alarms.first ?? .greatestFiniteMagnitude
      // Counted from leaving the fence, which lies around the resting place.
      let left = departure + 160 / 3
      #expect(
        alarm <= max(entry, left) + promise.late.seconds + 0.11,
        "seed \(seed): alarm at \(alarm), departure \(departure), entry \(entry), promised \(promise.late.seconds) s"
      )
    }
    #expect(parked >= 5)
  }
}
