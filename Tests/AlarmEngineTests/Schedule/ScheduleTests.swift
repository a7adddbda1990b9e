import AlarmEngine
import Foundation
import TestSupport
import Testing

@Suite("Schedule")
struct ScheduleTests {
  private func schedule(
    _ days: Schedule.Weekdays, _ opens: Int, _ closes: Int, offsets: [Schedule.Offset] = []
  ) -> Schedule {
    Schedule(
      windows: [.init(weekdays: days, opens: opens, closes: closes)], timeZone: "Europe/Berlin",
      offsets: offsets)
  }

  @Test func `W12: office hours open and close on weekdays only`() {
    let office = schedule(.mondayToFriday, 9 * 60, 17 * 60)
    // 2026-11-20 is a Friday.
    #expect(!office.isOpen(at: utc("2026-11-20T08:59:59Z")))
    #expect(office.isOpen(at: utc("2026-11-20T09:00:00Z")))
    #expect(office.isOpen(at: utc("2026-11-20T16:59:59Z")))
    #expect(!office.isOpen(at: utc("2026-11-20T17:00:00Z")))
    #expect(!office.isOpen(at: utc("2026-11-21T12:00:00Z")))
    #expect(office.nextChange(after: utc("2026-11-20T09:00:00Z")) == utc("2026-11-20T17:00:00Z"))
    #expect(office.nextChange(after: utc("2026-11-20T17:00:00Z")) == utc("2026-11-23T09:00:00Z"))
    #expect(office.nextOpening(after: utc("2026-11-20T10:00:00Z")) == utc("2026-11-23T09:00:00Z"))
    #expect(office.nextOpening(after: utc("2026-11-20T08:00:00Z")) == utc("2026-11-20T09:00:00Z"))
  }

  @Test func `a window over midnight belongs to the day on which it opens`() {
    let night = schedule(.init(rawValue: 1 << 6), 22 * 60, 6 * 60)
    // 2026-11-22 is a Sunday; the week turns while the window is open.
    #expect(!night.isOpen(at: utc("2026-11-22T05:00:00Z")))
    #expect(night.isOpen(at: utc("2026-11-22T23:00:00Z")))
    #expect(night.isOpen(at: utc("2026-11-23T05:59:00Z")))
    #expect(!night.isOpen(at: utc("2026-11-23T06:00:00Z")))
    #expect(night.nextChange(after: utc("2026-11-22T23:00:00Z")) == utc("2026-11-23T06:00:00Z"))
    #expect(night.nextChange(after: utc("2026-11-23T06:00:00Z")) == utc("2026-11-29T22:00:00Z"))
  }

  @Test func `nothing closes at the seam of two windows that touch`() {
    let shifts = Schedule(
      windows: [
        .init(weekdays: .everyDay, opens: 14 * 60, closes: 22 * 60),
        .init(weekdays: .everyDay, opens: 6 * 60, closes: 14 * 60),
      ], timeZone: "UTC", offsets: [])
    #expect(shifts.nextChange(after: utc("2026-11-20T06:00:00Z")) == utc("2026-11-20T22:00:00Z"))
  }

  @Test func `a day from 0:00 to 24:00 ends at midnight, unless the next day is open too`() {
    let monday = schedule(.init(rawValue: 1), 0, 1440)
    #expect(monday.nextChange(after: utc("2026-11-20T00:00:00Z")) == utc("2026-11-23T00:00:00Z"))
    #expect(monday.nextChange(after: utc("2026-11-23T00:00:00Z")) == utc("2026-11-24T00:00:00Z"))
    let weekdays = schedule(.mondayToFriday, 0, 1440)
    #expect(weekdays.nextChange(after: utc("2026-11-23T00:00:00Z")) == utc("2026-11-28T00:00:00Z"))
  }

  @Test func `what is always open or never open has no next change`() {
    for always in [schedule(.everyDay, 0, 1440, offsets: berlin), schedule(.everyDay, 720, 720)] {
      #expect(always.isOpen(at: utc("2026-10-25T00:30:00Z")))
      #expect(always.nextChange(after: utc("2026-11-20T00:00:00Z")) == nil)
      #expect(always.nextOpening(after: utc("2026-11-20T00:00:00Z")) == nil)
    }
    for never in [Schedule(windows: [], timeZone: "UTC", offsets: berlin), schedule([], 0, 60)] {
      #expect(!never.isOpen(at: utc("2026-11-20T12:00:00Z")))
      #expect(never.nextChange(after: utc("2026-11-20T00:00:00Z")) == nil)
    }
  }

  @Test func `hours are those of the zone's clocks, in summer and in winter`() {
    let office = schedule(.mondayToFriday, 9 * 60, 17 * 60, offsets: berlin)
    #expect(office.nextChange(after: utc("2026-10-23T16:00:00Z")) == utc("2026-10-26T08:00:00Z"))
    #expect(office.nextChange(after: utc("2026-10-21T16:00:00Z")) == utc("2026-10-22T07:00:00Z"))
  }

  @Test func `an hour that comes twice opens a window the first time and closes it the second time`() {
    // On 2026-10-25 Berlin's clocks go from 3:00 back to 2:00, at 1:00 UTC.
    let until = schedule(.everyDay, 0, 150, offsets: berlin)
    #expect(until.nextChange(after: utc("2026-10-24T23:00:00Z")) == utc("2026-10-25T01:30:00Z"))
    let from = schedule(.everyDay, 150, 300, offsets: berlin)
    #expect(from.nextChange(after: utc("2026-10-24T23:00:00Z")) == utc("2026-10-25T00:30:00Z"))
    #expect(from.nextChange(after: utc("2026-10-25T00:30:00Z")) == utc("2026-10-25T04:00:00Z"))
  }

  @Test func `an hour that is left out stands for the moment of the change`() {
    // On 2026-03-29 Berlin's clocks go from 2:00 to 3:00, at 1:00 UTC.
    let from = schedule(.everyDay, 150, 300, offsets: berlin)
    #expect(from.nextChange(after: utc("2026-03-28T23:00:00Z")) == utc("2026-03-29T01:00:00Z"))
    let within = schedule(.everyDay, 130, 160, offsets: berlin)
    #expect(within.nextChange(after: utc("2026-03-28T12:00:00Z")) == utc("2026-03-30T00:10:00Z"))
  }

  @Test func `before the first offset the first one counts`() {
    let hour = schedule(.everyDay, 60, 120, offsets: [at("2026-01-01T00:00:00Z", 60)])
    #expect(hour.isOpen(at: utc("1969-07-20T00:30:00Z")))
    #expect(!hour.isOpen(at: utc("1969-07-20T01:00:00Z")))
  }

  @Test func `of two offsets from the same instant the last one given counts`() {
    let hour = schedule(
      .everyDay, 60, 120, offsets: [at("2026-01-01T00:00:00Z", 0), at("2026-01-01T00:00:00Z", 60)])
    #expect(hour.offsets == [at("2026-01-01T00:00:00Z", 60)])
    #expect(hour.isOpen(at: utc("2026-01-01T00:30:00Z")))
  }

  @Test func `numbers from outside are refused with what was given`() {
    #expect(throws: ScheduleError.weekdaysOutOfRange(given: 128)) {
      try Schedule.Window(checkingWeekdays: 128, opens: 0, closes: 60)
    }
    #expect(throws: ScheduleError.weekdaysOutOfRange(given: 0)) {
      try Schedule.Window(checkingWeekdays: 0, opens: 0, closes: 60)
    }
    #expect(throws: ScheduleError.openingOutOfRange(given: 1440)) {
      try Schedule.Window(checkingWeekdays: 1, opens: 1440, closes: 60)
    }
    #expect(throws: ScheduleError.closingOutOfRange(given: -1)) {
      try Schedule.Window(checkingWeekdays: 1, opens: 0, closes: -1)
    }
    #expect(throws: ScheduleError.offsetOutOfRange(given: .max)) {
      try Schedule.Offset(from: utc("2026-01-01T00:00:00Z"), checkingSeconds: .max)
    }
    #expect(throws: Never.self) { try Schedule.Window(checkingWeekdays: 127, opens: 1439, closes: 1440) }
  }

  @Test func `the ends of time are answered, not trapped on`() {
    let ends = [Int64.min, .max]
    let office = schedule(
      .mondayToFriday, 9 * 60, 17 * 60,
      offsets: ends.map { .init(from: .init(millisecondsSince1970: $0), seconds: 3600) } + berlin)
    for time in ends { #expect(!office.isOpen(at: .init(millisecondsSince1970: time))) }
    #expect(office.nextChange(after: .init(millisecondsSince1970: .max)) == nil)
    #expect(office.nextChange(after: .init(millisecondsSince1970: .min)) != nil)
  }
}

@Suite("Schedule against a slow witness")
struct ScheduleWitnessTests {
  @Test(arguments: 0..<40)
  func `open, next change and next opening agree with a walk through every minute`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let schedule = randomSchedule(&random)
    let witness = MinuteWitness(schedule, from: utc("2026-10-17T00:00:00Z"), days: 26)
    var wrong: [String] = []
    for _ in 0..<200 {
      let minute = Int.random(in: 0..<witness.open.count, using: &random)
      let time =
        witness.start + .milliseconds(Int64(minute) * 60_000 + Int64.random(in: 0..<60_000, using: &random))
      if schedule.isOpen(at: time) != witness.open[minute] { wrong.append("isOpen, minute \(minute)") }
      if let change = witness.change(after: minute), schedule.nextChange(after: time) != change {
        wrong.append("nextChange, minute \(minute)")
      }
      if let opening = witness.opening(after: minute), schedule.nextOpening(after: time) != opening {
        wrong.append("nextOpening, minute \(minute)")
      }
    }
    #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(3)), \(schedule.windows), \(schedule.offsets)")
  }

  private func randomSchedule(_ random: inout SeededGenerator) -> Schedule {
    let windows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let step = Bool.random(using: &random) ? 1 : 30  // Coarse times often touch.
      return Schedule.Window(
        weekdays: .init(rawValue: UInt8.random(in: 1...0x7f, using: &random)),
        opens: Int.random(in: 0..<(1440 / step), using: &random) * step,
        closes: Int.random(in: 0...(1440 / step), using: &random) * step)
    }
    let tables: [[Schedule.Offset]] = [
      [], berlin,
      // Half an hour (as Lord Howe), a skipped day (as Samoa, 2011), a day that occurs twice, nonsense.
      [at("2026-01-01T00:00:00Z", 660), at("2026-10-20T15:30:00Z", 630), at("2026-11-09T15:00:00Z", 660)],
      [at("2026-01-01T00:00:00Z", -600), at("2026-10-30T10:00:00Z", 840)],
      [at("2026-01-01T00:00:00Z", 660), at("2026-10-31T13:00:00Z", -720)],
      (0..<20).map { count in
        Schedule.Offset(
          from: utc("2026-10-12T00:07:00Z") + .hours(Double(count) * 17),
          seconds: Int32.random(in: -1400...1500, using: &random) * 60)
      },
    ]
    return Schedule(windows: windows, timeZone: "x", offsets: tables[Int.random(in: 0..<6, using: &random)])
  }
}

/// The oracle walks through every minute and tries every window of every day, without weeks or searching.
private struct MinuteWitness {
  let start: Instant
  private(set) var open: [Bool] = []

  init(_ schedule: Schedule, from start: Instant, days: Int) {
    self.start = start
    // Three more days on both sides, so that clocks set back before or after are seen.
    let margin = 3 * 1440
    let first = start.millisecondsSince1970 / 60_000 - Int64(margin)
    let local = (first..<(first + Int64(days * 1440 + 2 * margin))).map { $0 + Self.shift(schedule, at: $0) }
    var reached = local
    for minute in local.indices.dropFirst() { reached[minute] = max(reached[minute - 1], local[minute]) }
    var ahead = local
    for minute in local.indices.dropLast().reversed() {
      ahead[minute] = min(ahead[minute + 1], local[minute])
    }
    for minute in margin..<(margin + days * 1440) {
      open.append(Self.isOpen(schedule, reached: reached[minute], ahead: ahead[minute]))
    }
  }

  private static func isOpen(_ schedule: Schedule, reached: Int64, ahead: Int64) -> Bool {
    for day in (ahead / 1440 - 2)...(reached / 1440) {
      let weekday = UInt8((day + 3) % 7)  // Day 0 was a Thursday.
      for window in schedule.windows where window.weekdays.rawValue >> weekday & 1 == 1 {
        let closes = window.closes + (window.closes <= window.opens ? 1440 : 0)
        if day * 1440 + Int64(window.opens) <= reached, ahead < day * 1440 + Int64(closes) { return true }
      }
    }
    return false
  }

  func change(after minute: Int) -> Instant? {
    guard let index = open[minute...].firstIndex(of: !open[minute]) else { return nil }
    return start + .minutes(Double(index))
  }
  func opening(after minute: Int) -> Instant? {
    guard let closed = open[minute...].firstIndex(of: false) else { return nil }
    guard let index = open[closed...].firstIndex(of: true) else { return nil }
    return start + .minutes(Double(index))
  }

  private static func shift(_ schedule: Schedule, at minute: Int64) -> Int64 {
    var offset = schedule.offsets.first
    for next in schedule.offsets where next.from.millisecondsSince1970 <= minute * 60_000 { offset = next }
    return Int64(offset?.seconds ?? 0) / 60
  }
}

private let berlin = [
  at("2025-10-26T01:00:00Z", 60), at("2026-03-29T01:00:00Z", 120), at("2026-10-25T01:00:00Z", 60),
  at("2027-03-28T01:00:00Z", 120),
]

private func at(_ text: String, _ minutes: Int32) -> Schedule.Offset {
  Schedule.Offset(from: utc(text), seconds: minutes * 60)
}

private func utc(_ text: String) -> Instant {
  let date = (try? Date(text, strategy: .iso8601)) ?? .distantPast
  return Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
}
