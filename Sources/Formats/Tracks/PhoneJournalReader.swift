import AlarmEngine
import Foundation
import Geometry
import PhoneHost

/// Reads the journal that the Android or iOS app exports (``JournalExport``), the one in the report of a
/// phone (``FirstRunFile``), or one journal file as it is on the phone.
///
/// Damage is passed over, as by the phone itself. Missing entries are reported.
enum PhoneJournalReader {
  /// The largest file in bytes. Apps keep 8 MiB, plus the last journal and its snapshot.
  static let largest = 256 << 20

  static func begins(_ head: [UInt8]) -> Bool {
    head.starts(with: JournalExport.mark) || FirstRunFile.begins(head) || Journal.begins(head)
  }

  static func read(_ source: ByteSource) throws -> TrackFile {
    var bytes = try source.rest(limit: largest)
    if bytes.first == UInt8(ascii: "{") {
      guard let report = FirstRunFile(bytes) else {
        throw ReadError("\(source.label) is cut short or damaged, the report of a phone expected")
      }
      bytes = try report.journal(source.label)
    }
    guard !bytes.isEmpty else { throw ReadError("\(source.label) is empty, the journal of a phone expected") }
    var reading = Reading()
    if bytes.starts(with: JournalExport.mark) {
      let export = try JournalExport.read(bytes)
      for part in export.parts { reading.take(part) }
      if export.isCut { reading.isCut = true }
    } else {
      reading.take(.journal(bytes))
    }
    return try reading.finish(source.label)
  }

  private struct Reading {
    private var collector = TrackFileCollector()
    private var steps: [PhoneRecord.Step] = []
    /// The number of the last entry read or covered by a snapshot.
    private var lastNumber: UInt64?
    private var device: DeviceID?
    private var lastTime: Instant?
    private var firstTime: Instant?
    private var entries = 0
    /// True if the last part read, or the file, is truncated or damaged at its end.
    var isCut = false

    mutating func take(_ part: JournalExport.Part) {
      switch part {
      case .snapshot(let bytes):
        guard let state = try? WatchSnapshot.read(bytes) else {
          let words = "the phone's state \(after) is damaged; it is left out"
          collector.note(.error, line: nil, words)
          return
        }
        take(state)
      case .journal(let bytes):
        let read = Journal.read(bytes)
        for (number, entry) in read.entries { take(entry, number) }
        isCut = read.isCut
      }
    }

    private mutating func take(_ state: KeptWatch) {
      if let device, device != state.timeline.device {
        let words = "\(after) the app started without its state: it could not read it, or was reinstalled"
        collector.note(.warning, line: nil, words)
      } else if let lastNumber {
        // Skips a snapshot that is older than the entries already read.
        guard state.lastEntry >= lastNumber else { return }
        noteGap(from: lastNumber, to: state.lastEntry + 1)
      }
      if lastNumber != state.lastEntry || steps.isEmpty { add(state.timeline.fixes(receivedAfter: lastFix)) }
      steps.append(.state(state))
      lastNumber = state.lastEntry
      device = state.timeline.device
      // The snapshot covers what the journal before it lost.
      isCut = false
    }

    private mutating func take(_ entry: JournalEntry, _ number: UInt64) {
      if let lastNumber {
        guard number > lastNumber else { return }
        noteGap(from: lastNumber, to: number)
      }
      lastNumber = number
      steps.append(.entry(entry))
      entries += 1
      firstTime = firstTime ?? entry.at
      lastTime = entry.at
      if case .inputs(let inputs) = entry.content {
        add(inputs.compactMap { if case .fix(let fix) = $0 { fix } else { nil } })
      }
    }

    private var lastFix = Instant.allowed.lowerBound

    private mutating func add(_ fixes: [Fix]) {
      for fix in fixes {
        collector.append(TrackFile.Point(fix: fix), to: "")
        lastFix = max(lastFix, fix.receivedAt)
      }
    }

    private mutating func noteGap(from last: UInt64, to next: UInt64) {
      guard next > last + 1 else { return }
      let missing = last + 2 == next ? "entry \(last + 1) is" : "entries \(last + 1) to \(next - 1) are"
      collector.note(.error, line: nil, "\(missing) missing from the journal")
    }

    private var after: String { lastNumber.map { "after entry \($0)" } ?? "at the beginning" }

    mutating func finish(_ label: String) throws -> TrackFile {
      guard !steps.isEmpty else {
        let issue = collector.listed.first.map { ": \($0.message)" } ?? ""
        throw ReadError("\(label) is damaged: nothing of this phone's journal can be read\(issue)")
      }
      if isCut {
        let words = "the journal \(after) is cut short or damaged; the rest is left out"
        collector.note(.error, line: nil, words)
      }
      guard let file = try? collector.finish(name: label, expected: "") else {
        let span = firstTime.flatMap { first in
          lastTime.map { " from \(RFC3339.string(from: first)) to \(RFC3339.string(from: $0))" }
        }
        throw ReadError(
          "\(label) holds no fix: the phone's journal has \(entries) entries\(span ?? "") and no position in them; "
            + "the phone received none")
      }
      return TrackFile(devices: file.devices, issues: file.issues, phone: PhoneRecord(steps: steps))
    }
  }
}
