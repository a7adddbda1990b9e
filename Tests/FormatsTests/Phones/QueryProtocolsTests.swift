import AlarmEngine
import Testing

@testable import Formats

@Suite("OsmAnd")
struct OsmAndReportTests {
  @Test func `the address that we give sends milliseconds, a dilution and metres per second`() {
    #expect(
      phoneStory(phoneReport("/osmand/tok/anna%20b", query: PhoneSamples.osmand)) == """
        device anna b, token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 ±12.5 13.0m/s 181.0° dilution(2.5) alt 298.0
        """)
  }

  @Test
  func
    `an accuracy is preferred to a dilution, and a speed is in knots unless our address asked for metres per second`()
  {
    let report = phoneReport("/osmand/tok/anna", query: "lat=1&lon=2&hdop=1&accuracy=7&speed=10&speed_ms=3")
    #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(7))])
    #expect(report.fixes.map { $0.fix.speed?.metresPerSecond } == [3])
  }
}

@Suite("GPSLogger")
struct GPSLoggerReportTests {
  private let place =
    "2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 sat 9 battery 0.63 unplugged"

  @Test func `our template is read`() {
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", PhoneSamples.gpslogger)) == """
        token tok, unique a1d
        \(place) prov=gps
        """)
  }

  @Test func `the query with all of GPSLogger's values is read`() {
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", query: PhoneSamples.gpsloggerAll)) == """
        token tok, unique a1d
        \(place) prov=gps starttimestamp=1789990000 date=2026-09-21 ser=x filename=20260921 profile=Default dist=12
        """)
  }

  @Test func `GPSLogger sends zero or nothing for an unknown value, even where JSON needs a value`() {
    let body =
      #"{"lat":46.051,"lon":14.505,"t":1790000000,"acc":0.0,"alt":0.0,"spd":0.0,"dir":,"batt":,"chg":,"sat":0,"prov":"","dev":""}"#
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", body)) == """
        token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 unstated sat 0
        warning: the body is not JSON (a value expected); it is read after a repair
        """)
  }

  @Test func `speeds in kilometres per hour, times with an offset and OwnTracks bodies are read`() {
    let other = phoneReport(
      "/gpslogger/tok", query: "lat=1&lon=2&spd_kph=36&timeoffset=2026-09-21T16:13:20.000+02:00")
    #expect(other.fixes.map { $0.fix.speed?.metresPerSecond } == [10])
    #expect(other.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000])
    #expect(phoneReport("/gpslogger/tok", PhoneSamples.ownTracks).fixes.count == 1)
  }

  @Test func `the template of Home Assistant's documentation has a position`() {
    let query =
      "latitude=46.051&longitude=14.505&device=a1d&accuracy=12.0&battery=63.0&speed=13.0&direction=181.0&altitude=298.0"
      + "&provider=gps&activity=&timestamp=1790000000"
    #expect(
      phoneStory(phoneReport("/gpslogger/tok", query)) == """
        token tok, unique a1d
        2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 battery 0.63 provider=gps
        """)
    #expect(phoneReport("/gpslogger/tok", query: query).fixes == phoneReport("/gpslogger/tok", query).fixes)
  }

  @Test func `names that mean nothing are kept as they are, and are no sign of life`() {
    for (path, query) in [
      ("/gpslogger/tok", "breite=46&laenge=14"), ("/gpslogger/tok", "dev=x&y=46.05"),
      ("/osmand/tok/anna", "id=1&north=46.05&east=14.5"), ("/logGet/tok/anna", "y=46&x=14"),
      ("/", "id=1&north=46.05&east=14.5"),
    ] {
      let report = phoneReport(path, query: query)
      #expect(report.messages == [.unknown(type: "")] && report.needsRawBody, "\(path)?\(query)")
      #expect(!report.isSignOfLife && report.issues.count == 1, "\(path)?\(query)")
    }
    for (path, query) in [
      ("/gpslogger/tok", "batt=50"), ("/gpslogger/tok", ""), ("/osmand/tok/anna", "id=1"),
      ("/", "id=1&x=2&batt=50"),
      ("/logGet/tok/anna", "bat=50&x=1"),
    ] {
      let report = phoneReport(path, query: query)
      #expect(report.isSignOfLife && !report.needsRawBody, "\(path)?\(query): \(phoneStory(report))")
    }
  }

  @Test func `a file sent twice has the same keys`() {
    let bodies = (0..<20).map { PhoneSamples.gpslogger.replacing("1790000000", with: "17900000\($0 + 10)") }
    let first = bodies.map { phoneReport("/gpslogger/tok", $0).fixes[0].key }
    let again = bodies.shuffled().map { phoneReport("/gpslogger/tok", $0).fixes[0].key }
    #expect(Set(first).count == 20 && Set(again) == Set(first))
    #expect(first[0].bytes.count == 32)
  }
}

@Suite("Hemispheres of parameters")
struct ParameterHemisphereTests {
  @Test(
    arguments: [
      ("NS=S&EW=W", -57.7, -11.9), ("ns=N&ew=E", 57.7, 11.9), ("lat_ref=S", -57.7, 11.9),
      ("latitude_ref=South&longitude_ref=West", -57.7, -11.9), ("N/S=s", -57.7, 11.9),
      ("E%2FW=W", 57.7, -11.9),
      ("lonHemisphere=W", 57.7, -11.9), ("hemisphere=S", -57.7, 11.9),
      ("hemisphere=S&hemisphere=W", -57.7, -11.9),
      ("direction=90&useragent=NS", 57.7, 11.9),
    ] as [(query: String, latitude: Double, longitude: Double)],
    ["/osmand/tok/anna", "/gpslogger/tok", "/log/gpslogger/tok/anna"])
  func `are obeyed`(each: (query: String, latitude: Double, longitude: Double), path: String) {
    let (query, latitude, longitude) = each
    let report = phoneReport(path, query: "\(query)&lat=57.7&lon=11.9&timestamp=1790000000")
    #expect(report.fixes.map(\.fix.position.latitude.degrees) == [latitude], "\(query)")
    #expect(report.fixes.map(\.fix.position.longitude.degrees) == [longitude], "\(query)")
  }

  @Test(
    arguments: ["NS=X", "NS=", "NS=E", "lat_ref=1", "hemisphere=", "hemisphere=up", "lat_dir=N&lat_dir=Q"],
    ["/osmand/tok/anna", "/gpslogger/tok", "/log/gpslogger/tok/anna"])
  func `that are none make the position unreadable`(query: String, path: String) {
    let report = phoneReport(path, query: "lat=57.7&lon=11.9&timestamp=1790000000&\(query)")
    #expect(report.fixes.isEmpty && !report.issues.isEmpty, "\(query)")
  }

  @Test func `that contradict the sign do as well, and a letter beside the number is never passed over`() {
    for query in [
      "lat=-57.7&lon=11.9&NS=N", "lat=57.7S&lon=11.9", "lat=S57.7&lon=11.9", "location=57.7S,11.9",
    ] {
      #expect(
        phoneReport("/osmand/tok/anna", query: "\(query)&timestamp=1790000000").fixes.isEmpty, "\(query)")
    }
    let same = phoneReport("/osmand/tok/anna", query: "location=-57.7,11.9&NS=S&timestamp=1790000000")
    #expect(same.fixes.map(\.fix.position.latitude.degrees) == [-57.7])
  }

  @Test func `stand in the objects of JSON as well`() {
    let report = phoneReport(
      "/osmand/tok/anna",
      #"{"location":{"timestamp":1790000000,"coords":{"latitude":57.7,"longitude":11.9,"latitude_ref":"S"}}}"#
    )
    #expect(report.fixes.map(\.fix.position.latitude.degrees) == [-57.7])
  }
}
