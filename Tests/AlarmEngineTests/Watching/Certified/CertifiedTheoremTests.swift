import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The certified policy's promises, tested with a phone that does its worst within the assumptions.
@Suite("Certified watch: promises")
struct CertifiedTheoremTests {
  private static let radius = 100.0

  private static func zone(_ assurance: Assurance) -> Zone {
    AlarmStory.circle(radius: radius) {
      $0.assurance = assurance
      // Switches off the detection of straight passages between fixes.
      $0.trigger = .enter(passingCounts: false)
    }
  }

  /// Random legs around the zone, at most at speed `v`; a third are dashes at full speed through it or into
  /// it.
  private static func way(_ v: Double, _ generator: inout SeededGenerator) -> BoundedWay {
    var way = BoundedWay(
      east: radius + 50 + generator.double(in: 0...40) * v, north: generator.double(in: -5...5) * v)
    for _ in 0..<12 {
      let speed = v * 0.999 * (Bool.random(using: &generator) ? 1 : generator.double(in: 0.05...1))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        way.go(
          to: generator.double(in: -50...50), generator.double(in: -50...50),
          speed: Bool.random(using: &generator) ? 0.999 * v : speed)
        way.go(seconds: generator.double(in: 0...90), east: 0, north: 0)
      case 1: way.go(seconds: generator.double(in: 1...150), east: 0, north: 0)
      default:
        let reach = radius + 30 * v
        way.go(
          to: generator.double(in: -reach...reach), generator.double(in: -reach...reach), speed: speed)
      }
    }
    return way
  }

  /// Checks that the first stay that a promise covers is alarmed in time.
  /// - Returns: true if there was one.
  private static func check(_ phone: WorstCasePhone, within radius: Double, seed: Int) -> Bool {
    for stay in phone.way.stays(within: radius) {
      guard let promised = phone.promises.last(where: { $0.at <= stay.from }),
        case .guaranteed(let promise) = promised.guarantee, promise.after == .entry
      else { continue }
      guard stay.to - stay.from >= promise.late.seconds else { continue }
      let alarm = phone.alarms.first ?? .greatestFiniteMagnitude
      #expect(
        alarm <= stay.from + promise.late.seconds + 0.11,
        "seed \(seed): alarm at \(alarm), stay from \(stay.from) to \(stay.to), promised \(promise.late.seconds) s"
      )
      return true
    }
    return false
  }

  private static func one(of values: [Double], _ generator: inout SeededGenerator) -> Double {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private static func parameters(_ generator: inout SeededGenerator, speed: Double) -> CertifiedParameters {
    var parameters = CertifiedParameters()
    parameters.greatestSpeed = .metresPerSecond(speed)
    // The ways change their speed at once.
    parameters.greatestAcceleration = 1e6
    parameters.safetyLateness = .seconds(one(of: [0, 1, 5, 20], &generator))
    parameters.normalLateness = parameters.safetyLateness
    parameters.coldFix = .seconds(one(of: [0, 2, 8, 30], &generator))
    parameters.hotFix = parameters.coldFix
    parameters.networkFix = min(.seconds(3), parameters.coldFix)
    parameters.handling = .seconds(one(of: [0, 1, 3], &generator))
    return parameters
  }

  @Test(arguments: [Assurance.safety, .normal])
  func `a phone that can wake itself misses no stay and is never later than published`(_ assurance: Assurance)
  {
    var stays = 0
    for seed in Seeds.few(60) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let speed = Self.one(of: [2, 10, 40], &generator)
      let parameters = Self.parameters(&generator, speed: speed)
      let way = Self.way(speed, &generator)
      var capabilities = Capabilities.timed
      capabilities.motion = false
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(assurance)],
        capabilities: capabilities,
        way: way, generator: generator)
      phone.error = Self.one(of: [0, 5, 29], &generator)
      phone.accuracy = phone.error / Rule.errorFactor(assurance)
      phone.fixTime = parameters.coldFix.seconds
      phone.handling = parameters.handling.seconds
      phone.run(until: way.end)
      let inner = Self.radius - (assurance == .safety ? 0 : phone.error + 0.01)
      if Self.check(phone, within: inner, seed: seed) { stays += 1 }
      if assurance == .safety, let alarm = phone.alarms.first {
        let early = Self.nearest(phone, before: alarm, within: parameters.handling.seconds + 1.1)
        #expect(early <= 2 * phone.error + 0.01, "seed \(seed): alarm \(early) m early")
      }
    }
    #expect(stays >= 15)
  }

  /// A phone that starts near the zone at the greatest acceleration, between rests, with positions that state a
  /// speed which is as low as it may be.
  @Test(arguments: [Assurance.safety, .normal])
  func `the greatest acceleration from a stated speed misses no stay`(_ assurance: Assurance) {
    var (stays, counts) = (0, (stated: 0, unstated: 0))
    for seed in Seeds.few(60, from: 7000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parameters = Self.parameters(&generator, speed: 40)
      parameters.greatestAcceleration = CertifiedParameters().greatestAcceleration
      var way = BoundedWay(east: generator.double(in: 200...900), north: 0)
      way.go(seconds: generator.double(in: 20...200), east: 0, north: 0)
      for _ in 0..<10 {
        let isVisit = Int.random(in: 0..<4, using: &generator) == 0
        let reach = isVisit ? 40.0 : 900
        let speed = Bool.random(using: &generator) ? 39.9 : generator.double(in: 1...39)
        way.go(
          to: generator.double(in: -reach...reach), generator.double(in: -reach...reach), speed: speed,
          acceleration: parameters.greatestAcceleration)
        if Bool.random(using: &generator) {
          way.go(seconds: generator.double(in: 1...120), east: 0, north: 0)
        }
      }
      func phone(speedError: Double?) -> WorstCasePhone {
        var capabilities = Capabilities.timed
        capabilities.motion = false
        var phone = WorstCasePhone(
          watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(assurance)],
          capabilities: capabilities, way: way, generator: generator)
        phone.error = 10
        phone.accuracy = 10 / Rule.errorFactor(assurance)
        phone.fixTime = parameters.coldFix.seconds
        phone.handling = parameters.handling.seconds
        phone.speedError = speedError
        phone.run(until: way.end)
        return phone
      }
      let stated = phone(speedError: parameters.speedError.metresPerSecond)
      let inner = Self.radius - (assurance == .safety ? 0 : 10.01)
      if Self.check(stated, within: inner, seed: seed) { stays += 1 }
      counts.stated += stated.measuredAt.count
      counts.unstated += phone(speedError: nil).measuredAt.count
    }
    #expect(stays >= 15)
    // The stated speed saves fixes.
    #expect(counts.stated * 10 < counts.unstated * 9)
  }

  /// The least distance from the zone, in metres, at the measurements of the last `seconds` before the alarm.
  private static func nearest(_ phone: WorstCasePhone, before alarm: Double, within seconds: Double) -> Double
  {
    var least = Double.greatestFiniteMagnitude
    for time in phone.measuredAt where time <= alarm && time >= alarm - seconds {
      let (east, north) = phone.way.position(at: time)
      least = min(least, (east * east + north * north).squareRoot() - radius)
    }
    return least
  }

  @Test func `with the motion hardware's word the promise names its delay and keeps it`() {
    var stays = 0
    for seed in Seeds.few(60, from: 1000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parameters = Self.parameters(&generator, speed: 40)
      parameters.normalLateness = .seconds(5)
      parameters.motionDelay = .seconds(Self.one(of: [5, 30], &generator))
      parameters.restAllowance = .zero
      var way = BoundedWay(east: generator.double(in: 200...3000), north: 0)
      var reports: [(at: Double, motion: Motion)] = []
      if Bool.random(using: &generator) {
        // At rest nearby, then straight in at full speed, reported as late as possible.
        way = BoundedWay(east: generator.double(in: 200...1000), north: 0)
        way.go(seconds: generator.double(in: 100...400), east: 0, north: 0)
        reports = [(1, .still), (way.end + parameters.motionDelay.seconds, .driving)]
        way.go(to: 0, 0, speed: 39.9)
        way.go(seconds: 200, east: 0, north: 0)
      }
      for _ in 0..<14 {
        let began = way.end
        let isVisit = Int.random(in: 0..<4, using: &generator) == 0
        let reach = isVisit ? 40.0 : 1500
        let target = (generator.double(in: -reach...reach), generator.double(in: -40...40))
        let motion: Motion
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          motion = .still
          way.go(seconds: generator.double(in: 40...400), east: 0, north: 0)
        case 1:
          motion = .walking
          way.go(to: target.0, target.1, speed: 3.49)
        default:
          motion = .driving
          way.go(to: target.0, target.1, speed: isVisit ? 39.9 : generator.double(in: 20...39.9))
        }
        let isLate = Bool.random(using: &generator)
        let delay = parameters.motionDelay.seconds
        let at = began + (isLate ? delay : generator.double(in: 0...delay))
        if isVisit, motion != .still { way.go(seconds: generator.double(in: 0...120), east: 0, north: 0) }
        // Reports keep the order of events; one that was overtaken was still sent in time.
        reports.append((max(at, reports.last?.at ?? 0), motion))
      }
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(.normal)], capabilities: .timed,
        way: way,
        generator: generator)
      phone.reports = reports
      phone.error = 10
      phone.accuracy = 10 / Rule.errorFactor(.normal)
      phone.fixTime = parameters.coldFix.seconds
      phone.handling = parameters.handling.seconds
      phone.run(until: way.end)
      if Self.check(phone, within: Self.radius - 10.01, seed: seed) { stays += 1 }
    }
    #expect(stays >= 15)
  }

  @Test(arguments: [Assurance.safety, .normal])
  func `rides that are over before they could be told break no promise`(_ assurance: Assurance) {
    var stays = 0
    for seed in Seeds.few(40, from: 3000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parameters = Self.parameters(&generator, speed: 40)
      parameters.motionDelay = .seconds(30)
      parameters.restAllowance = .zero
      // These drives begin on foot, against the assumption about pedestrians.
      parameters.trustsFootAfter = .hours(100)
      var way = BoundedWay(east: generator.double(in: 300...2500), north: 0)
      var reports: [(at: Double, motion: Motion)] = [(1, .walking)]
      for ride in 0..<4 {
        way.go(to: way.place.east, way.place.north + 60, speed: generator.double(in: 0.4...2))
        // Straight in on the last drive, anywhere on the others; the walking resumes before the report.
        let began = way.end
        let speed = generator.double(in: 15...39.9)
        let length = speed * generator.double(in: 5...29)
        let target = ride == 3 ? 0 : generator.double(in: 200...2500)
        way.go(towards: target, 0, metres: length, speed: speed)
        reports += [(began + 30, .walking), (way.end + 30, .walking)]
        way.go(seconds: generator.double(in: 31...90), east: 0.5, north: 0)
      }
      way.go(towards: 0, 0, metres: 39.9 * 29, speed: 39.9)
      reports += [(way.end + 1, .walking)]
      way.go(seconds: 200, east: 0, north: 0)
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(assurance)], capabilities: .timed,
        way: way, generator: generator)
      phone.reports = reports
      phone.error = 10
      phone.accuracy = 10 / Rule.errorFactor(assurance)
      phone.fixTime = parameters.coldFix.seconds
      phone.handling = parameters.handling.seconds
      phone.run(until: way.end)
      let inner = Self.radius - (assurance == .safety ? 0 : 10.01)
      if Self.check(phone, within: inner, seed: seed) { stays += 1 }
    }
    #expect(stays >= 10)
  }

  /// Rests of minutes and walks, each reported as late as possible. After a rest the phone sets off at a
  /// runner's speed, on foot it keeps to a walker's, and a drive begins only after the hardware has reported
  /// it.
  @Test func `trusted rest and walking break no promise of a safety zone`() {
    var stays = 0
    var fromEntry = 0
    for seed in Seeds.few(120, from: 5000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parameters = Self.parameters(&generator, speed: 40)
      parameters.safetyLateness = .zero
      parameters.motionDelay = .seconds(30)
      parameters.restAllowance = .zero
      var way = BoundedWay(
        east: generator.double(in: 180...900), north: generator.double(in: -300...300))
      var reports: [(at: Double, motion: Motion)] = [(1, .still)]
      way.go(seconds: generator.double(in: 340...1200), east: 0, north: 0)
      for step in 0..<8 {
        let began = way.end
        let isVisit = step > 2 && Bool.random(using: &generator)
        let reach = isVisit ? 40.0 : 900
        let target = (generator.double(in: -reach...reach), generator.double(in: -reach...reach))
        // At a runner's speed until the report, at a walker's after it.
        way.go(towards: target.0, target.1, metres: 6.9 * 29, speed: 6.9)
        reports.append((began + 30, .walking))
        if way.end < began + 31 { way.go(seconds: began + 31 - way.end, east: 0, north: 0) }
        way.go(to: target.0, target.1, speed: 3.49)
        reports.append((way.end + 30, .still))
        way.go(seconds: generator.double(in: 340...900), east: 0, north: 0)
      }
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(.safety)], capabilities: .timed,
        way: way, generator: generator)
      phone.reports = reports
      phone.error = 10
      phone.accuracy = 10 / Rule.errorFactor(.safety)
      phone.fixTime = parameters.coldFix.seconds
      phone.handling = parameters.handling.seconds
      phone.run(until: way.end)
      for stay in way.stays(within: Self.radius) {
        guard case .guaranteed(let promise)? = phone.promises.last(where: { $0.at <= stay.from })?.guarantee
        else { continue }
        guard stay.to - stay.from >= promise.late.seconds else { continue }
        let alarm = phone.alarms.first ?? .greatestFiniteMagnitude
        #expect(
          alarm <= stay.from + promise.late.seconds + 0.11,
          "seed \(seed): alarm at \(alarm), stay from \(stay.from) to \(stay.to), promised \(promise)")
        stays += 1
        if promise.after == .entry { fromEntry += 1 }
        break
      }
    }
    #expect(stays >= 12)
    #expect(fromEntry >= 5)
  }

  @Test(arguments: [Assurance.safety, .normal])
  func `a suspended phone inside its fence misses no stay`(_ assurance: Assurance) {
    var stays = 0
    var suspensions = 0
    for seed in Seeds.few(30, from: 2000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let speed = Self.one(of: [5, 20], &generator)
      var parameters = Self.parameters(&generator, speed: speed)
      parameters.fenceDelay = .seconds(60)
      parameters.safetyFenceDelay = .seconds(60)
      var way = BoundedWay(east: 500 + generator.double(in: 0...300) * speed, north: 0)
      for _ in 0..<8 {
        let reach = 200 * speed
        if Bool.random(using: &generator) {
          way.go(seconds: generator.double(in: 10...300), east: 0, north: 0)
        }
        let isDash = Int.random(in: 0..<3, using: &generator) == 0
        way.go(
          to: isDash ? 0 : generator.double(in: -reach...reach),
          isDash ? 0 : generator.double(in: -reach...reach), speed: 0.999 * speed)
        if isDash { way.go(seconds: 120, east: 0, north: 0) }
      }
      var capabilities = Capabilities.suspended
      capabilities.motion = false
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: parameters), zones: [Self.zone(assurance)],
        capabilities: capabilities,
        way: way, generator: generator)
      phone.error = 20
      phone.accuracy = 20 / Rule.errorFactor(assurance)
      phone.fixTime = parameters.coldFix.seconds
      phone.handling = parameters.handling.seconds
      phone.fenceDelay = 60
      phone.cushion = generator.double(in: 0...60)
      phone.run(until: way.end)
      suspensions += phone.suspensions
      let inner = Self.radius - (assurance == .safety ? 0 : 20.01)
      if Self.check(phone, within: inner, seed: seed) { stays += 1 }
    }
    #expect(stays >= 8)
    #expect(suspensions >= 20)
  }
}
