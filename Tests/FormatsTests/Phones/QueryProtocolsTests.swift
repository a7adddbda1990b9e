import AlarmEngine
import Testing

@testable import Formats

@Suite("P4 OsmAnd")
struct OsmAndReportTests {
  @Test func `P4 the address we give: milliseconds, dilution, metres per second`() {
    #expect(
      phoneStory(phoneReport("/osmand/tok/anna%20b", query: PhoneSamples.osmand)) == """
        device anna b, token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 ±12.5 13.0m/s 181.0° dilution(2.5) alt 298.0
        """)
  }

  @Test func `P4 an accuracy counts more than a dilution, knots only where we did not ask for metres`() {
    let report = phoneReport("/osmand/tok/anna", query: "lat=1&lon=2&hdop=1&accuracy=7&speed=10&speed_ms=3")
    #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(7))])
    #expect(report.fixes.map { $0.fix.speed?.metresPerSecond } == [3])
  }
}

@Suite("P5 GPSLogger")
struct GPSLoggerReportTests {
  private let place =
    "2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 sat 9 battery 0.63 unplugged"

  @Test func `P5 our template`() {
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", PhoneSamples.gpslogger)) == """
        token tok, unique a1d
        \(place) prov=gps
        """)
  }

  @Test func `P5 all values in the query`() {
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", query: PhoneSamples.gpsloggerAll)) == """
        token tok, unique a1d
        \(place) prov=gps starttimestamp=1789990000 date=2026-09-21 ser=x filename=20260921 profile=Default dist=12
        """)
  }

  @Test func `P5 what GPSLogger does not know is zero or nothing, even where JSON needs a value`() {
    let body =
      #"{"lat":46.051,"lon":14.505,"t":1790000000,"acc":0.0,"alt":0.0,"spd":0.0,"dir":,"batt":,"chg":,"sat":0,"prov":"","dev":""}"#
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", body)) == """
        token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 unstated sat 0
        warning: the body is not JSON (a value expected); it is read as if it were mended
        """)
  }

  @Test func `P5 kilometres per hour, offset times and OwnTracks bodies`() {
    let other = phoneReport(
      "/gpslogger/tok", query: "lat=1&lon=2&spd_kph=36&timeoffset=2026-09-21T16:13:20.000+02:00")
    #expect(other.fixes.map { $0.fix.speed?.metresPerSecond } == [10])
    #expect(other.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000])
    #expect(phoneReport("/gpslogger/tok", PhoneSamples.ownTracks).fixes.count == 1)
  }

  @Test func `P5 a file sent twice has the same keys`() {
    let bodies = (0..<20).map { PhoneSamples.gpslogger.replacing("1790000000", with: "17900000\($0 + 10)") }
    let first = bodies.map { phoneReport("/gpslogger/tok", $0).fixes[0].key }
    let again = bodies.shuffled().map { phoneReport("/gpslogger/tok", $0).fixes[0].key }
    #expect(Set(first).count == 20 && Set(again) == Set(first))
    #expect(first[0].bytes.count == 32)
  }
}
