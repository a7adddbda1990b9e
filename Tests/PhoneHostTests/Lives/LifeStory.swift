import AlarmEngine
import Geometry
import PhoneHost
import TestSupport

/// The events of one phone in several lives of its app, all of them from a seed: the person, the way through the zones, the
/// system, the disk.
struct LifeStory {
  private var random: SeededGenerator
  let phone: LifePhone
  private(set) var oracle = LifeOracle()
  /// The events so far, to find the cause of a failure.
  private(set) var log: [String] = []
  /// Metres east of the origin.
  private var east = -900.0
  private var page = LifePage()

  private static let slots = 5
  private static func east(ofSlot slot: Int) -> Double { Double(slot) * 2000 }
  static func east(of place: Coordinate) -> Double {
    let distance = place.distance(to: AlarmStory.origin).metres
    return (place.longitude.degrees < AlarmStory.origin.longitude.degrees ? -distance : distance).rounded()
  }

  init(seed: UInt64, planted: LifePhone.Planted? = nil) {
    random = SeededGenerator(seed: seed)
    phone = LifePhone(isAndroid: random.next() % 2 == 0, planted: planted)
  }

  private mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }
  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  private mutating func seconds(_ range: ClosedRange<Double>) -> TimeSpan {
    .seconds(random.double(in: range).rounded())
  }
  private mutating func note(_ words: String) {
    log.append("\(phone.time - AlarmStory.start) life \(phone.lives): \(words)")
  }

  /// Lets so many things happen; ends at the first failure.
  mutating func run(moves: Int) {
    open(.person)
    for _ in 0..<moves where oracle.failures.isEmpty { move() }
    guard oracle.failures.isEmpty else { return }
    phone.disk.isFull = false
    open(.person)
    tell(.woke, "the end")
  }

  // MARK: Inputs, with the oracle looking on

  /// - Returns: false where the process ended meanwhile.
  @discardableResult
  private mutating func tell(_ input: PhoneInput, _ words: String) -> Bool {
    watched(words) { $0.tell(input) }
  }

  @discardableResult
  private mutating func watched(_ words: String, _ act: (LifePhone) -> Bool) -> Bool {
    if !words.isEmpty { note(words) }
    if phone.stepsToLive == nil, chance(24) {
      phone.stepsToLive = below(6)
      phone.part = random.double(in: 0...1)
    }
    let before = phone.isRunning
    let isDone = act(phone)
    for heard in phone.takeHeard() {
      switch heard {
      case .told(let told):
        oracle.told(told, at: phone.time)
        log.append("    tells \(told.number): \(told.event.kind)")
      case .confirmed(let number): oracle.confirmed(upTo: number)
      }
    }
    if before, !phone.isRunning { note("killed") }
    return isDone
  }

  /// Time passes, perhaps with timers.
  private mutating func pass(_ span: TimeSpan) {
    let before = phone.isRunning
    watched(before && span > .seconds(1) ? "waits \(span)" : "") { phone in
      phone.wait(span)
      return phone.isRunning
    }
    if before, !phone.isRunning { ended() }
  }

  private mutating func look(begins: Bool = false) {
    if !begins, !phone.isRunning { return }
    oracle.look(at: phone, begins: begins)
  }

  /// Begins a life if there is none; one that is ended at once is followed by the next.
  private mutating func open(_ start: WatchEvent.Start) {
    while !phone.isRunning {
      let isReady = watched("launched, \(start)") { $0.launch(start) }
      if isReady { look(begins: true) }
    }
  }

  /// After the end of a process.
  private mutating func ended() {
    if phone.isBehind { oracle.unclear() }
    oracle.lostTime(at: phone.time)
  }

  // MARK: Moves

  private mutating func move() {
    // Nobody is as quick as a clock's grain.
    pass(.milliseconds(700))
    if !phone.isRunning, !chance(3) { return open(chance(2) ? .relaunch : .person) }
    switch random.next() % 40 {
    case 0..<10: travel()
    case 10..<14: stay()
    case 14..<17: wait()
    case 17..<21: answer()
    case 21..<25: edit()
    case 25..<27: arm(!oracle.present.isArmed || chance(4))
    case 27..<29: end("killed by the system")
    case 29: reboot()
    case 30: changePermissions()
    case 31: setClock()
    case 32: phone.disk.isFull = !phone.disk.isFull && chance(2)
    case 33..<35: damage()
    case 35: update()
    case 36: openPage()
    default: other()
    }
  }

  private mutating func travel() {
    let goal =
      chance(4)
      ? random.double(in: -1500...9500) : Self.east(ofSlot: below(Self.slots)) + random.double(in: -30...30)
    let speed = random.double(in: 1.5...20)
    let pause = max(5, abs(goal - east) / speed / 20)
    note("travels from \(Int(east)) to \(Int(goal))")
    while abs(goal - east) > 1 {
      let step = min(abs(goal - east), speed * pause)
      east += goal > east ? step : -step
      pass(.seconds(pause))
      measure()
    }
    if chance(2) { stay() }
  }

  private mutating func stay() {
    for _ in 0...below(6) {
      pass(.seconds(20))
      measure()
    }
  }

  private mutating func measure() {
    guard phone.isRunning, phone.location == .precise || phone.location == .approximate else {
      return phone.pass(.seconds(1))
    }
    let isPrecise = phone.location == .precise
    let shown = east + (isPrecise ? random.double(in: -3...3) : random.double(in: -900...900))
    let fix = Fix(
      position: AlarmStory.place(east: shown), accuracy: .radius(.metres(isPrecise ? 5 : 3000)),
      measuredAt: phone.clock, receivedAt: phone.clock)
    if isPrecise { oracle.measures(east: shown) }
    let isDone = tell(.positions([fix], ofRequest: true), "is at \(Int(shown))")
    // By a coarse position the app may rightly find that a zone was left.
    if isPrecise { oracle.measured(east: shown, isDone: isDone, at: phone.time) } else { oracle.unclear() }
    if !isDone { ended() }
    look()
  }

  private mutating func wait() {
    let isLong = chance(6) && (phone.ringing ?? []).isEmpty
    let span = isLong ? seconds(3600...40_000) : seconds(1...150)
    let before = oracle.repeats(at: phone.time)
    let isAwake = phone.isRunning
    pass(span)
    if isAwake, !phone.isRunning { return }
    if !isAwake { return }
    if span > .seconds(30) { oracle.waited(since: before, at: phone.time) }
    look()
  }

  private mutating func answer() {
    guard phone.isRunning, let ringing = phone.ringing, !ringing.isEmpty else { return }
    let one = ringing[below(ringing.count)]
    let answers: [Command] = [.acknowledgeInside(one.alarm), .sleep(one.alarm), .close(one.alarm)]
    let answer = answers[below(3)]
    let isDone = tell(.command(answer), "answers \(answer)")
    oracle.answered(one.zone, answer, isDone: isDone, at: phone.time)
    if !isDone { ended() }
    look()
  }

  private mutating func edit() {
    open(.person)
    var next = oracle.present
    let id = ZoneID(rawValue: UInt64(below(Self.slots) + 1))
    if var place = next.zones[id] {
      switch random.next() % 4 {
      case 0: next.zones[id] = nil
      case 1: place.radius = 100 + Double(below(5)) * 20
      default: place.name = Text(utf8: Array("zone \(below(1000))".utf8))
      }
      if next.zones[id] != nil { next.zones[id] = place }
    } else {
      next.zones[id] = .init(
        name: "new", radius: 100 + Double(below(5)) * 20, east: Self.east(ofSlot: Int(id.rawValue) - 1))
    }
    page.keep(next)
    save(next, "edits \(id)")
  }

  private mutating func arm(_ isArmed: Bool) {
    open(.person)
    var next = oracle.present
    next.isArmed = isArmed
    page.keep(next)
    save(next, isArmed ? "arms" : "disarms")
  }

  private mutating func save(_ next: LifeOracle.Saved, _ words: String) {
    let former = oracle.present
    oracle.saves(next)
    let isDone = handOver(next, from: former, words)
    oracle.hasSaved(isDone: isDone && !phone.isBehind)
    if !isDone { ended() }
    look()
  }

  /// The page hands over what it has.
  ///
  /// - Returns: false where the process ended meanwhile.
  private mutating func handOver(
    _ next: LifeOracle.Saved, from former: LifeOracle.Saved, _ words: String
  ) -> Bool {
    var isDone = tell(.edition(page.raiseEdition()), "")
    if isDone, next.zones != former.zones { isDone = tell(.zones(Self.zones(next), .phone), words) }
    if isDone, next.isArmed != former.isArmed {
      isDone = tell(.command(next.isArmed ? .activate : .deactivate), words)
    }
    return isDone
  }

  private static func zones(_ saved: LifeOracle.Saved) -> [Zone] {
    saved.zones.sorted { $0.key < $1.key }.map { id, place in
      .valid(
        id: id, name: place.name, size: .metres(place.radius),
        outline: .locations([AlarmStory.place(east: place.east)]))
    }
  }

  private mutating func end(_ words: String) {
    guard phone.isRunning else { return }
    note(words)
    phone.kill()
    ended()
  }

  private mutating func reboot() {
    let wrong: [TimeSpan] = [.zero, .zero, .hours(-24 * 365 * 30), .hours(-5), .minutes(-3), .hours(9)]
    let error = wrong[below(wrong.count)]
    note("restarts, with a clock that is wrong by \(error)")
    phone.reboot(clockError: error)
    ended()
    // Locked: nothing can be read.
    phone.pass(seconds(20...4000))
    open(.reboot)
    pass(seconds(1...100))
    if error != .zero, !chance(4) {
      note("the network says the time")
      phone.correctClock()
      oracle.lostTime(at: phone.time)
      tell(.woke, "woke")
      if !phone.isRunning { ended() }
    }
  }

  private mutating func update() {
    end("updated")
    open(.relaunch)
  }

  private mutating func changePermissions() {
    if chance(2) {
      phone.location = phone.location == .precise ? .allCases[below(4)] : .precise
    } else {
      phone.mayNotify.toggle()
    }
    note("location \(phone.location), notifications \(phone.mayNotify)")
    guard phone.isRunning else { return }
    phone.permissionsChanged()
    if !phone.isRunning { ended() }
  }

  private mutating func setClock() {
    let span = chance(2) ? seconds(-200...200) : seconds(-90_000...90_000)
    note("the clock is set by \(span)")
    phone.setClock(by: span)
    oracle.lostTime(at: phone.time)
    guard phone.isRunning, !chance(3) else { return }
    tell(.woke, "woke")
    if !phone.isRunning { ended() }
  }

  private mutating func damage() {
    // One trouble at a time: none while the disk is behind.
    guard !phone.isBehind, oracle.saved.count == 1 else { return }
    end("killed")
    guard oracle.saved.count == 1 else { return }
    let damage = LifeDisk.Damage.allCases[below(LifeDisk.Damage.allCases.count)]
    if damage == .allLost, !chance(3) { return }
    guard phone.disk.damage(damage, at: random.double(in: 0...1)) else { return }
    note("\(damage)")
    oracle.damaged(damage)
    phone.hasToldDamage = false
    phone.disk.isFull = false
    if damage == .allLost { page = LifePage() }
    open(.relaunch)
  }

  /// The page is opened, perhaps with a storage that was lost or is older. The app's data are the truth then.
  private mutating func openPage() {
    open(.person)
    guard oracle.saved.count == 1, !phone.isBehind, let edition = phone.host?.kept.edition else { return }
    let app = oracle.present
    let isHandedOver = page.saved == app
    if chance(3) { page.lose() } else if chance(3) { page.fallBack() }
    note("the page is opened with \(page.saved)")
    if page.isBehind(edition) { page.takeBack(app, edition) }
    if isHandedOver { oracle.pageOpened(with: page.saved) }
    if page.saved != app { return save(page.saved, "the page hands over what the app has not") }
    if !handOver(app, from: app, "the page joins") { ended() }
    look()
  }

  private mutating func other() {
    let inputs: [PhoneInput] = [
      .cameToForeground, .wentToBackground, .willTerminate, .woke, .motion(.walking), .motion(.still),
      .requestFailed, .visitArrived(AlarmStory.place(east: east)), .fenceExited(.movement),
    ]
    guard phone.isRunning else { return }
    let input = inputs[below(inputs.count)]
    if !tell(input, "\(input)") { ended() }
    look()
  }
}
