import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

/// A phone that does what its host says, with a disk that outlives the process, and that can be killed at any of its
/// steps: before a write, in the middle of one, between two commands.
struct KilledPhone {
  private(set) var host: PhoneHost<CertifiedWatch>
  private(set) var snapshot: [UInt8] = []
  private(set) var journal: [UInt8] = []
  /// What was shown and sounded, by its number, as often as it was.
  private(set) var shown: [UInt64: [Event]] = [:]
  private(set) var launches = 1
  /// Journals that a snapshot took the place of.
  private(set) var past: [[UInt8]] = []
  /// What the platform was asked for in this process and stands.
  private(set) var session: Session?
  private(set) var fences: [Fence] = []
  private(set) var wake: Instant?
  /// Requests for one position, over all processes.
  private(set) var requests = 0
  /// Steps until the process is killed; nil: never.
  var stepsToLive: Int?

  private let beginning: Timeline
  /// When it was last told something.
  private var last = AlarmStory.start

  init(zones: [Zone], armed: Bool = true) {
    beginning = Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: zones, armed: armed)
    host = PhoneHost(beginning: beginning, policy: CertifiedWatch())
  }

  static var capabilities: Capabilities { .suspended }

  /// Tells the host, and does what it wants; again after a relaunch, if it was killed meanwhile: what a phone measured
  /// comes again or not, and here it does.
  mutating func tell(_ input: PhoneInput, at now: Instant) {
    while !hasDone(input, at: now) { relaunch(at: last) }
    last = now
  }

  /// - Parameter time: not before what the disk knows, as no clock was set.
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

  /// False where the process was killed before all was done.
  private mutating func hasDone(_ input: PhoneInput, at now: Instant) -> Bool {
    // A timer goes off once.
    if case .woke = input, let time = wake, time <= now { wake = nil }
    for command in host.handle(input, at: PhoneTime(now: now, uptime: nil)) {
      if let left = stepsToLive {
        if left == 0 {
          // Of a write, a piece may have come to the disk; a snapshot takes the other's place whole or not at all.
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
      // The journal is begun anew a moment later.
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
