import AlarmEngine
import Formats
import Foundation
import Testing

@Suite("Time zone offsets")
struct TimeZoneOffsetsTests {
  private let from = Instant(millisecondsSince1970: 1_262_304_000_000)  // 2010-01-01
  private let through = Instant(millisecondsSince1970: 1_893_456_000_000)  // 2030-01-01

  @Test(arguments: [
    "Europe/Berlin", "Pacific/Apia", "Europe/Moscow", "Europe/Istanbul", "Africa/Casablanca",
    "America/Caracas",
    "Australia/Lord_Howe", "Asia/Pyongyang", "Asia/Calcutta", "UTC",
  ])
  func `agree with the system's clock at every half hour of twenty years`(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let offsets = try TimeZoneOffsets.offsets(of: name, from: from, through: through)
    var index = 0
    var wrong = 0
    for milliseconds in stride(
      from: from.millisecondsSince1970, to: through.millisecondsSince1970, by: 1_800_000)
    {
      while index + 1 < offsets.count, offsets[index + 1].from.millisecondsSince1970 <= milliseconds {
        index += 1
      }
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      if Int(offsets[index].seconds) != zone.secondsFromGMT(for: date) { wrong += 1 }
    }
    #expect(wrong == 0, "\(name): \(offsets)")
  }

  @Test func `office hours in Berlin follow its clocks through the year`() throws {
    let offsets = try TimeZoneOffsets.offsets(of: "Europe/Berlin", from: from, through: through)
    let office = Schedule(
      windows: [.init(weekdays: .mondayToFriday, opens: 540, closes: 1020)], timeZone: "Europe/Berlin",
      offsets: offsets)
    // Friday 2026-10-23 18:00 in summer time; Monday 2026-10-26 9:00 in winter time.
    let friday = Instant(millisecondsSince1970: 1_792_771_200_000)
    #expect(office.nextChange(after: friday) == Instant(millisecondsSince1970: 1_793_001_600_000))
  }

  @Test func `a zone without changes has one offset`() throws {
    #expect(
      try TimeZoneOffsets.offsets(of: "Asia/Kolkata", from: from, through: through) == [
        .init(from: from, seconds: 19_800)
      ])
  }

  @Test(arguments: ["", "Nowhere/At_All", " Europe/Berlin", "Europe/Berlin\0", "../../etc/passwd"])
  func `a name that no system knows is refused as given`(name: String) {
    #expect(throws: TimeZoneError.unknownName(given: name)) {
      try TimeZoneOffsets.offsets(of: name, from: from, through: through)
    }
  }

  @Test func `an end before the start is refused`() {
    #expect(throws: TimeZoneError.endBeforeStart(from: through, through: from)) {
      try TimeZoneOffsets.offsets(of: "UTC", from: through, through: from)
    }
  }

  @Test func `all that clocks can say ends in a bounded list`() throws {
    let offsets = try TimeZoneOffsets.offsets(
      of: "Europe/Berlin", from: Instant.allowed.lowerBound, through: Instant.allowed.upperBound)
    #expect((2...20_000).contains(offsets.count))
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0.from < $1.from && $0.seconds != $1.seconds })
  }

  @Test func `a file's schedule is in the time of its named zone`() throws {
    let geojson = """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[14.5,46.05]},"properties":{"name":"Office",\
      "alarm_schedule":{"time_zone":"Europe/Stockholm","windows":[{"days":"1234567","opens":135,"closes":165}]}}}
      """
    var file = try ZoneFile.read(data: Data(geojson.utf8), format: .geojson)
    file.fillTimeZones()
    let schedule = try #require(file.zones.first?.schedule)
    // 2026-11-28 02:20 in Stockholm is 01:20 UTC, and in summer 00:20.
    #expect(schedule.isOpen(at: Instant(millisecondsSince1970: 1_795_828_800_000)))
    #expect(!schedule.isOpen(at: Instant(millisecondsSince1970: 1_795_832_400_000)))
    #expect(schedule.isOpen(at: Instant(millisecondsSince1970: 1_782_951_600_000)))
    // Written and read again, it is unchanged.
    let again = try ZoneFile.read(data: try ZoneFormat.pad.encode(file.zones.map(\.draft)).data, format: .pad)
    #expect(again.zones.first?.schedule == schedule)
  }

  @Test func `a file's zone with an unknown time zone is an error that names it`() throws {
    let zones = try ["Mars/Olympus", "UTC"].map { name in
      let geojson = """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[14.5,46.05]},"properties":{"name":"Office",\
        "alarm_schedule":{"time_zone":"\(name)","windows":[{"days":"1234567","opens":135,"closes":165}]}}}
        """
      var file = try ZoneFile.read(data: Data(geojson.utf8), format: .geojson)
      file.fillTimeZones()
      return file
    }
    #expect(zones[0].zones.isEmpty)
    #expect(zones[0].issues.contains { $0.severity == .error && $0.message.contains("Mars/Olympus") })
    #expect(zones[1].zones.first?.schedule?.offsets == [])
  }

  @Test func `offsets beside a name are replaced, and stay without one`() throws {
    let wrong = [Schedule.Offset(from: from, seconds: 60)]
    var filler = ScheduleFiller(at: from)
    let named = try filler.fill(Schedule(windows: [], timeZone: "Asia/Kolkata", offsets: wrong))
    #expect(named.offsets.map(\.seconds) == [19_800])
    let unnamed = Schedule(windows: [], timeZone: "", offsets: wrong)
    #expect(try filler.fill(unnamed) == unnamed)
  }
}
