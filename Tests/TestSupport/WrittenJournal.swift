import AlarmEngine
import Geometry
import PhoneHost

/// A phone that writes its journal as the apps do: a snapshot, the journal that goes on from it, the next
/// snapshot.
public struct WrittenJournal {
  public private(set) var host: PhoneHost<CertifiedWatch>
  /// The events delivered, with the times of delivery.
  public private(set) var told: [(at: Instant, told: Told)] = []
  /// False if the phone never confirms that an event was shown.
  public var shows = true
  private var past: [JournalExport.Part] = []
  private var snapshot: [UInt8] = []
  private var journal: [UInt8] = []

  public init(device: UInt64 = 5, at time: Instant, zones: [Zone], settings: Settings = .phone) {
    host = PhoneHost(
      beginning: Timeline(device: DeviceID(rawValue: device), settings: .phone, zones: [], armed: false),
      policy: CertifiedWatch(), requests: .answeredOnce)
    tell(.started(.person, .suspended, lastKnown: nil), at: time)
    tell(.zones(zones, settings), at: time)
    tell(.command(.activate), at: time)
  }

  public mutating func tell(_ input: PhoneInput, at now: Instant) {
    for command in host.handle(input, at: PhoneTime(now: now, uptime: nil)) {
      switch command {
      case .append(let bytes): journal += bytes
      case .replace(let bytes):
        past += present
        (snapshot, journal) = (bytes, [])
      case .tell(let told):
        self.told += told.map { (now, $0) }
        if shows, let last = told.last { tell(.told(last.number), at: now) }
      default: break
      }
    }
  }

  /// Delivers positions as they arrive, and runs timers that fall due in between.
  public mutating func measure(_ fixes: [Fix]) {
    for fix in fixes {
      while let due = host.timeline.nextDue, due < fix.receivedAt { tell(.woke, at: due) }
      tell(.positions([fix], ofRequest: true), at: fix.receivedAt)
    }
  }

  /// Starts a new process with the previous one's files.
  public mutating func relaunch(at now: Instant) {
    guard
      let again = try? PhoneHost(
        snapshot: snapshot, journal: journal, policy: CertifiedWatch(), requests: .answeredOnce)
    else { preconditionFailure("what a host wrote cannot be read") }
    host = again
    tell(.started(.relaunch, .suspended, lastKnown: nil), at: now)
  }

  private var present: [JournalExport.Part] {
    (snapshot.isEmpty ? [] : [.snapshot(snapshot)]) + (journal.isEmpty ? [] : [.journal(journal)])
  }
  public var parts: [JournalExport.Part] { past + present }
  public var export: [UInt8] { JournalExport.bytes(of: parts) }

  /// A walk due east through a zone of 100 m, with a position every ten seconds from 400 m before its centre
  /// to 400 m behind it.
  public static func walk(from start: Instant = AlarmStory.start) -> [Fix] {
    (0...80).map { step in
      let time = start + .seconds(Double(step) * 10)
      return Fix(
        position: AlarmStory.place(east: Double(step) * 10 - 400), accuracy: .radius(.metres(8)),
        measuredAt: time,
        receivedAt: time)
    }
  }
}
