import AlarmEngine
import Foundation
import Geometry

/// The days of a calendar in a time zone, with its changes to and from daylight saving time.
package struct HistoryCalendar: Sendable {
  private let calendar: Calendar

  package init(_ timeZone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.calendar = calendar
  }

  package var timeZone: TimeZone { calendar.timeZone }

  /// A day, from its first moment to that of the next: 23 to 25 hours in most places.
  package struct Day: Hashable, Sendable {
    /// "2026-11-21"
    package let date: String
    package let start: Instant
    package let end: Instant
  }

  /// Returns the days from one date to another, both included.
  /// - Parameters: "2026-11-21" each.
  /// - Returns: nil if either is no date, or the second is before the first.
  package func days(from first: String, through last: String, atMost limit: Int) -> [Day]? {
    guard let from = date(first), let to = date(last), from <= to else { return nil }
    var days: [Day] = []
    var start = from
    while start <= to, days.count <= limit {
      guard let next = calendar.date(byAdding: .day, value: 1, to: start) else { return nil }
      let end = calendar.startOfDay(for: next)
      days.append(Day(date: text(start), start: instant(start), end: instant(end)))
      start = end
    }
    return days
  }

  /// Returns the date of a moment.
  package func date(of instant: Instant) -> String {
    text(Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000))
  }

  /// Returns the offset from UTC in seconds, positive east of Greenwich.
  package func offset(at instant: Instant) -> Int {
    calendar.timeZone.secondsFromGMT(
      for: Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000))
  }

  private func date(_ text: String) -> Date? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2]), (1...9998).contains(year),
      let noon = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
    else { return nil }
    // Without this check, the 30th of February would be a day in March.
    let found = calendar.dateComponents([.year, .month, .day], from: noon)
    guard found.year == year, found.month == month, found.day == day else { return nil }
    return calendar.startOfDay(for: noon)
  }

  private func text(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    func padded(_ number: Int?, _ width: Int) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
  }

  private func instant(_ date: Date) -> Instant {
    Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}

/// The history of a device by day: its stays, trips and gaps, cut at midnight, and the time in each zone.
package struct HistoryDays: Sendable {
  package struct Part: Equatable, Sendable {
    /// The whole span, which may touch several days.
    package let span: HistorySpan
    /// The start of the part within the day.
    package let from: Instant
    package let to: Instant
    /// The zones that contain the centre of a stay, ascending; empty for other spans.
    package let zones: [ZoneID]
  }
  package struct ZoneTime: Equatable, Sendable {
    package let zone: ZoneID
    package let name: Text
    package let time: TimeSpan
  }
  package struct DayReport: Equatable, Sendable {
    package let day: HistoryCalendar.Day
    package var parts: [Part] = []
    /// Longest first, then by id.
    package var zones: [ZoneTime] = []
    /// The number of positions measured on that day, including coarse ones.
    package var fixes = 0
  }

  package private(set) var days: [DayReport]
  private let definitions: HistoryDefinitions
  private let zones: [Zone]
  private let index: ContainmentIndex
  private var finder: StayFinder
  private var last: (fix: Fix, zones: Set<Int>)?
  private var times: [[Int: Int64]]

  /// - Parameters:
  ///   - days: consecutive days.
  ///   - zones: the present zones, in which time is counted; those without a shape are left out.
  package init(
    _ days: [HistoryCalendar.Day], zones: [Zone], defaultRadius: Distance, _ definitions: HistoryDefinitions
  ) {
    self.days = days.map { DayReport(day: $0) }
    self.definitions = definitions
    let shapes = zones.compactMap { zone in (try? zone.shape(defaultRadius: defaultRadius)).map { (zone, $0) }
    }
    self.zones = shapes.map(\.0)
    index = ContainmentIndex(shapes.map { ContainmentIndex.Entry(outline: Outline($0.1)) })
    finder = StayFinder(definitions)
    times = [[Int: Int64]](repeating: [:], count: days.count)
  }

  /// How far before the first day and after the last day positions are read, so that a night's rest is
  /// recognised.
  package static let margin = HistoryDefinitions.longestRest

  /// Adds a position. Positions come in the order of time.
  package mutating func add(_ fix: Fix) {
    if let day = days.firstIndex(where: { $0.day.start <= fix.measuredAt && fix.measuredAt < $0.day.end }) {
      days[day].fixes += 1
    }
    finder.add(fix)
    cut(finder.take())
    guard definitions.isUsable(fix) else { return }
    if let last, fix.measuredAt <= last.fix.measuredAt { return }
    let inside = Set(index.containing(fix.position))
    if let last, definitions.areConnected(last.fix, fix) {
      let (from, to) = (last.fix.measuredAt, fix.measuredAt)
      let middle = Instant(
        millisecondsSince1970: (from.millisecondsSince1970 + to.millisecondsSince1970) / 2)
      for zone in last.zones.union(inside) {
        // If only one of the two positions is inside, the crossing is assumed half way between them in time.
        count(zone, from: last.zones.contains(zone) ? from : middle, to: inside.contains(zone) ? to : middle)
      }
    }
    last = (fix, inside)
  }

  /// Completes the report: no further position follows.
  package mutating func finish() {
    finder.finish()
    cut(finder.take())
    for (day, times) in times.enumerated() {
      days[day].zones = times.map {
        ZoneTime(zone: zones[$0.key].id, name: zones[$0.key].name, time: .milliseconds($0.value))
      }.sorted { ($1.time, $0.zone) < ($0.time, $1.zone) }
    }
  }

  private mutating func count(_ zone: Int, from: Instant, to: Instant) {
    for (index, day) in touched(from, to) {
      let time = min(to, day.end) - max(from, day.start)
      times[index][zone, default: 0] += time.milliseconds
    }
  }

  private mutating func cut(_ spans: [HistorySpan]) {
    for span in spans {
      var inside: [ZoneID] = []
      if case .stay(let centre, _) = span.kind {
        inside = index.containing(centre).map { zones[$0].id }.sorted()
      }
      for (index, day) in touched(span.from, span.to) {
        days[index].parts.append(
          Part(span: span, from: max(span.from, day.start), to: min(span.to, day.end), zones: inside))
      }
    }
  }

  /// Returns the days that overlap the period.
  private func touched(_ from: Instant, _ to: Instant) -> [(index: Int, day: HistoryCalendar.Day)] {
    guard from < to else { return [] }
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle].day.end <= from { low = middle + 1 } else { high = middle }
    }
    var touched: [(Int, HistoryCalendar.Day)] = []
    while low < days.count, days[low].day.start < to {
      touched.append((low, days[low].day))
      low += 1
    }
    return touched
  }
}
