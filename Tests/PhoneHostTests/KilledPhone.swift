import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

/// A phone that carries out its host's commands, with a disk that outlives the process. It can be killed at
/// any of its steps: before a write, in the middle of one, between two commands.
struct KilledPhone {
  private(set) var host: PhoneHost<CertifiedWatch>
  private(set) var snapshot: [UInt8] = []
  private(set) var journal: [UInt8] = []
  /// The events shown, by number; an event that was shown twice is there twice.
  private(set) var shown: [UInt64: [Event]] = [:]
  private(set) var launches = 1
  /// Journals that were replaced by a snapshot.
  private(set) var past: [[UInt8]] = []
  /// The requests to the platform in this process that are still in force.
  private(set) var session: Session?
  private(set) var fences: [Fence] = []
  private(set) var wake: Instant?
  /// Requests for one position, in all processes.
  private(set) var requests = 0
  /// Steps until the process is killed; nil: never.
  var stepsToLive: Int?

  private let beginning: Timeline
  /// The time of the last input.
  private var last = AlarmStory.start

  init(zones: [Zone], armed: Bool = true) {
    beginning = Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: zones, armed: armed)
    host = PhoneHost(beginning: beginning, policy: CertifiedWatch())
  }

  static var capabilities: Capabilities { .suspended }

  /// Gives an input to the host and carries out its commands; repeats the input after a relaunch if the
  /// process was killed meanwhile. On a real phone an input may be lost; here it is not.
  mutating func tell(_ input: PhoneInput, at now: Instant) {
    while !hasDone(input, at: now) { relaunch(at: last) }
    last = now
  }

  /// - Parameter time: not before the last time on the disk, since the clock was not set.
  mutating func relaunch(at time: Instant) {
    launches += 1
    stepsToLive = nil
    (session, fences, wake) = (nil, [], nil)
    if snapshot.isEmpty {
      host = PhoneHost(beginning: beginning, policy: CertifiedWatch())
    } else {
      do {
        host = try PhoneHost(snapshot: snapshot, journal: journal, policy: CertifiedWatch())
      } catch { Issue.record("what a host wrote cannot be read: \(error)") }
    }
    let now = max(time, host.timeline.through ?? time)
    _ = hasDone(.started(.relaunch, Self.capabilities, lastKnown: nil), at: now)
  }

  /// False if the process was killed before all commands were carried out.
  private mutating func hasDone(_ input: PhoneInput, at now: Instant) -> Bool {
    // A timer fires once.
    if case .woke = input, let time = wake, time <= now { wake = nil }
    for command in host.handle(input, at: PhoneTime(now: now, uptime: nil)) {
      if let left = stepsToLive {
        if left == 0 {
          // A part of an append may have reached the disk; a snapshot is replaced in full or not at all.
          if case .append(let bytes) = command { journal += bytes.prefix(bytes.count * (launches % 5) / 4) }
          return false
        }
        stepsToLive = left - 1
      }
      guard carryOut(command, at: now) else { return false }
    }
    return true
  }

  private mutating func carryOut(_ command: PhoneCommand, at now: Instant) -> Bool {
    switch command {
    case .append(let bytes): journal += bytes
    case .replace(let bytes):
      if !journal.isEmpty { past.append(journal) }
      snapshot = bytes
      // The journal is started anew a moment later.
      if let left = stepsToLive, left == 0 { return false }
      journal = []
    case .tell(let told):
      for each in told { shown[each.number, default: []].append(each.event) }
      return told.last.map { hasDone(.told($0.number), at: now) } ?? true
    case .session(let wanted): session = wanted
    case .endSession: session = nil
    case .startRequest: requests += 1
    case .fences(let wanted): fences = wanted
    case .wake(let time): wake = time
    default: break
    }
    return true
  }
}
