import AlarmEngine
import Foundation
import Geometry
import PhoneHost
import TestSupport
import Testing

@testable import Formats

@Suite("Journals of a phone's app")
struct PhoneJournalReaderTests {
  private func written(_ change: (inout WrittenJournal) -> Void = { _ in }) -> WrittenJournal {
    var journal = WrittenJournal(at: AlarmStory.start, zones: [AlarmStory.circle()])
    journal.measure(WrittenJournal.walk())
    change(&journal)
    return journal
  }

  private func read(_ bytes: [UInt8], _ name: String = "x") throws -> TrackFile {
    try TrackFile.read(data: Data(bytes), name: name)
  }

  @Test func `the positions of a journal are a track, whatever its name is`() throws {
    let export = written().export
    for name in ["x", "phone.journal", "phone.journal.gz"] {
      let file = try read(export, name)
      #expect(file.devices.map { $0.points.map(\.fix) } == [WrittenJournal.walk()])
      #expect(file.issues.isEmpty)
      #expect(try #require(file.phone).knowsZones)
    }
  }

  @Test func `a journal goes on over snapshots and launches, each entry once`() throws {
    let journal = written { journal in
      for day in 1...9 {
        let start = AlarmStory.start + .hours(24 * Double(day))
        journal.measure(WrittenJournal.walk(from: start))
        journal.relaunch(at: start + .hours(1))
      }
    }
    #expect(journal.parts.count > 4)
    let file = try read(journal.export)
    #expect(file.issues.isEmpty, "\(file.issues)")
    #expect(file.devices[0].points.count == 81 * 10)
    // Written repeatedly, as when the app was ended between two steps of saving.
    let doubled = try read(JournalExport.bytes(of: journal.parts.flatMap { [$0, $0] } + journal.parts))
    #expect(doubled.devices[0].points == file.devices[0].points)
    #expect(doubled.issues.isEmpty, "\(doubled.issues)")
  }

  @Test func `a journal file as it lies on the phone is read, too`() throws {
    guard case .journal(let bytes)? = written().parts.last else {
      Issue.record("no journal")
      return
    }
    #expect(try read(bytes).devices[0].points.count == 81)
    let noZones = written { $0.measure([]) }
    #expect(try #require(read(noZones.export).phone).knowsZones)
  }

  @Test func `parts that are missing are told by the numbers of their entries`() throws {
    let journal = written { journal in
      for day in 1...9 {
        journal.measure(WrittenJournal.walk(from: AlarmStory.start + .hours(24 * Double(day))))
      }
    }
    var parts = journal.parts
    let index = try #require(parts.dropFirst(2).firstIndex { if case .journal = $0 { true } else { false } })
    parts.remove(at: index)
    let file = try read(JournalExport.bytes(of: parts))
    #expect(file.issues.map(\.severity) == [.error])
    #expect(
      file.issues[0].message.hasPrefix("entries ")
        && file.issues[0].message.hasSuffix(" are missing from the journal"))
    // The snapshot after the gap still holds an hour of it, which is read.
    #expect(file.devices[0].points.count > 81 * 5)
  }

  @Test func `an installation that began anew is said to have`() throws {
    let first = written()
    let second = WrittenJournal(device: 6, at: AlarmStory.start + .hours(5), zones: [AlarmStory.circle()])
    let file = try read(JournalExport.bytes(of: first.parts + second.parts))
    #expect(file.issues.map(\.severity) == [.warning])
    #expect(file.issues[0].message.contains("the app started without its state"))
  }

  @Test func `cut off anywhere, what is whole is read, or it is said why nothing is`() throws {
    let export = written().export
    var whole = 0
    for length in stride(from: 0, to: export.count, by: 7) {
      do {
        let file = try read(Array(export.prefix(length)), "x.journal")
        whole += 1
        #expect(!file.devices[0].points.isEmpty && file.devices[0].points.count < 82)
        #expect(
          file.issues.contains { $0.severity == .error && $0.message.contains("cut short") }, "\(length)")
      } catch let error as ReadError {
        #expect(
          ["is empty", "is damaged", "no position in them"].contains { error.description.contains($0) },
          "\(length): \(error)")
      }
    }
    #expect(whole > 100)
  }

  @Test(arguments: Seeds.few(4)) func `whatever byte is flipped, no position is invented`(seed: Int) throws {
    let export = written().export
    let fixes = Set(WrittenJournal.walk())
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      var damaged = export
      for _ in 0...Int(random.next() % 3) {
        damaged[Int(random.next() % UInt64(damaged.count))] ^= UInt8(1 + random.next() % 255)
      }
      guard let file = try? read(damaged, "x.journal") else { continue }
      #expect(file.devices[0].points.allSatisfy { fixes.contains($0.fix) })
      #expect(!file.issues.isEmpty)
    }
  }

  @Test func `lengths beyond the file and numbers beyond counting are damage`() throws {
    let mark = JournalExport.mark
    for bytes in [
      mark, mark + [2, 255, 255, 255, 255], mark + [1, 255, 255, 255, 255, 1], mark + [9, 0, 0, 0, 0],
      mark + [2, 0, 0, 0, 0], mark + [2, 0, 0, 0, 4, 255, 255, 255, 255],
    ] {
      let error = #expect(throws: ReadError.self) { try read(bytes) }
      #expect(error?.description.contains("is damaged") ?? false, "\(String(describing: error))")
    }
    let last = Journal.bytes(of: JournalEntry(.timePassed, at: AlarmStory.start), number: .max)
    #expect(Journal.read(last).isCut)
  }

  @Test func `a phone that was told no position is said to have been told none`() {
    let journal = WrittenJournal(at: AlarmStory.start, zones: [AlarmStory.circle()])
    let error = #expect(throws: ReadError.self) { try read(journal.export, "phone.journal") }
    #expect(error?.description.contains("the phone received none") ?? false)
    #expect(error?.description.contains("2026-06-01T00:00:00") ?? false)
  }
}
