import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("replay --json")
struct JSONContractTests {
  private static let keys = [
    "event", "time", "zone", "zone_id", "alarm", "cause", "distance_m", "latitude", "longitude",
    "decided_at", "learned_at",
  ]
  private let place = Coordinate(latitude: .degrees(52.5), longitude: .degrees(-0.125))
  private let time = Instant(millisecondsSince1970: 1_774_805_523_250)

  private func line(_ kind: Event.Kind, name: Text = "Bakery") -> String? {
    JSONLine(
      Event(time: time, decidedAt: time + .seconds(2), learnedAt: time + .seconds(9), kind: kind),
      zoneName: { _ in name })?.string
  }
  private func report(_ cause: Cause = .near, distance: Double = -12.3456) -> AlarmReport {
    AlarmReport(
      alarm: AlarmID(rawValue: 0xfeed), zone: ZoneID(rawValue: 7), cause: cause, distance: .metres(distance),
      position: place)
  }

  @Test func `an alarm is written to the letter`() {
    #expect(
      line(.alarm(report())) == """
        {"event":"alarm","time":"2026-03-29T17:32:03.250Z","zone":"Bakery","zone_id":"0000000000000007",\
        "alarm":"000000000000feed","cause":"near","distance_m":-12.346,"latitude":52.5,"longitude":-0.125,\
        "decided_at":"2026-03-29T17:32:05.250Z","learned_at":"2026-03-29T17:32:12.250Z"}
        """)
  }

  @Test func `a loss of signal has no alarm and no cause`() {
    #expect(
      line(.missedSignal(zone: ZoneID(rawValue: 7), distance: .metres(40), position: place)) == """
        {"event":"missed_signal","time":"2026-03-29T17:32:03.250Z","zone":"Bakery","zone_id":"0000000000000007",\
        "alarm":null,"cause":null,"distance_m":40.000,"latitude":52.5,"longitude":-0.125,\
        "decided_at":"2026-03-29T17:32:05.250Z","learned_at":"2026-03-29T17:32:12.250Z"}
        """)
  }

  @Test func `an ignored fix belongs to no zone`() {
    let fix = Fix(position: place, accuracy: .unstated, measuredAt: time)
    #expect(
      line(.ignored(fix, .outlier)) == """
        {"event":"ignored","time":"2026-03-29T17:32:03.250Z","zone":null,"zone_id":null,\
        "alarm":null,"cause":null,"distance_m":null,"latitude":52.5,"longitude":-0.125,\
        "decided_at":"2026-03-29T17:32:05.250Z","learned_at":"2026-03-29T17:32:12.250Z"}
        """)
  }

  @Test func `repeats and clearings carry their alarm`() throws {
    let repeated = try #require(line(.repeat(report())))
    #expect(repeated.hasPrefix("{\"event\":\"repeat\",") && repeated.contains("000000000000feed"))
    let cleared = try #require(line(.cleared(report(), .left)))
    #expect(cleared.hasPrefix("{\"event\":\"cleared\",") && cleared.contains("000000000000feed"))
  }

  @Test func `what is for people only is no line`() {
    #expect(line(.notice(zone: ZoneID(rawValue: 7))) == nil)
    #expect(line(.proposal(MessageProposal(lines: []))) == nil)
  }

  @Test func `every cause has the contract's word`() {
    let causes: [Cause] = [.inside, .near, .passed, .dwell, .left, .possible]
    #expect(causes.map { $0.word.string } == ["inside", "near", "passed", "dwell", "left", "possible"])
  }

  @Test func `any name comes back as it was, on one line`() throws {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let highest: UInt32 = Bool.random(using: &random) ? 0x100 : 0x10ffff
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...highest, using: &random)) {
          scalars.append(scalar)
        }
      }
      scalars.append(contentsOf: "\"\\\n\u{2028}</script>".unicodeScalars)
      let name = String(scalars)
      let text = try #require(self.line(.alarm(report()), name: Text(name)))
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{2028}" }, "seed \(seed)")
      let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let object = try #require(parsed as? [String: Any])
      #expect(Array((object["zone"] as? String ?? "").unicodeScalars) == Array(scalars), "seed \(seed)")
    }
  }

  @Test func `bytes that are no text still make a line`() throws {
    let text = try #require(self.line(.alarm(report()), name: Text(utf8: [0xed, 0xa0, 0x80, 0xff, 0x41])))
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(parsed is [String: Any])
  }

  @Test func `a whole replay keeps the contract`() throws {
    let folder = try TestFolder()
    let track = try folder.file("walk.gpx", Sample.walk())
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.006, alert: 50))
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones, "--json") == 0, "\(captured.messages)")
    var words: [String] = []
    for line in captured.lines {
      let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let object = try #require(parsed as? [String: Any])
      #expect(Set(object.keys) == Set(Self.keys))
      var rest = line[...]
      for key in Self.keys {
        let found = try #require(rest.range(of: "\"\(key)\":"), "\(key) in its place: \(line)")
        rest = rest[found.upperBound...]
      }
      words.append(object["event"] as? String ?? "")
    }
    #expect(words.first == "alarm")
    #expect(words.contains("repeat"))
    #expect(words.last == "cleared")
  }
}
