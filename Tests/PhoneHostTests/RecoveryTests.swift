import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

/// The smallest stories of what `LivesTests` found.
@Suite("A watch whose files are lost or damaged")
struct RecoveryTests {
  /// A phone that does what its host says, with all that it ever wrote.
  private struct Kept {
    var host = PhoneHost(beginning: begun, policy: CertifiedWatch())
    var parts: [JournalExport.Part] = []
    var snapshot: [UInt8] = []
    var journal: [UInt8] = []
    var now = AlarmStory.start

    static let begun = Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: [], armed: false)

    mutating func tell(_ input: PhoneInput, writes: Bool = true) {
      for command in host.handle(input, at: PhoneTime(now: now, uptime: nil)) {
        switch command {
        case .append(let bytes) where writes: journal += bytes
        case .replace(let bytes) where writes:
          if !snapshot.isEmpty { parts += [.snapshot(snapshot), .journal(journal)] }
          (snapshot, journal) = (bytes, [])
        case .append, .replace: _ = host.handle(.notKept, at: PhoneTime(now: now, uptime: nil))
        default: break
        }
      }
    }
    func relaunched() throws -> PhoneHost<CertifiedWatch> {
      try PhoneHost(snapshot: snapshot, journal: journal, policy: CertifiedWatch())
    }
    func recovered(_ parts: [JournalExport.Part]) -> PhoneHost<CertifiedWatch> {
      PhoneHost(recovering: parts, orBeginning: Self.begun, policy: CertifiedWatch())
    }
  }

  /// Started, with two zones and armed, some positions later.
  private func kept() -> Kept {
    var kept = Kept()
    kept.tell(.started(.person, .suspended, lastKnown: nil))
    kept.now = kept.now + .seconds(1)
    kept.tell(.zones([AlarmStory.circle(east: 1000), AlarmStory.circle(east: 5000, id: 2)], .phone))
    kept.now = kept.now + .seconds(1)
    kept.tell(.command(.activate))
    for step in 0..<5 {
      kept.now = kept.now + .seconds(10)
      let fix = Fix(
        position: AlarmStory.place(east: Double(step) * 50), accuracy: .radius(.metres(5)),
        measuredAt: kept.now)
      kept.tell(.positions([fix], ofRequest: true))
    }
    return kept
  }

  private func expectSame(_ host: PhoneHost<CertifiedWatch>, _ kept: Kept, _ words: String) {
    #expect(Array(host.timeline.zones) == Array(kept.host.timeline.zones), "\(words)")
    #expect(host.timeline.armed == kept.host.timeline.armed, "\(words)")
    #expect(host.timeline.position == kept.host.timeline.position, "\(words)")
  }

  @Test func `what stands behind a damaged place of the journal counts, and the damage is told`() throws {
    var kept = kept()
    kept.journal[9] ^= 1
    let host = try kept.relaunched()
    #expect(host.isDamaged)
    expectSame(host, kept, "the first entry is damaged")
    // A piece at the end is what a process leaves that was ended while it wrote: nothing was promised.
    var cut = self.kept()
    cut.journal.removeLast()
    #expect(try !cut.relaunched().isDamaged)
  }

  @Test func `without its snapshot a watch goes on from the one before and all journals behind it`() {
    let kept = kept()
    expectSame(kept.recovered(kept.parts + [.journal(kept.journal)]), kept, "the snapshot is lost")
    let harmed = kept.parts + [.snapshot([1, 2, 3]), .journal(kept.journal)]
    expectSame(kept.recovered(harmed), kept, "the snapshot is damaged")
    let journals = harmed.filter { if case .journal = $0 { true } else { false } }
    expectSame(kept.recovered(journals), kept, "no snapshot is left")
    #expect(kept.recovered([]).isDamaged)
    #expect(kept.recovered([]).timeline.zones.isEmpty)
  }

  @Test func `no zone is in the journal alone`() throws {
    let kept = kept()
    let host = try PhoneHost(snapshot: kept.snapshot, journal: nil, policy: CertifiedWatch())
    #expect(host.isDamaged)
    #expect(Array(host.timeline.zones) == Array(kept.host.timeline.zones))
    #expect(host.timeline.armed)
    // Nor one of a process that ended between journal and snapshot.
    var cut = Kept()
    cut.tell(.started(.person, .suspended, lastKnown: nil))
    cut.now = cut.now + .seconds(1)
    let commands = cut.host.handle(
      .zones([AlarmStory.circle()], .phone), at: PhoneTime(now: cut.now, uptime: nil))
    guard case .append(let bytes)? = commands.first else { throw DataError.unknown }
    cut.journal += bytes
    cut.host = try cut.relaunched()
    cut.tell(.started(.relaunch, .suspended, lastKnown: nil))
    #expect(try WatchSnapshot.read(cut.snapshot).timeline.zones.count == 1)
  }

  @Test func `what the disk refused is written with the next input`() throws {
    var kept = kept()
    kept.now = kept.now + .seconds(1)
    kept.tell(.zones([AlarmStory.circle(east: 1000)], .phone), writes: false)
    #expect(try kept.relaunched().timeline.zones.count == 2)
    kept.now = kept.now + .seconds(1)
    kept.tell(.motion(.walking))
    #expect(try kept.relaunched().timeline.zones.count == 1)
    #expect(try !kept.relaunched().isDamaged)
  }

  @Test func `of two commands of one millisecond, the later one counts`() {
    var kept = kept()
    kept.tell(.command(.deactivate))
    kept.tell(.command(.activate))
    kept.tell(.command(.deactivate))
    #expect(!kept.host.timeline.armed)
  }

  @Test func `a command counts though the clock was set back unseen`() {
    var kept = kept()
    kept.now = kept.now + .hours(-3)
    kept.tell(.command(.deactivate))
    #expect(!kept.host.timeline.armed)
    kept.tell(.zones([], .phone))
    #expect(kept.host.timeline.zones.isEmpty)
  }
}
