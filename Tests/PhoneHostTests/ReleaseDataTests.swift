import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

/// The data that each release leaves on a phone, kept in `Tests/Releases/VERSION`.
///
/// `RELEASE_DATA=FOLDER` makes the folder's files with this program instead of reading any (`Scripts/release-data`).
@Suite("Data of each release: a phone")
struct ReleaseDataTests {
  private static let all = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../Releases").standardizedFileURL

  static let releases: [String] = {
    let found = try? FileManager.default.contentsOfDirectory(atPath: all.path)
    return (found ?? []).filter {
      FileManager.default.fileExists(atPath: all.appendingPathComponent("\($0)/phone.snapshot").path)
    }.sorted()
  }()

  private static func bytes(_ name: String, of release: String) throws -> [UInt8] {
    Array(try Data(contentsOf: all.appendingPathComponent("\(release)/\(name)")))
  }

  /// The files of a phone that has written a snapshot, and then a journal.
  private struct Phone {
    var host = PhoneHost(
      beginning: Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: [], armed: false),
      policy: CertifiedWatch())
    var snapshot: [UInt8] = []
    var journal: [UInt8] = []
    var now = AlarmStory.start

    mutating func tell(_ input: PhoneInput, after seconds: Double = 10) {
      now = now + .seconds(seconds)
      for command in host.handle(input, at: PhoneTime(now: now, uptime: nil)) {
        switch command {
        case .append(let bytes): journal += bytes
        case .replace(let bytes): (snapshot, journal) = (bytes, [])
        default: break
        }
      }
    }

    mutating func walk(east metres: Double) {
      let fix = Fix(
        position: AlarmStory.place(east: metres), accuracy: .radius(.metres(5)),
        measuredAt: now + .seconds(10))
      tell(.positions([fix], ofRequest: false))
    }

    /// Into the first zone, which rings and is put to sleep; edited, so that a snapshot is written; into the second.
    static func lived() -> Phone {
      var phone = Phone()
      let first = AlarmStory.circle("Cliff", radius: 100, east: 1000, id: 1)
      let second = AlarmStory.circle("Quarry", radius: 200, east: 3000, id: 2) {
        $0.category = "Work"
        $0.alertDistance = .metres(50)
      }
      phone.tell(.started(.person, .suspended, lastKnown: nil))
      phone.tell(.zones([first], .phone))
      phone.tell(.command(.activate))
      for step in 0..<12 { phone.walk(east: Double(step) * 90) }
      for ringing in phone.host.kept.ringing { phone.tell(.command(.sleep(ringing.alarm))) }
      var settings = Settings.phone
      settings.change(.maximumSpeed, to: 20)
      phone.tell(.zones([first, second], settings))
      for step in 0..<12 { phone.walk(east: 1000 + Double(step) * 180) }
      return phone
    }
  }

  /// A watch in lines that every later version can write.
  private static func words(_ watch: KeptWatch) -> String {
    func hexadecimal(_ id: UInt64) -> String { String(id, radix: 16) }
    let timeline = watch.timeline
    var lines = [
      "device \(hexadecimal(timeline.device.rawValue))", timeline.armed ? "armed" : "not armed",
      "through \(timeline.through?.millisecondsSince1970 ?? 0)", "entry \(watch.lastEntry)",
      "event \(watch.lastNumber)", "cycle_ms \(watch.settings.alarmCycleTime.milliseconds)",
      "maximum_speed \(watch.settings.maximumSpeed.metresPerSecond)",
    ]
    lines += timeline.zones.map {
      "zone \(hexadecimal($0.id.rawValue)) \(String(decoding: $0.name.utf8, as: UTF8.self))"
    }
    lines += watch.ringing.map {
      "ringing \(hexadecimal($0.alarm.rawValue)) zone \(hexadecimal($0.zone.rawValue)) since \($0.began.millisecondsSince1970)"
    }
    for told in watch.untold {
      guard case .alarm(let report) = told.event.kind else { continue }
      lines.append(
        "told \(told.number) alarm \(hexadecimal(report.alarm.rawValue)) at \(told.event.time.millisecondsSince1970)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The snapshot's content, then that after the journal.
  private static func words(_ snapshot: [UInt8], _ journal: [UInt8]) throws -> String {
    var watch = try WatchSnapshot.read(snapshot)
    let before = words(watch)
    let read = Journal.read(journal)
    #expect(!read.isCut && read.entries.count > 3)
    let hasGap = watch.apply(following: read.entries)
    #expect(!hasGap)
    return "snapshot\n\(before)journal of \(read.entries.count) entries\n\(words(watch))"
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["RELEASE_DATA"] != nil))
  func `the files of this version are made`() throws {
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["RELEASE_DATA"] ?? "")
    let phone = Phone.lived()
    let timeline = phone.host.timeline
    for (name, bytes) in [
      ("phone.snapshot", phone.snapshot), ("phone.journal", phone.journal),
      ("engine.snapshot", timeline.snapshot()), ("engine.zones", ZoneListBytes.encode(Array(timeline.zones))),
      ("phone.txt", Array(try Self.words(phone.snapshot, phone.journal).utf8)),
    ] {
      #expect(!bytes.isEmpty)
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
  }

  @Test func `the first release has its data`() { #expect(Self.releases.contains("0.2.0")) }

  @Test(arguments: releases)
  func `a phone's snapshot and journal are read, with all that is in them`(release: String) throws {
    let (snapshot, journal) = try (
      Self.bytes("phone.snapshot", of: release), Self.bytes("phone.journal", of: release)
    )
    let expected = String(decoding: try Self.bytes("phone.txt", of: release), as: UTF8.self)
    #expect(expected.contains("zone 2 Quarry") && expected.contains("ringing"))
    #expect(try Self.words(snapshot, journal) == expected)
    var host = try PhoneHost(snapshot: snapshot, journal: journal, policy: CertifiedWatch())
    #expect(!host.isDamaged && host.timeline.armed)
    // The watch goes on: leaving the zone ends its alarm.
    #expect(host.kept.ringing.count == 1)
    var now = try #require(host.timeline.through)
    for step in 1...4 {
      now = now + .seconds(20)
      let fix = Fix(
        position: AlarmStory.place(east: 3000 + Double(step) * 350), accuracy: .radius(.metres(5)),
        measuredAt: now)
      _ = host.handle(.positions([fix], ofRequest: false), at: PhoneTime(now: now, uptime: nil))
    }
    #expect(host.kept.ringing.isEmpty)
  }

  @Test(arguments: releases)
  func `an engine's snapshot is read and gives the same state`(release: String) throws {
    let zones = try ZoneListBytes.decode(try Self.bytes("engine.zones", of: release))
    #expect(zones.map(\.id.rawValue) == [1, 2])
    var settings = Settings.phone
    settings.change(.maximumSpeed, to: 20)
    let watched = WatchedZones(zones, defaultRadius: settings.defaultRadius)
    let device = DeviceID(rawValue: 5)
    let bytes = try Self.bytes("engine.snapshot", of: release)
    let timeline = try Timeline(snapshot: bytes, device: device, settings: settings) { _ in watched }
    let phone = try PhoneHost(
      snapshot: Self.bytes("phone.snapshot", of: release), journal: Self.bytes("phone.journal", of: release),
      policy: CertifiedWatch())
    #expect(timeline.armed && timeline.through == phone.timeline.through)
    #expect(timeline.position == phone.timeline.position)
    #expect(timeline.states.map { $0.state } == phone.timeline.states.map { $0.state })
    // Damage is refused, whatever the version.
    #expect(throws: SnapshotError.self) {
      try Timeline(snapshot: Array(bytes.dropLast()), device: device, settings: settings) { _ in watched }
    }
  }
}
