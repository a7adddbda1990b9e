import AlarmEngine
import Testing

@testable import Formats

@Suite("PhoneTrack")
struct PhoneTrackReportTests {
  private let place =
    "2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 sat 9 battery 0.63 useragent=PhoneTrack"

  @Test(arguments: [
    "/logGet/tok/anna", "/logPost/tok/anna", "/log/gpslogger/tok/anna",
    "/index.php/apps/phonetrack/logGet/tok/anna",
  ])
  func `a position is read from the query or from a form`(path: String) {
    let expected = "device anna, token tok\n\(place)"
    #expect(phoneStory(phoneReport(path, query: PhoneSamples.phoneTrack)) == expected)
    #expect(phoneStory(phoneReport(path, PhoneSamples.phoneTrack)) == expected)
  }

  @Test func `a time above ten thousand million is in milliseconds, and a date is a time too`() {
    for time in [
      "timestamp=1790000000000", "datetime=2026-09-21T14%3A13%3A20Z", "datetime=2026-09-21+14:13:20",
    ] {
      let report = phoneReport("/logGet/tok/anna", query: "lat=1&lon=2&\(time)")
      #expect(report.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000], "\(time)")
    }
  }

  @Test
  func `logPostMultiple gives every point, from JSON, from JSON in a form and from a list in PHP's form`() {
    let later = place.replacing("20.000Z 46.051", with: "30.000Z 46.052")
    let expected = "device anna, token tok\n\(place)\n\(later)"
    #expect(phoneStory(phoneReport("/logPostMultiple/tok/anna", PhoneSamples.phoneTrackPoints)) == expected)
    let list = PhoneSamples.phoneTrackPoints.dropFirst(#"{"points":"#.count).dropLast()
    let form = "points=" + PercentCoding.encode(String(list))
    #expect(phoneStory(phoneReport("/logPostMultiple/tok/anna", form)) == expected)
    let columns = [["46.051", "14.505", "1790000000", "298", "12", "63", "9", "PhoneTrack", "13", "181"]]
    let indexed = columns[0].enumerated().map { "points%5B0%5D%5B\($0.offset)%5D=\($0.element)" }
    let report = phoneReport("/logPostMultiple/tok/anna", indexed.joined(separator: "&"))
    #expect(phoneStory(report) == "device anna, token tok\n\(place)")
  }

  @Test func `logPostMultiple names bad points and keeps the others`() {
    let report = phoneReport(
      "/logPostMultiple/tok/anna",
      #"{"points":[[46.051,14.505,1790000000],5,[],["x",2,3],[46.052,14.505,1790000001,null,0]]}"#)
    #expect(
      phoneStory(report) == """
        device anna, token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 unstated
        2026-09-21T14:13:21.000Z 46.052,14.505 unstated
        error 2: a number found, an array expected; the point is left out
        error 3: a point without a position found, latitude and longitude expected; it is left out
        error 4: latitude "x" found, a number of degrees expected; the point is left out
        """)
  }

  @Test func `OsmAnd's accuracy is a dilution of precision`() {
    let report = phoneReport("/log/osmand/tok/anna", query: PhoneSamples.phoneTrack)
    #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(60))])
    #expect(report.fixes.map(\.accuracyBasis) == [.dilution(12)])
  }

  @Test func `Locus Map sends time and battery`() {
    let query = PhoneSamples.phoneTrack.replacing("timestamp=", with: "time=").replacing(
      "bat=", with: "battery=")
    #expect(
      phoneStory(phoneReport("/log/locusmap/tok/anna", query: query)) == "device anna, token tok\n\(place)")
  }

  @Test func `OwnTracks, Overland and Traccar send the same as on their own paths`() {
    for (path, body) in [
      ("/log/owntracks/tok/anna", PhoneSamples.ownTracks), ("/log/overland/tok/anna", PhoneSamples.overland),
      ("/log/traccar/tok/anna", PhoneSamples.traccarJSON),
      ("/log/traccar/tok/anna", PhoneSamples.traccarQuery),
    ] {
      let report = phoneReport(path, body)
      #expect(report.claim.device == "anna" && report.claim.token == "tok", "\(path)")
      #expect(report.fixes.map(\.fix.position.latitude.degrees) == [46.051], "\(path)")
      #expect(((report.fixes[0].fix.speed?.metresPerSecond ?? 0) - 13).magnitude < 0.1, "\(path)")
    }
  }

  @Test func `μlogger signs in, begins a track and adds a position`() {
    let path = "/log/ulogger/tok/anna/client/index.php"
    #expect(phoneReport(path, "action=auth&user=a&pass=b").messages == [.session(action: "auth")])
    #expect(phoneReport(path, "action=addtrack&track=x").messages == [.session(action: "addtrack")])
    let report = phoneReport(path, PhoneSamples.uLogger)
    #expect(report.messages == [.session(action: "addpos")])
    #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(12))])
    #expect(report.fixes[0].details.altitude == .metres(298))
  }

  @Test func `μlogger sends a position with a picture as a form of several parts`() {
    let path = "/log/ulogger/tok/anna/client/index.php"
    let fields = PhoneSamples.uLogger.split(separator: "&").map { $0.split(separator: "=") }
    let parts = fields.map { "--B\r\nContent-Disposition: form-data; name=\"\($0[0])\"\r\n\r\n\($0[1])\r\n" }
    let picture =
      "--B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n\r\n\u{0}\u{1}&lat=9\r\n--B--\r\n"
    let report = phoneReport(path, parts.joined() + picture)
    var plain = phoneReport(path, PhoneSamples.uLogger)
    plain.bodyHasMore = true
    #expect(report == plain && report.needsRawBody)
    for body in ["--", "--B", "--B\r\n--B--", "---\r\n\r\n"] {
      #expect(phoneReport(path, body).messages.first == .unreadable, "\(body)")
    }
  }

  @Test func `OpenGTS sends an NMEA sentence`() {
    #expect(
      phoneStory(phoneReport("/log/opengts/tok/anna", query: PhoneSamples.openGTS)) == """
        device anna, token tok
        2026-09-21T14:13:20.000Z 46.051,14.505 13.0m/s 181.0° unstated alt 298.0 battery 0.63
        """)
    let bad = phoneReport("/log/opengts/tok/anna", query: "gprmc=hello")
    #expect(bad.fixes.isEmpty && bad.needsRawBody)
    // The receiver reports that it has no position.
    let void = phoneReport("/log/opengts/tok/anna", query: "gprmc=$GPRMC,141320,V,,,,,,,210926,,")
    #expect(void.fixes.isEmpty && void.needsRawBody)
  }
}
