import AlarmEngine
import Geometry
import PhoneHost
import TestSupport

/// A simulated phone with the app on it: clocks, permissions, a disk, and a process that may end at any of its steps.
final class LifePhone {
  private struct Killed: Error {}

  enum Location: CaseIterable { case precise, approximate, whileInUse, denied }

  /// Faults of an app, planted to see that they are found.
  enum Planted: CaseIterable { case skipsFlush, forgetsAnswer, ringsAgain }

  let requests: PhoneHost<CertifiedWatch>.Requests
  let planted: Planted?
  var disk = LifeDisk()
  /// The true time; no clock of the phone shows it.
  private(set) var time = AlarmStory.start
  /// How far the phone's clock is set from the true time.
  private(set) var clockError = TimeSpan.zero
  private var startedAt = AlarmStory.start
  private(set) var host: PhoneHost<CertifiedWatch>?
  private var queue: [PhoneCommand] = []
  private(set) var lives = 0
  var location = Location.precise
  var mayNotify = true
  /// Steps until the process ends; nil: it goes on.
  var stepsToLive: Int?
  /// The part of the write at which the process ends that reaches the disk.
  var part = 1.0

  private(set) var wake: Instant?
  /// The alarms that the app shows; nil before a process has said which.
  private(set) var ringing: [Ringing]?
  private var ringsAgain: Told?
  /// The person was told since this was last set back.
  var hasToldDamage = false
  /// The person was told in this life.
  private(set) var isTroubleTold = false
  /// A write failed and was not made up for: what is in memory is ahead of the disk.
  private(set) var isBehind = false
  enum Heard {
    case told(Told)
    /// All events up to the number are said to be told, on the disk.
    case confirmed(UInt64)
  }
  /// The notices that the person saw and heard since they were last taken.
  private var heard: [Heard] = []

  init(isAndroid: Bool, planted: Planted?) {
    requests = isAndroid ? .answeredOnce : .collected
    self.planted = planted
  }

  func takeHeard() -> [Heard] {
    defer { heard = [] }
    return heard
  }

  var clock: Instant { time + clockError }
  private var phoneTime: PhoneTime { PhoneTime(now: clock, uptime: time - startedAt) }
  var isRunning: Bool { host != nil }

  private var capabilities: Capabilities {
    var capabilities = requests == .answeredOnce ? Capabilities.timed : .suspended
    capabilities.authorized = location != .denied
    capabilities.background = location != .denied && location != .whileInUse
    capabilities.preciseLocation = location != .approximate
    return capabilities
  }

  // MARK: Time

  func pass(_ span: TimeSpan) { time = time + span }

  func setClock(by span: TimeSpan) { clockError = clockError + span }

  /// The network says the right time.
  func correctClock() { clockError = .zero }

  /// Time passes, and the process is woken when it wants to be.
  func wait(_ span: TimeSpan) {
    let end = time + span
    while isRunning, let wake, wake - clockError <= end {
      time = max(time, wake - clockError)
      self.wake = nil
      guard tell(.woke) else { break }
    }
    time = max(time, end)
  }

  // MARK: Lives

  /// - Returns: false where the process ended before it was ready.
  @discardableResult
  func launch(_ start: WatchEvent.Start) -> Bool {
    precondition(host == nil, "one process at a time")
    lives += 1
    (ringing, isBehind, isTroubleTold) = (nil, false, false)
    open()
    return tell(.started(start, capabilities, lastKnown: nil))
  }

  private func open() {
    let begun = Timeline(
      device: DeviceID(rawValue: UInt64(lives) + 7), settings: .phone, zones: [], armed: false)
    let parts =
      disk.history + (disk.snapshot.map { [.snapshot($0)] } ?? [])
      + (disk.journal.map { [.journal($0)] } ?? [])
    if let snapshot = disk.snapshot {
      host = try? PhoneHost(
        snapshot: snapshot, journal: disk.journal, policy: CertifiedWatch(), requests: requests)
    }
    if host == nil, !parts.isEmpty || disk.isMarkedAsWatching {
      host = PhoneHost(
        recovering: parts, orBeginning: begun, policy: CertifiedWatch(), requests: requests)
    }
    if host?.isDamaged ?? false { hasToldDamage = true }
    if host == nil { host = PhoneHost(beginning: begun, policy: CertifiedWatch(), requests: requests) }
  }

  func kill() {
    host = nil
    queue = []
    stepsToLive = nil
    ringsAgain = ringing?.first.flatMap { _ in lastAlarm }
    if requests == .collected { wake = nil }
  }

  /// The phone starts anew; nothing runs before it is unlocked.
  func reboot(clockError wrong: TimeSpan) {
    kill()
    disk.loseUnflushed()
    wake = nil
    startedAt = time
    clockError = wrong
  }

  // MARK: Inputs and commands

  private var lastAlarm: Told?
  /// The last number that the host was said to be told, in the input that is carried out.
  private var confirmed: UInt64 = 0

  /// - Returns: false where the process ended before all was done.
  @discardableResult
  func tell(_ input: PhoneInput) -> Bool {
    // The fault: the app takes its notification away and passes nothing on.
    if planted == .forgetsAnswer, input.isAnswer { return true }
    do {
      queue += host?.handle(input, at: phoneTime) ?? []
      confirmed = 0
      try carryOut()
      if confirmed > 0, !isBehind { heard.append(.confirmed(confirmed)) }
      lookForTrouble()
      return true
    } catch {
      kill()
      return false
    }
  }

  func permissionsChanged() { tell(.capabilities(capabilities)) }

  private func carryOut() throws(Killed) {
    while !queue.isEmpty {
      let command = queue.removeFirst()
      if let left = stepsToLive {
        guard left > 0 else {
          endWithin(command)
          throw Killed()
        }
        stepsToLive = left - 1
      }
      switch command {
      case .append(let bytes):
        guard !isBehind else { continue }
        do { try disk.append(bytes, isFlushed: planted != .skipsFlush) } catch { failed() }
      case .replace(let bytes):
        do {
          try disk.replace(bytes)
          isBehind = false
        } catch { failed() }
      case .tell(let told):
        for each in told { show(each) }
        guard let last = told.last?.number else { continue }
        confirmed = last
        queue += host?.handle(.told(last), at: phoneTime) ?? []
      case .ringing(let alarms): show(alarms)
      case .wake(let time): wake = time
      default: break
      }
    }
  }

  private func failed() {
    isBehind = true
    queue += host?.handle(.notKept, at: phoneTime) ?? []
  }

  /// Ends the process within a write.
  private func endWithin(_ command: PhoneCommand) {
    switch command {
    case .append(let bytes): if !isBehind { try? disk.append(bytes, part: part) }
    case .replace(let bytes): try? disk.replace(bytes, step: Int(part * 3.99))
    default: break
    }
  }

  private func show(_ told: Told) {
    if case .alarm = told.event.kind { lastAlarm = told }
    heard.append(.told(told))
  }

  private func show(_ alarms: [Ringing]) {
    ringing = alarms
    // The fault: an alarm that an earlier process sounded is taken for a new one.
    if planted == .ringsAgain, let again = ringsAgain { heard.append(.told(again)) }
    ringsAgain = nil
  }

  private func lookForTrouble() {
    guard let host else { return }
    let isWatching = host.timeline.surroundings(at: clock).hasZonesToCome
    disk.isMarkedAsWatching = isWatching
    if isWatching, location != .precise || !mayNotify { isTroubleTold = true }
  }
}

extension PhoneInput {
  fileprivate var isAnswer: Bool {
    if case .command(let command) = self { command.alarm != nil } else { false }
  }
}

extension Command {
  var alarm: AlarmID? {
    switch self {
    case .close(let alarm), .sleep(let alarm), .sleepUntil(let alarm, _), .acknowledgeInside(let alarm),
      .acknowledgeForToday(let alarm, _):
      alarm
    case .activate, .deactivate, .replaceZones: nil
    }
  }
}
