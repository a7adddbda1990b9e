import AlarmEngine
import Geometry
import TestSupport

/// A phone that does its worst within the certified policy's assumptions: errors as large as stated and away
/// from the zone, fixes as late as allowed, motion and fences reported as late as allowed.
///
/// Seconds from `AlarmStory.start`, metres east and north of its origin.
struct WorstCasePhone {
  var watch: CertifiedWatch
  var timeline: Timeline
  let capabilities: Capabilities
  let way: BoundedWay
  /// Metres; every fix states this times the zone's factor.
  var error = 0.0
  var accuracy = 0.0
  /// Metres a second by which the stated speeds are too low; nil if fixes state none.
  var speedError: Double?
  /// Greatest seconds to a measurement, and from there to its handling.
  var fixTime = 0.0
  var handling = 0.0
  /// Changes of motion, with the times of their reports.
  var reports: [(at: Double, motion: Motion)] = []
  /// Seconds outside a fence before its report, and metres beyond it.
  var fenceDelay = 0.0
  var cushion = 0.0
  var generator: SeededGenerator

  private(set) var measuredAt: [Double] = []
  private(set) var alarms: [Double] = []
  /// The promises, each with the time at which it began.
  private(set) var promises: [(at: Double, guarantee: Guarantee)] = []
  private(set) var suspensions = 0
  private var now = 0.0
  private var timer: Double?
  private var isInSession = false
  private var nextMeasurement: Double?
  private var deliveries: [(at: Double, fix: Fix)] = []
  private var requests: [Double] = []
  private var fence: Fence?
  private var outsideSince: Double?
  private var stateAnswer: Double?
  private var tick = 0.0

  init(
    watch: CertifiedWatch, zones: [Zone], capabilities: Capabilities, way: BoundedWay,
    generator: SeededGenerator
  ) {
    self.watch = watch
    self.capabilities = capabilities
    self.way = way
    self.generator = generator
    timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones)
  }

  static func instant(_ seconds: Double) -> Instant { AlarmStory.start + .seconds(seconds) }

  /// - Returns: true if it stopped at the first alarm.
  mutating func run(until end: Double, stopsAtAlarm: Bool = true) {
    handle(.started(.person, capabilities: capabilities, lastKnown: nil))
    while alarms.isEmpty || !stopsAtAlarm {
      let isAwake = capabilities.host == .timed || isInSession
      var next = end
      for time in [isAwake ? timer : nil, nextMeasurement, stateAnswer, deliveries.first?.at, requests.min()]
      {
        if let time { next = min(next, time) }
      }
      if isAwake, let report = reports.first { next = min(next, report.at) }
      if fence != nil { next = min(next, tick + 1) }
      guard next < end else { return }
      now = max(now, next)
      happen(isAwake: isAwake)
    }
  }

  private mutating func happen(isAwake: Bool) {
    tick = now
    if let request = requests.firstIndex(where: { $0 <= now }) {
      requests.remove(at: request)
      // There is only one receiver: after a fix on request the session has its next one within a second.
      if let next = nextMeasurement { nextMeasurement = min(next, now + 1) }
      measure()
    } else if let delivery = deliveries.first, delivery.at <= now {
      deliveries.removeFirst()
      for event in timeline.insert([.fix(delivery.fix)]).added + timeline.advance(to: Self.instant(now)).added
      {
        if case .alarm = event.kind { alarms.append(now) }
      }
      handle(.fix(delivery.fix))
    } else if let measurement = nextMeasurement, measurement <= now {
      nextMeasurement = now + generator.double(in: 0.5...1)
      measure()
    } else if isAwake, let report = reports.first, report.at <= now {
      reports.removeFirst()
      handle(.motion(report.motion))
    } else if let stateAnswer, stateAnswer <= now {
      self.stateAnswer = nil
      handle(.fenceState(.movement, inside: fence.map { !isOutside($0) }))
    } else if isAwake, let timer, timer <= now {
      self.timer = nil
      let added = timeline.advance(to: Self.instant(now)).added
      for event in added { if case .alarm = event.kind { alarms.append(now) } }
      handle(.timer)
    } else {
      watchFence()
    }
  }

  private func isOutside(_ fence: Fence) -> Bool {
    let (east, north) = way.position(at: now)
    return AlarmStory.place(east: east, north: north).distance(to: fence.center).metres
      > max(fence.radius.metres, 100) + cushion
  }

  private mutating func watchFence() {
    guard let fence else { return }
    guard isOutside(fence) else {
      outsideSince = nil
      return
    }
    outsideSince = outsideSince ?? now
    if let since = outsideSince, now - since >= fenceDelay - 1 {
      outsideSince = nil
      handle(.fenceExited(.movement))
    }
  }

  /// The phone measures the worst place that the error allows: away from the zone, towards it, or anywhere.
  private mutating func measure() {
    let (east, north) = way.position(at: now)
    let distance = max(1e-9, (east * east + north * north).squareRoot())
    var shift = (east / distance * error, north / distance * error)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: shift = (-shift.0, -shift.1)
    case 1: shift = (generator.double(in: -0.7...0.7) * error, generator.double(in: -0.7...0.7) * error)
    default: break
    }
    measuredAt.append(now)
    let fix = Fix(
      position: AlarmStory.place(east: east + shift.0, north: north + shift.1),
      accuracy: .radius(.metres(accuracy)), measuredAt: Self.instant(now),
      speed: speedError.map { .metresPerSecond(max(0, way.speed(at: now) - $0)) })
    let late = Bool.random(using: &generator) ? handling : generator.double(in: 0...handling)
    deliveries.append((max(now + late, deliveries.last?.at ?? 0), fix))
  }

  private mutating func handle(_ event: WatchEvent) {
    let time = Self.instant(now)
    let commands = watch.handle(event, at: time, zones: timeline.surroundings(at: time))
    for command in commands { apply(command) }
    if let guarantee = watch.guarantees(zones: timeline.surroundings(at: time)).first?.guarantee {
      promises.append((now, guarantee))
    }
  }

  private mutating func apply(_ command: WatchCommand) {
    switch command {
    case .session(let session):
      isInSession = true
      if session.accuracy == .threeKilometres {
        nextMeasurement = nil
      } else if nextMeasurement == nil {
        nextMeasurement = now + worst(fixTime)
      }
    case .endSession:
      if isInSession, capabilities.host == .suspended { suspensions += 1 }
      isInSession = false
      nextMeasurement = nil
    case .requestFix: requests.append(now + worst(fixTime))
    case .fences(let fences):
      fence = fences.first { $0.id == .movement }
      outsideSince = nil
    case .requestState: stateAnswer = now + generator.double(in: 0.5...3)
    case .timer(let time): timer = time.map { ($0 - AlarmStory.start).seconds }
    case .significantChanges, .visits, .motion, .holdBackground, .releaseBackground, .warn,
      .warnIfSilent:
      break
    }
  }

  private mutating func worst(_ most: Double) -> Double {
    Bool.random(using: &generator) ? most : generator.double(in: 0...most)
  }
}

/// A way of straight legs, each at a constant speed.
struct BoundedWay {
  private(set) var legs: [(start: Double, east: Double, north: Double, vEast: Double, vNorth: Double)] = []
  private(set) var end = 0.0
  private var east: Double
  private var north: Double

  init(east: Double, north: Double) {
    self.east = east
    self.north = north
  }

  mutating func go(seconds: Double, east vEast: Double, north vNorth: Double) {
    legs.append((end, east, north, vEast, vNorth))
    end += seconds
    east += vEast * seconds
    north += vNorth * seconds
  }

  mutating func go(to east: Double, _ north: Double, speed: Double) {
    let (dx, dy) = (east - self.east, north - self.north)
    let seconds = (dx * dx + dy * dy).squareRoot() / speed
    guard seconds > 0 else { return }
    go(seconds: seconds, east: dx / seconds, north: dy / seconds)
  }

  /// The same, from the present speed on and no faster than the acceleration allows, in metres a second, each
  /// second.
  mutating func go(to east: Double, _ north: Double, speed: Double, acceleration: Double) {
    while let last = legs.last.map({ ($0.vEast * $0.vEast + $0.vNorth * $0.vNorth).squareRoot() }),
      last + acceleration * 0.1 < speed, (east, north) != place
    {
      go(
        towards: east, north, metres: (last + acceleration * 0.1) * 0.1, speed: last + acceleration * 0.1)
    }
    go(to: east, north, speed: speed)
  }

  /// The current end of the way.
  var place: (east: Double, north: Double) { (east, north) }

  /// Goes `metres` towards a place, or all the way if it is nearer.
  mutating func go(towards east: Double, _ north: Double, metres: Double, speed: Double) {
    let (dx, dy) = (east - self.east, north - self.north)
    let length = (dx * dx + dy * dy).squareRoot()
    let share = length > metres ? metres / length : 1
    go(to: self.east + share * dx, self.north + share * dy, speed: speed)
  }

  func position(at time: Double) -> (east: Double, north: Double) {
    guard let leg = legs.last(where: { $0.start <= time }) ?? legs.first else { return (east, north) }
    let elapsed = min(time, end) - leg.start
    return (leg.east + leg.vEast * elapsed, leg.north + leg.vNorth * elapsed)
  }

  func speed(at time: Double) -> Double {
    guard time < end, let leg = legs.last(where: { $0.start <= time }) else { return 0 }
    return (leg.vEast * leg.vEast + leg.vNorth * leg.vNorth).squareRoot()
  }

  /// The stays within `radius` of the origin, found in steps of a tenth of a second.
  func stays(within radius: Double) -> [(from: Double, to: Double)] {
    var found: [(from: Double, to: Double)] = []
    var since: Double?
    for step in 0...Int(end * 10) {
      let time = Double(step) / 10
      let (east, north) = position(at: time)
      if east * east + north * north <= radius * radius {
        since = since ?? time
      } else if let from = since {
        found.append((from, time - 0.1))
        since = nil
      }
    }
    if let since { found.append((since, end)) }
    return found
  }
}
