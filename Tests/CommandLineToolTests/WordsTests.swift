import AlarmEngine
import CommandLineSupport
import Formats
import Geometry
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Words")
struct WordsTests {
  @Test func `every case has words of its own`() {
    let causes: [Cause] = [.inside, .near, .passed, .dwell, .left, .possible]
    let clearings: [Clearing] = [
      .left, .passedThrough, .deactivated, .zoneRemoved, .zoneEdited, .scheduleClosed, .reported,
    ]
    let ignored: [Ignored] = [.invalidAccuracy, .duplicate, .outlier, .fromTheFuture, .tooCoarse, .tooOld]
    let offDuty: [OffDuty] = [.disarmed, .inactive, .scheduleClosed]
    for texts in [
      causes.map { words($0) }, clearings.map { words($0) }, ignored.map { words($0) },
      offDuty.map { words($0) },
      Verdict.allCases.map { words($0) }, Verdict.allCases.map { $0.word.string },
      Assurance.allCases.map { $0.word.string },
    ] {
      #expect(Set(texts).count == texts.count)
      #expect(texts.allSatisfy { !$0.isEmpty })
    }
  }

  @Test func `words of rules that ring say so, and no others`() {
    for verdict in Verdict.allCases where verdict != .ringing {
      #expect(words(verdict).hasPrefix("rings") == verdict.rings, "\(words(verdict))")
    }
  }

  @Test func `lengths are said as people say them`() {
    #expect(
      [0, 0.44, 9.96, 34.4, 999.4, 999.6, 1200, 64_000, 1_234_567].map { lengthWords(.metres($0)) }
        == ["0.0 m", "0.4 m", "10 m", "34 m", "999 m", "1.00 km", "1.20 km", "64.0 km", "1235 km"])
    #expect(distanceWords(.metres(-34)) == "34 m inside")
    #expect(distanceWords(.metres(34)) == "34 m away")
    #expect(distanceWords(.metres(-0.04)) == "at the edge")
    #expect(ringWords(.inside, .metres(-34)) == "inside the zone by 34 m")
    #expect(ringWords(.near, .metres(34)) == "within the alert distance, 34 m away")
  }

  @Test func `spans are said as people say them`() {
    #expect(
      [TimeSpan.seconds(0.4), .seconds(42), .seconds(200), .seconds(7500), .hours(76), .seconds(-60)].map(
        spanWords)
        == ["0.4 s", "42 s", "3 min 20 s", "2 h 5 min", "3 d 4 h", "-1 min"])
  }

  @Test func `numbers never show exponents or a negative nothing`() {
    #expect(fixedPoint(-0.001, decimals: 2) == "0.00")
    #expect(fixedPoint(0.005, decimals: 2) == "0.01")
    #expect(fixedPoint(-1234.5, decimals: 0) == "-1235")
    #expect(fixedPoint(1e7, decimals: 3) == "10000000.000")
    #expect(fixedPoint(0.07, decimals: 3) == "0.070")
  }

  @Test func `a name cannot forge lines or steer the terminal`() {
    #expect(printable("a\u{1b}[31mb\r\nc\u{202e}d") == "a\u{fffd}[31mb\u{fffd}\u{fffd}c\u{fffd}d")
    #expect(printable("Zoë 家 👩‍🚒") == "Zoë 家 👩‍🚒")
    #expect(displayName("  ") == "(no name)")
  }

  @Test func `an issue is told as compilers tell it`() {
    #expect(line(for: ReadIssue(.warning, line: 7, "odd"), in: "a.gpx") == "a.gpx:7: warning: odd")
    #expect(line(for: ReadIssue(.error, "latitude 91"), in: "a.gpx") == "a.gpx: error: latitude 91")
  }

  @Test func `a table lines up, also with wide letters, and cuts what is too long`() {
    var table = TextTable(widest: 6)
    table.add(["a", "家", "x"])
    table.add(["abc", "abcdefgh", "y"])
    #expect(table.lines == ["a    家      x", "abc  abcde…  y"])
  }

  @Test func `the names nearest to a slip of the pen are offered`() {
    #expect(nearestNames(to: "Bakry", among: ["Market", "Bakery", "Bank", "Bakery"]).first == "Bakery")
    #expect(nearestNames(to: "hall", among: ["Market hall", "Haul"]).first == "Market hall")
  }
}

@Suite("Times")
struct InstantWordsTests {
  @Test func `a time is written as RFC 3339 with milliseconds`() {
    #expect(rfc3339(Instant(millisecondsSince1970: 0)) == "1970-01-01T00:00:00.000Z")
    #expect(rfc3339(Instant(millisecondsSince1970: -1)) == "1969-12-31T23:59:59.999Z")
    #expect(rfc3339(Instant.allowed.lowerBound) == "0001-01-01T00:00:00.000Z")
    #expect(rfc3339(Instant.allowed.upperBound) == "9999-12-31T23:59:59.999Z")
    #expect(rfc3339(Instant(millisecondsSince1970: 951_782_400_123)) == "2000-02-29T00:00:00.123Z")
  }

  @Test func `what is written reads back`() {
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      let time = Instant(
        millisecondsSince1970: Int64.random(
          in: Instant.allowed.lowerBound
            .millisecondsSince1970...Instant.allowed.upperBound.millisecondsSince1970,
          using: &random))
      #expect(instant(typed: rfc3339(time)) == time, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "2026-03-29T17:32:03Z", "2026-03-29 17:32:03", "2026-03-29t19:32:03+02:00", "2026-03-29T12:02:03-0530",
    "2026-03-29T19:32:03+02", "1774805523", "1774805523.000", "2026-03-29T17:32:03.000000Z",
  ])
  func `people may type a time in many ways`(text: String) {
    #expect(instant(typed: text) == Instant(millisecondsSince1970: 1_774_805_523_000))
  }

  @Test(arguments: [
    "", "now", "2026", "2026-13-01", "2026-02-29", "2026-01-01T24:00:00Z", "2026-01-01T10",
    "2026-01-01T10:00+",
    "2026-01-01T10:00Zx", "0000-01-01", "99999999999999999999", "2026-01-01T10:00:00.Z", "1.2.3.4.5.6",
  ])
  func `what is no time is refused`(text: String) {
    #expect(instant(typed: text) == nil)
  }

  @Test func `a time of another day says so`() {
    let evening = Instant(millisecondsSince1970: 1_700_000_000_000)
    #expect(clockWords(evening, nextTo: evening) == "22:13:20")
    #expect(clockWords(evening + .hours(4), nextTo: evening) == "2023-11-15 02:13:20")
  }
}
