import AlarmEngine
import Foundation
import TestSupport
import Testing

@testable import Formats

@Suite("Times in files")
struct TimestampTests {
  @Test(arguments: [
    ("2026-11-21T11:32:05Z", "2026-11-21T11:32:05.000Z"),
    ("2026-11-21t11:32:05.25z", "2026-11-21T11:32:05.250Z"),
    ("2026-11-21T11:32:05.2504999Z", "2026-11-21T11:32:05.250Z"),
    ("2026-11-21T11:32:05.2505Z", "2026-11-21T11:32:05.251Z"),
    ("2026-12-31T23:59:59.9995Z", "2027-01-01T00:00:00.000Z"),
    ("2026-11-21T11:32:05,5+01:30", "2026-11-21T10:02:05.500Z"),
    ("2026-11-21T11:32:05-0800", "2026-11-21T19:32:05.000Z"),
    ("2026-11-21T11:32:05+01", "2026-11-21T10:32:05.000Z"),
    ("2026-11-21 11:32:05 UTC", "2026-11-21T11:32:05.000Z"),
    ("2026-06-30T23:59:60Z", "2026-07-01T00:00:00.000Z"),
    ("2024-02-29T24:00:00Z", "2024-03-01T00:00:00.000Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ("1901-12-13T20:45:52.207Z", "1901-12-13T20:45:52.207Z"),
    ("0", "1970-01-01T00:00:00.000Z"),
    ("-1.5", "1969-12-31T23:59:58.500Z"),
    ("1795260725", "2026-11-21T11:32:05.000Z"),
    ("1795260725.2504", "2026-11-21T11:32:05.250Z"),
    ("1.795260725e9", "2026-11-21T11:32:05.000Z"),
    ("1795260725250", "2026-11-21T11:32:05.250Z"),
    ("1795260725250000", "2026-11-21T11:32:05.250Z"),
    ("1795260725250000000", "2026-11-21T11:32:05.250Z"),
  ])
  func `are read with their zone or as Unix time`(text: String, instant: String) {
    guard case .time(let time, zone: .stated) = Timestamp.read("  \(text)\t") else {
      Issue.record("\(text) is not read")
      return
    }
    #expect(RFC3339.string(from: time) == instant)
  }

  @Test(arguments: ["2026-11-21T11:32:05", "2026/11/21 11:32:05", "2026-11-21 11:32:05.0", "20261121113205"])
  func `without a zone are UTC and say so`(text: String) {
    #expect(
      Timestamp.read(text) == .time(Instant(millisecondsSince1970: 1_795_260_725_000), zone: .assumedUTC))
  }

  @Test(arguments: [
    "", " ", "yesterday", "2026-11-21", "11:32:05", "21.11.2026 11:32:05", "11/21/2026 11:32",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-11-21T24:00:01Z", "2026-11-21T11:60:00Z", "2026-11-21T11:32:61Z",
    "2026-11-21T11:32:05X", "2026-11-21T11:32:05+24:00", "2026-11-21T11:32:05.Z", "2026-11-21T11:32:05Z Z",
    "0x10",
    "nan", "inf", "1e", "--1", "1.2.3", "2026-11-21T11:32:05+1", "٢٠٢٦-١٣-٢١T11:32:05Z",
  ])
  func `of other kinds are refused`(text: String) {
    #expect(Timestamp.read(text) == .unreadable)
  }

  @Test(arguments: [
    "0000-12-31T23:59:59Z", "9999-12-31T23:59:59-00:01", "9e99", "-9e19", "0001-01-01T00:00:00+00:01",
  ])
  func `outside the years 1 to 9999 are out of range`(text: String) {
    #expect(Timestamp.read(text) == .outOfRange)
  }

  @Test func `printed and read again are the same, and as Foundation prints them`() throws {
    var random = SeededGenerator(seed: 3339)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<2000 {
      let range =
        Instant.allowed.lowerBound.millisecondsSince1970...Instant.allowed.upperBound.millisecondsSince1970
      let instant = Instant(millisecondsSince1970: Int64.random(in: range, using: &random))
      let text = RFC3339.string(from: instant)
      #expect(RFC3339.instant(from: text) == instant)
      // Foundation uses the Julian calendar before 1582.
      guard instant.millisecondsSince1970 > -12_000_000_000_000 else { continue }
      let date = Date(timeIntervalSince1970: (Double(instant.millisecondsSince1970) / 1000).rounded(.down))
      #expect(text.prefix(19) == date.formatted(style).prefix(19))
    }
  }

  @Test func `instants no calendar shows are printed all the same`() {
    #expect(
      RFC3339.string(from: Instant(millisecondsSince1970: -62_167_219_200_001)) == "-0001-12-31T23:59:59.999Z"
    )
    #expect(
      RFC3339.string(from: Instant(millisecondsSince1970: 253_402_300_800_000)) == "10000-01-01T00:00:00.000Z"
    )
    #expect(RFC3339.string(from: Instant(millisecondsSince1970: .min)).hasSuffix("Z"))
    #expect(RFC3339.string(from: Instant(millisecondsSince1970: .max)).hasSuffix("Z"))
  }

  @Test(arguments: ["2026-11-21T11:32:05", "2026/11/21T11:32:05Z", "2026-11-21T11:32Z", "1795260725", ""])
  func `RFC 3339 proper is asked for where it is said`(text: String) {
    #expect(RFC3339.instant(from: text) == nil)
  }

  @Test func `every day of eight hundred years has its number`() {
    var expected = TimestampCalendar(daysSince1970: -150_000)
    for days in -150_000...150_000 {
      let date = TimestampCalendar(daysSince1970: days)
      if date != expected || date.daysSince1970 != days {
        Issue.record("day \(days) is \(date)")
        return
      }
      expected =
        TimestampCalendar(year: date.year, month: date.month, day: date.day + 1)
        ?? TimestampCalendar(year: date.year, month: date.month + 1, day: 1)
        ?? TimestampCalendar(year: date.year + 1, month: 1, day: 1)!
    }
  }
}

@Suite("Numbers in files")
struct NumberFieldTests {
  @Test func `are rounded as the standard library rounds them`() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<3000 {
      let number = random.double(in: -400...400) * [1, 1e-5, 1e-10, 1e12][Int(random.next() % 4)]
      #expect(NumberField("\(number)") == .number(number))
      let digits = Int(random.next() % 22)
      let text = "-0." + (0..<(digits + 1)).map { _ in "\(random.next() % 10)" }.joined()
      #expect(NumberField(text) == .number(Double(text)!), "\(text)")
    }
  }

  @Test(arguments: ["", "  "]) func `may be missing`(text: String) { #expect(NumberField(text) == .missing) }

  @Test(arguments: ["nan", "inf", "-", ".", "0x1p3", "1e", "e5", "1e999", "1 2", "--1", "1.2.3"])
  func `are decimal or words`(text: String) { #expect(NumberField(text) == .words(text)) }

  @Test func `may have a decimal comma where the table has`() {
    #expect(NumberField(Array("-1,5".utf8)[...]) == .number(-1.5))
    #expect(NumberField(Array("1,5e1".utf8)[...]) == .number(15))
  }
}
