import AlarmEngine
import AlarmService
import Foundation
import Geometry
import Store
import TestSupport
import Testing

/// Stays, trips, gaps and time in zones, compared with slow oracles that follow the definitions literally.
@Suite("Stays, trips and time in zones")
struct HistoryDaysTests {
  private static let berlin = HistoryCalendar(TimeZone(identifier: "Europe/Berlin") ?? .gmt)

  private static func instant(_ text: String) -> Instant {
    let date = (try? Date(text, strategy: .iso8601)) ?? .distantPast
    return Instant(millisecondsSince1970: Int64(date.timeIntervalSince1970) * 1000)
  }

  /// A fix `metres` north of a place, exact to a thousandth.
  private static func fix(_ seconds: Double, north metres: Double, from base: Instant, accuracy: Double? = 10)
    -> Fix
  {
    Fix(
      position: Coordinate(latitude: .degrees(48 + metres / 111_194), longitude: .degrees(11)),
      accuracy: accuracy.map { .radius(.metres($0)) } ?? .unstated, measuredAt: base + .seconds(seconds))
  }

  private static func spans(_ fixes: [Fix], _ definitions: HistoryDefinitions = .init()) -> [HistorySpan] {
    var finder = StayFinder(definitions)
    for fix in fixes { finder.add(fix) }
    finder.finish()
    return finder.take()
  }

  /// The spans as text, such as "stay 0-1200, trip 1200-1800 (3000 m)", in seconds from the base.
  private static func words(_ spans: [HistorySpan], from base: Instant) -> String {
    spans.map { span in
      let times = "\(Int((span.from - base).seconds))-\(Int((span.to - base).seconds))"
      switch span.kind {
      case .stay(_, let fixes): return "stay \(times) (\(fixes))"
      case .trip(let length): return "trip \(times) (\(Int(length.metres.rounded())) m)"
      case .gap: return "gap \(times)"
      }
    }.joined(separator: ", ")
  }

  private static let base = instant("2026-03-28T08:00:00Z")

  @Test func `two stays with a trip between`() {
    let home = (0...20).map { Self.fix(Double($0) * 60, north: 0, from: Self.base) }
    let way = (1...9).map { Self.fix(1200 + Double($0) * 60, north: Double($0) * 300, from: Self.base) }
    let work = (10...30).map { Self.fix(1200 + Double($0) * 60, north: 3000, from: Self.base) }
    #expect(
      Self.words(Self.spans(home + way + work), from: Self.base)
        == "stay 0-1200 (21), trip 1200-1800 (3000 m), stay 1800-3000 (21)")
  }

  @Test func `a halt below the least time is part of the trip, a short absence part of the stay`() {
    let times = Array(stride(from: 0.0, through: 4800, by: 60))
    let track = times.map { time in
      // Away for five minutes at 1200; a halt of eight minutes at 2700, then away to the end.
      let metres =
        (1200..<1500).contains(time) ? 400.0 : time < 2700 ? 0 : time < 3180 ? 800 : 800 + (time - 3180) * 5
      return Self.fix(time, north: metres, from: Self.base)
    }
    #expect(Self.words(Self.spans(track), from: Self.base) == "stay 0-2640 (40), trip 2640-4800 (8900 m)")
  }

  @Test func `a silence at one place is rest, one on the way is a gap, and so is one of more than a day`() {
    let day = 86_400.0
    let track =
      [0, 60, 660, 30_000].map { Self.fix($0, north: 0, from: Self.base) }
      + [Self.fix(30_060, north: 500, from: Self.base), Self.fix(40_000, north: 9000, from: Self.base)]
      + [40_700, 40_700 + day + 1, 41_400 + day].map { Self.fix($0, north: 9000, from: Self.base) }
    #expect(
      Self.words(Self.spans(track), from: Self.base)
        == "stay 0-30000 (4), trip 30000-30060 (500 m), gap 30060-40000, stay 40000-40700 (2), "
        + "gap 40700-127101, stay 127101-127800 (2)")
  }

  @Test func `what is coarse, repeated or goes back in time is left out`() {
    let track = [
      Self.fix(0, north: 0, from: Self.base), Self.fix(300, north: 5000, from: Self.base, accuracy: 251),
      Self.fix(300, north: 10, from: Self.base, accuracy: 250), Self.fix(300, north: 900, from: Self.base),
      Self.fix(200, north: 900, from: Self.base), Self.fix(600, north: 0, from: Self.base, accuracy: nil),
    ]
    #expect(Self.words(Self.spans(track), from: Self.base) == "stay 0-600 (3)")
    #expect(Self.spans([]).isEmpty && Self.spans([track[0]]).isEmpty)
  }

  @Test func `a stay across 180 degrees has its centre there`() throws {
    let fixes = [179.9996, -179.9996, 180, -179.9998].enumerated().map { index, longitude in
      Fix(
        position: Coordinate(latitude: .degrees(0), longitude: .degrees(longitude)), accuracy: .unstated,
        measuredAt: Self.base + .minutes(Double(index) * 5))
    }
    let stay = try #require(Self.spans(fixes).first)
    guard case .stay(let centre, 4) = stay.kind else { throw StoreError.notFound }
    #expect(abs(abs(centre.longitude.degrees) - 179.99995) < 1e-9 && centre.longitude.degrees < 0)
  }

  // MARK: Against a witness

  /// The spans by the definition, from all positions at once.
  private static func slowSpans(_ given: [Fix], _ definitions: HistoryDefinitions) -> [HistorySpan] {
    var fixes: [Fix] = []
    for fix in given where (fix.accuracy.stated?.metres ?? 0) <= 250 {
      if let last = fixes.last, fix.measuredAt <= last.measuredAt { continue }
      fixes.append(fix)
    }
    func far(_ a: Fix, _ b: Fix) -> Bool { a.position.distance(to: b.position) > definitions.radius }
    var pieces: [[Fix]] = []
    for fix in fixes {
      let silence = (pieces.last?.last).map { (fix.measuredAt - $0.measuredAt).seconds } ?? 0
      if let last = pieces.last?.last,
        !(silence > definitions.gap.seconds && (silence > 86_400 || far(last, fix)))
      {
        pieces[pieces.count - 1].append(fix)
      } else {
        pieces.append([fix])
      }
    }
    var spans: [HistorySpan] = []
    for (number, piece) in pieces.enumerated() {
      if number > 0, let last = pieces[number - 1].last {
        spans.append(HistorySpan(.gap, from: last.measuredAt, to: piece[0].measuredAt))
      }
      var stays: [ClosedRange<Int>] = []
      var members: [[Int]] = []
      var first = 0
      while first < piece.count {
        var end = first
        while end + 1 < piece.count, !far(piece[first], piece[end + 1]) { end += 1 }
        guard piece[end].measuredAt - piece[first].measuredAt >= definitions.minimum else {
          first += 1
          continue
        }
        let range = Array(first...end)
        if let last = stays.last, let lastMembers = members.last,
          piece[first].measuredAt - piece[last.upperBound].measuredAt <= definitions.minimum,
          centre(lastMembers.map { piece[$0] }).distance(to: centre(range.map { piece[$0] }))
            <= definitions.radius
        {
          stays[stays.count - 1] = last.lowerBound...end
          members[members.count - 1] += range
        } else {
          stays.append(first...end)
          members.append(range)
        }
        first = end + 1
      }
      func trip(_ from: Int, _ to: Int) {
        guard from < to else { return }
        let metres = (from..<to).reduce(0.0) { sum, index in
          sum + piece[index].position.distance(to: piece[index + 1].position).metres
        }
        spans.append(
          HistorySpan(
            .trip(length: .metres(metres)), from: piece[from].measuredAt, to: piece[to].measuredAt))
      }
      var at = 0
      for (stay, members) in zip(stays, members) {
        trip(at, stay.lowerBound)
        spans.append(
          HistorySpan(
            .stay(at: centre(members.map { piece[$0] }), fixes: members.count),
            from: piece[stay.lowerBound].measuredAt, to: piece[stay.upperBound].measuredAt))
        at = stay.upperBound
      }
      trip(at, piece.count - 1)
    }
    return spans
  }

  private static func centre(_ fixes: [Fix]) -> Coordinate {
    let count = Double(fixes.count)
    return Coordinate(
      latitude: .degrees(fixes.reduce(0.0) { $0 + $1.position.latitude.degrees } / count),
      longitude: .degrees(fixes.reduce(0.0) { $0 + $1.position.longitude.degrees } / count))
  }

  /// A person who rests, wanders, travels and is out of contact, over two weeks with a clock change.
  private static func track(seed: UInt64) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    var (time, north) = (0.0, 0.0)
    var fixes: [Fix] = []
    while time < 14 * 86_400 {
      let kind = Int.random(in: 0..<5, using: &random)
      let step = (draw(20...600) / 2).rounded() * 2
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        switch kind {
        case 0, 1: break
        case 2: north += draw(-200...200)
        default: north += draw(-30...(2 * step))
        }
        let accuracy = Int.random(in: 0..<10, using: &random) == 0 ? draw(1...600) : 10
        fixes.append(fix(time, north: north + draw(-40...40), from: base, accuracy: accuracy))
        time += step
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        time += (draw(0...100_000) / 2).rounded() * 2
        if Bool.random(using: &random) { north += draw(-400...400) }
      }
    }
    return fixes
  }

  private static func isSame(_ a: HistorySpan, _ b: HistorySpan) -> Bool {
    guard a.from == b.from, a.to == b.to else { return false }
    switch (a.kind, b.kind) {
    case (.stay(let at, let count), .stay(let other, let number)):
      return count == number && at.distance(to: other).metres < 0.001
    case (.trip(let length), .trip(let other)): return abs(length.metres - other.metres) < 0.001
    case (.gap, .gap): return true
    default: return false
    }
  }

  @Test(arguments: 0..<60)
  func `the same spans as by the definition, found a position at a time`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var definitions = HistoryDefinitions()
    definitions.radius = .metres(.random(in: 50...400, using: &random))
    definitions.minimum = .minutes(.random(in: 2...60, using: &random))
    definitions.gap = .minutes(.random(in: 5...120, using: &random))
    let track = Self.track(seed: seed)
    let (found, expected) = (Self.spans(track, definitions), Self.slowSpans(track, definitions))
    #expect(found.count == expected.count, "seed \(seed)")
    for (a, b) in zip(found, expected) { #expect(Self.isSame(a, b), "seed \(seed): \(a), \(b) expected") }
    for (a, b) in zip(found, found.dropFirst()) { #expect(a.to == b.from, "seed \(seed)") }
  }

  private static func zone(_ id: UInt64, north metres: Double, radius: Double) -> Zone {
    Zone.valid(
      id: ZoneID(rawValue: id), name: Text(utf8: Array("Z\(id)".utf8)), size: .metres(radius),
      outline: .locations([fix(0, north: metres, from: base).position]))
  }

  @Test(arguments: 0..<12)
  func `the time in zones is that of each second's nearest position, by the day's date`(seed: UInt64) throws {
    let track = Self.track(seed: seed)
    let zones = [
      Self.zone(3, north: 0, radius: 300), Self.zone(1, north: 200, radius: 400),
      Self.zone(2, north: 90_000, radius: 60_000),
    ]
    let definitions = HistoryDefinitions()
    let days = try #require(Self.berlin.days(from: "2026-03-28", through: "2026-04-02", atMost: 100))
    var report = HistoryDays(days, zones: zones, defaultRadius: .metres(50), definitions)
    for fix in track { report.add(fix) }
    report.finish()
    // The oracle goes second by second.
    let used = track.filter { ($0.accuracy.stated?.metres ?? 0) <= 250 }
    let outlines = try zones.map { (zone: $0, outline: Outline(try $0.shape(defaultRadius: .metres(50)))) }
    let formatter = DateFormatter()
    formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd"
    var expected: [String: [String: Int]] = [:]
    for (a, b) in zip(used, used.dropFirst()) {
      let silence = (b.measuredAt - a.measuredAt).seconds
      let isFar = a.position.distance(to: b.position).metres > 150
      if silence > 3600, isFar || silence > 86_400 { continue }
      let inside = [a, b].map { fix in
        outlines.filter { $0.outline.contains(fix.position) }.map { "\($0.zone.name.string)" }
      }
      guard !inside[0].isEmpty || !inside[1].isEmpty else { continue }
      let start = a.measuredAt.millisecondsSince1970 / 1000
      let length = Int64(silence)
      // In steps of a quarter of an hour, which never cross midnight.
      var second: Int64 = 0
      while second < length {
        let quarter = 900 - (start + second) % 900
        let part = min(quarter, length - second, second < length / 2 ? length / 2 - second : length)
        let date = formatter.string(from: Date(timeIntervalSince1970: Double(start + second)))
        for name in inside[second < length / 2 ? 0 : 1] {
          expected[date, default: [:]][name, default: 0] += Int(part)
        }
        second += part
      }
    }
    for day in report.days {
      let found = Dictionary(
        uniqueKeysWithValues: day.zones.map { ("\($0.name.string)", Int($0.time.seconds)) })
      #expect(found == expected[day.day.date] ?? [:], "seed \(seed), \(day.day.date)")
      let length = day.day.end - day.day.start
      let told = day.parts.reduce(TimeSpan.zero) { $0 + ($1.to - $1.from) }
      #expect(told <= length && day.zones.allSatisfy { $0.time <= length })
      #expect(day.parts.allSatisfy { $0.from >= day.day.start && $0.to <= day.day.end && $0.from < $0.to })
    }
    #expect(report.days.contains { $0.parts.count > 1 })
  }

  // MARK: Days

  @Test func `a night is divided at midnight, and the day without an hour has 23`() throws {
    let start = Self.instant("2026-03-28T21:00:00Z")
    let track = stride(from: 0.0, through: 36 * 3600, by: 1800).map { Self.fix($0, north: 0, from: start) }
    let days = try #require(Self.berlin.days(from: "2026-03-28", through: "2026-03-30", atMost: 10))
    #expect(days.map { ($0.end - $0.start).seconds / 3600 } == [24, 23, 24])
    var report = HistoryDays(
      days, zones: [Self.zone(1, north: 0, radius: 100)], defaultRadius: .metres(50), .init())
    for fix in track { report.add(fix) }
    report.finish()
    #expect(report.days.map(\.parts.count) == [1, 1, 1])
    #expect(report.days.map { $0.zones.map { $0.time.seconds / 3600 } } == [[2], [23], [11]])
    let night = try #require(report.days[1].parts.first)
    #expect(night.from == days[1].start && night.to == days[1].end && night.zones == [ZoneID(rawValue: 1)])
    #expect(night.span.from == start && night.span.to == start + .hours(36))
    #expect(report.days.map(\.fixes) == [4, 46, 23])
  }

  @Test func `days of an autumn, of a leap year, and what is no date`() throws {
    let autumn = try #require(Self.berlin.days(from: "2026-10-25", through: "2026-10-25", atMost: 1))
    #expect((autumn[0].end - autumn[0].start).seconds == 25 * 3600)
    #expect(autumn[0].start == Self.instant("2026-10-24T22:00:00Z"))
    #expect(
      Self.berlin.days(from: "2028-02-28", through: "2028-03-01", atMost: 9)?.map(\.date)
        == ["2028-02-28", "2028-02-29", "2028-03-01"])
    // In Beirut that day began at 1:00.
    let beirut = HistoryCalendar(try #require(TimeZone(identifier: "Asia/Beirut")))
    let spring = try #require(beirut.days(from: "2026-03-29", through: "2026-03-30", atMost: 9))
    #expect(spring.map { ($0.end - $0.start).seconds / 3600 } == [23, 24])
    for (from, to) in [
      ("2026-02-29", "2026-03-01"), ("2026-3-01", "2026-03-02"), ("2026-03-02", "2026-03-01"),
      ("yesterday!", "2026-03-01"), ("", ""), ("2026-13-01", "2026-13-01"), ("0000-01-01", "0000-01-01"),
      ("-026-01-01", "2026-01-01"), ("９０２6-01-01", "2026-01-01"),
    ] {
      #expect(Self.berlin.days(from: from, through: to, atMost: 9) == nil, "\(from)")
    }
    // One day more than allowed shows that there are too many.
    #expect(Self.berlin.days(from: "2026-01-01", through: "2026-12-31", atMost: 9)?.count == 10)
  }
}
