import AlarmEngine
import Testing

@testable import Formats

@Suite("Traccar Client")
struct TraccarReportTests {
  @Test func `the old form has knots, in the query or as a form`() {
    let expected = """
      device 12345678
      2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 battery 0.63
      """
    #expect(phoneStory(phoneReport("/", query: PhoneSamples.traccarQuery)) == expected)
    #expect(phoneStory(phoneReport("/traccar", PhoneSamples.traccarQuery)) == expected)
  }

  @Test func `the new form has metres per second and a battery from 0 to 1`() {
    #expect(
      phoneStory(phoneReport("/traccar", PhoneSamples.traccarJSON)) == """
        device 12345678
        2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 other("motionchange") battery 0.63 \
        unplugged in_vehicle ALARM sos real is_moving=true odometer=1200
        """)
  }

  @Test(arguments: [
    ("1790000000", 1_790_000_000_000), ("2147483646", 2_147_483_646_000), ("2147483647", 2_147_483_647),
    ("1790000000250", 1_790_000_000_250), ("2026-09-21T14:13:20Z", 1_790_000_000_000),
    ("2026-09-21T16:13:20+02:00", 1_790_000_000_000), ("2026-09-21+14:13:20", 1_790_000_000_000),
    ("2026-09-21%2014:13:20", 1_790_000_000_000), ("2026-09-21T16:13:20.5%2B02:00", 1_790_000_000_500),
  ])
  func `times are read in seconds, milliseconds, ISO 8601 or as a plain date and time`(
    text: String, milliseconds: Int64
  ) {
    let report = phoneReport("/", query: "id=1&lat=1&lon=2&timestamp=\(text)")
    #expect(report.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [milliseconds])
    #expect(report.issues.isEmpty)
  }

  @Test func `the other fields of the query are read`() {
    #expect(
      phoneStory(
        phoneReport(
          "/",
          query: "deviceid=7&location=46.051,14.505&heading=90&hdop=2&charge=true&mock=true&alarm=sos"
            + "&cell=293,41,1,2&wifi=aa-bb,-70&driverUniqueId=d&x=y+z")) == """
          device 7
          2026-09-21T14:13:25.000Z 46.051,14.505 ±10.0 90.0° dilution(2.0) now charging ALARM sos mock \
          cell=293,41,1,2 wifi=aa-bb,-70 driverUniqueId=d x=y z
          """)
  }

  @Test func `a position that the phone calls invalid is kept and not used`() {
    let report = phoneReport("/", query: PhoneSamples.traccarQuery + "&valid=false")
    #expect(report.fixes.map(\.fix.accuracy) == [.invalid(stated: .metres(-1))] && report.issues.count == 1)
  }

  @Test func `a request without a position is a heartbeat, or an upload if it has a token`() {
    var state = PhoneState()
    state.battery = 0.5
    #expect(phoneReport("/", query: "id=1&batt=50").messages == [.heartbeat(at: phoneArrival, state)])
    state.isCharging = true
    let json =
      #"{"location":{"timestamp":"2026-09-21T14:13:20Z","battery":{"level":0.5,"is_charging":true}},"device_id":"1"}"#
    #expect(
      phoneReport("/", json).messages == [
        .heartbeat(at: Instant(millisecondsSince1970: 1_790_000_000_000), state)
      ])
    let token = phoneReport("/", "id=1&notificationToken=abc%3Adef")
    #expect(token.messages == [.pushToken("abc:def")] && token.claim.device == "1")
  }

  @Test
  func `the client's copy of its identifier is not kept, nor anything else that holds a secret`() {
    let json =
      #"{"location":{"timestamp":"2026-09-21T14:13:20Z","coords":{"latitude":46.051,"longitude":14.505},"#
      + #""_":"&id=SECRET&lat=46.051","extras":{"key":"x-SECRET","note":"kept"}},"device_id":"SECRET"}"#
    var report = phoneReport("/traccar", json)
    #expect(report.fixes[0].details.state.attributes.map(\.name) == ["key", "note"])
    report.forget(secret: "SECRET")
    #expect(report.fixes[0].details.state.attributes.map(\.name) == ["note"])
    #expect(report.claim.device == nil)
    #expect(!"\(report)".contains("SECRET"))
  }

  @Test func `minus one means unknown, and several locations give several positions`() {
    let one =
      #"{"timestamp":"2026-09-21T14:13:2N.000Z","coords":{"latitude":46.051,"longitude":14.505,"accuracy":-1,"speed":-1,"heading":-1},"battery":{"level":-1}}"#
    let report = phoneReport(
      "/traccar",
      #"{"location":["#
        + [one.replacing("N", with: "1"), one.replacing("N", with: "0"), "7"].joined(separator: ",")
        + #"],"device_id":5}"#)
    #expect(
      phoneStory(report) == """
        device 5
        2026-09-21T14:13:20.000Z 46.051,14.505 unstated
        2026-09-21T14:13:21.000Z 46.051,14.505 unstated
        error 3: a number found, a location expected; it is left out
        """)
  }

  @Test(arguments: ["/traccar/tok", "/osmand/tok/x", "/overland/tok", "/log/traccar/tok/x"])
  func `Transistorsoft's nested positions are read`(path: String) {
    func location(_ second: Int) -> String {
      #"{"location":{"coords":{"latitude":46.05,"longitude":14.5,"accuracy":9},"timestamp":"2026-09-21T14:13:0\#(second)Z"}}"#
    }
    let batch = phoneReport(path, "{\"locations\":[\(location(1)),\(location(2))]}")
    #expect(batch.fixes.count == 2, "\(phoneStory(batch))")
    #expect(batch.fixes.allSatisfy { $0.fix.position.latitude.degrees == 46.05 })
    #expect(!batch.needsRawBody)
    if path != "/overland/tok" {
      #expect(phoneReport(path, location(1)).fixes.count == 1)
      #expect(
        phoneReport(path, #"{"locations":[\#(location(1).dropFirst(12).dropLast())]}"#).fixes.count == 1)
    }
    let broken = phoneReport(path, "{\"locations\":[\(location(1)),7,null,{\"location\":5}]}")
    #expect(broken.fixes.count == 1)
    #expect(!broken.issues.isEmpty)
  }

  @Test(arguments: [
    "Mon, 21 Sep 2026 14:13:20 GMT", "21 Sep 2026 14:13:20 UT", "Mon, 21 Sep 2026 16:13:20 +0200",
    "Monday, 21-Sep-2026 14:13:20 GMT", "mon, 21 september 2026 14:13:20 z", "Mon, 21 Sep 2026 10:13:20 EDT",
    "21 Sep 2026 14:13:20",
  ])
  func `dates of RFC 1123 are read`(text: String) {
    let encoded = PercentCoding.encode(text)
    for query in [encoded, encoded.replacing("%20", with: "+"), text.replacing(" ", with: "%20")] {
      let report = phoneReport("/osmand/tok/x", query: "lat=46.05&lon=14.5&timestamp=\(query)")
      #expect(
        report.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000],
        "\(query) \(report.issues)")
    }
  }

  @Test(arguments: [
    "Mon, 31 Sep 2026 14:13:20 GMT", "Mon, 21 Sex 2026 14:13:20 GMT", "Foo, 21 Sep 2026 14:13:20 GMT",
    "Mon, 21 Sep 2026 14:13:20 GMTX", "Mon, 21 Sep 26 14:13:20 GMT", "Mon", "21 Sep", "21 Sep 2026",
    "Mon, 21 Sep 2026 25:00:00 GMT",
    "M", "21 Sepp 2026 14:13:20",
  ])
  func `what only looks like such a date is no time`(text: String) {
    let reading = Timestamp.read(text)
    #expect(reading == .unreadable, "\(text)")
  }
}
