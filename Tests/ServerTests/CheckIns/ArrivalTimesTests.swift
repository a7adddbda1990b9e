import AlarmEngine
import Formats
import Foundation
import Store
import TestSupport
import Testing

@testable import AlarmService

@Suite("Times of expected arrivals")
struct ArrivalTimesTests {
  private static func time(
    _ minute: Int, _ days: Schedule.Weekdays = .everyDay, _ zone: String = "Europe/Berlin"
  ) throws -> ExpectedArrival.Time {
    try #require(ExpectedArrival.Time(minute: minute, days: days, timeZone: zone))
  }

  private static func instant(_ text: String) throws -> Instant {
    try #require(RFC3339.instant(from: text))
  }

  /// Table: minute, time zone, now, next due time.
  @Test(arguments: [
    // A usual day, in winter and in summer, and the moment itself.
    (480, "Europe/Berlin", "2026-01-15T06:59:59Z", "2026-01-15T07:00:00Z"),
    (480, "Europe/Berlin", "2026-01-15T07:00:00Z", "2026-01-16T07:00:00Z"),
    (480, "Europe/Berlin", "2026-07-15T05:00:00Z", "2026-07-15T06:00:00Z"),
    // 02:30 does not exist on 2026-03-29 in Berlin: the clocks go from 02:00 to 03:00.
    (150, "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
    (150, "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
    // 02:30 comes twice on 2026-10-25: the first counts, and the second not.
    (150, "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
    (150, "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
    // Midnight does not exist on 2026-09-06 in Santiago.
    (0, "America/Santiago", "2026-09-05T12:00:00Z", "2026-09-06T04:00:00Z"),
    // A change of half an hour, on 2026-04-05 on Lord Howe Island: 01:45 comes twice.
    (105, "Australia/Lord_Howe", "2026-04-04T12:00:00Z", "2026-04-04T14:45:00Z"),
    (105, "Australia/Lord_Howe", "2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"),
    // Samoa had no 2011-12-30.
    (720, "Pacific/Apia", "2011-12-29T23:00:00Z", "2011-12-30T10:00:00Z"),
    // Far from UTC, and a time zone that nobody knows counts as UTC.
    (1439, "Pacific/Kiritimati", "2026-01-01T09:58:00Z", "2026-01-01T09:59:00Z"),
    (480, "Mars/Base", "2026-01-15T07:59:59Z", "2026-01-15T08:00:00Z"),
  ])
  func `the next due time is that of the local clocks`(
    minute: Int, zone: String, now: String, next: String
  ) throws {
    let found = ArrivalTimes.next(try Self.time(minute, .everyDay, zone), after: try Self.instant(now))
    let wanted = try Self.instant(next)
    #expect(found == wanted)
  }

  @Test func `only the chosen days count, by the local date`() throws {
    // 2026-01-16 is a Friday.
    let friday = try Self.time(480, .init(rawValue: 1 << 4))
    #expect(
      ArrivalTimes.next(friday, after: try Self.instant("2026-01-16T07:00:00Z"))
        == (try Self.instant("2026-01-23T07:00:00Z")))
    let weekdays = try Self.time(480, .mondayToFriday)
    #expect(
      ArrivalTimes.next(weekdays, after: try Self.instant("2026-01-16T07:00:00Z"))
        == (try Self.instant("2026-01-19T07:00:00Z")))
    // Friday in Auckland begins on Thursday in UTC.
    let early = try Self.time(60, .init(rawValue: 1 << 4), "Pacific/Auckland")
    #expect(
      ArrivalTimes.next(early, after: try Self.instant("2026-01-14T00:00:00Z"))
        == (try Self.instant("2026-01-15T12:00:00Z")))
  }

  /// Foundation's calendar is asked for the same times, on days without a change of the clocks.
  @Test func `any time is what the calendar shows`() throws {
    var random = SeededGenerator(seed: 11)
    for zone in ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham", "UTC"] {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: zone))
      for _ in 0..<200 {
        let minute = Int.random(in: 0...1439, using: &random)
        let days = Schedule.Weekdays(rawValue: UInt8.random(in: 1...0x7f, using: &random))
        let now = Instant(
          millisecondsSince1970: Int64.random(in: 1_577_836_800_000...1_893_456_000_000, using: &random))
        let next = ArrivalTimes.next(try Self.time(minute, days, zone), after: now)
        #expect(next > now && next - now <= .hours(8 * 24))
        let date = Date(timeIntervalSince1970: Double(next.millisecondsSince1970) / 1000)
        let parts = calendar.dateComponents([.hour, .minute, .second, .weekday], from: date)
        let shown = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        // A time that does not exist comes at most an hour later.
        #expect((0...60).contains(shown - minute) && parts.second == 0, "\(zone) \(next)")
        #expect(days.contains(.init(rawValue: 1 << UInt8(((parts.weekday ?? 1) + 5) % 7))), "\(zone) \(next)")
        // None was left out in between.
        let before = ArrivalTimes.next(try Self.time(minute, days, zone), after: next - .milliseconds(1))
        #expect(before == next)
      }
    }
  }

  @Test func `of several times that have passed only the latest is judged, and none of long ago`() throws {
    func due(_ next: String, at now: String) throws -> [String?] {
      func text(_ time: Instant) -> String { RFC3339.string(from: time).replacing(".000Z", with: "Z") }
      let expected = ExpectedArrival(
        account: .random(), zone: ZoneID(rawValue: 1), device: .random(), time: try Self.time(480),
        createdAt: try Self.instant(next), nextDue: try Self.instant(next))
      guard let found = ArrivalTimes.due(of: expected, at: try Self.instant(now)) else { return [] }
      return [found.judged.map { text($0) }, text(found.next)]
    }
    #expect(try due("2026-01-15T07:00:00Z", at: "2026-01-15T06:59:59Z") == [])
    #expect(
      try due("2026-01-15T07:00:00Z", at: "2026-01-15T07:00:00Z") == [
        "2026-01-15T07:00:00Z", "2026-01-16T07:00:00Z",
      ])
    #expect(
      try due("2026-01-15T07:00:00Z", at: "2026-01-16T06:59:59Z") == [
        "2026-01-15T07:00:00Z", "2026-01-16T07:00:00Z",
      ])
    #expect(
      try due("2026-01-15T07:00:00Z", at: "2026-01-18T08:00:00Z") == [
        "2026-01-18T07:00:00Z", "2026-01-19T07:00:00Z",
      ])
    #expect(
      try due("2026-01-15T07:00:00Z", at: "2026-01-16T07:00:00Z") == [
        "2026-01-16T07:00:00Z", "2026-01-17T07:00:00Z",
      ])
    // Friday's time is judged until Saturday's, and after a weekend no more.
    let friday = ExpectedArrival(
      account: .random(), zone: ZoneID(rawValue: 1), device: .random(),
      time: try Self.time(480, .mondayToFriday),
      createdAt: .allowed.lowerBound, nextDue: try Self.instant("2026-01-16T07:00:00Z"))
    let sunday = try #require(ArrivalTimes.due(of: friday, at: try Self.instant("2026-01-18T07:00:00Z")))
    let monday = try Self.instant("2026-01-19T07:00:00Z")
    #expect(sunday.judged == nil && sunday.next == monday)
  }

  @Test func `a time of day is told by the local clocks`() throws {
    #expect(ArrivalTimes.clock(at: try Self.instant("2026-01-15T07:12:59Z"), in: "Europe/Berlin") == "08:12")
    #expect(ArrivalTimes.clock(at: try Self.instant("2026-01-15T23:59:00Z"), in: "Asia/Kathmandu") == "05:44")
    #expect(ArrivalTimes.clock(minute: 0) == "00:00" && ArrivalTimes.clock(minute: 1439) == "23:59")
  }
}
