import AlarmEngine
import Testing

@testable import Formats

@Suite("Overland")
struct OverlandBatchTests {
  private let line = """
    46.051,14.505 ±12.0 13.0m/s 181.0° alt 298.0 ±4.0 by anna battery 0.63 unplugged driving \
    speed_accuracy=0.5 course_accuracy=3.1
    """

  @Test func `a batch has longitude first, metres per second and a battery from 0 to 1`() {
    let report = phoneReport("/overland", headers: ["Authorization": "Bearer tok"], PhoneSamples.overland)
    #expect(
      phoneStory(report) == """
        device anna, token tok, unique u1
        2026-09-21T14:13:20.000Z \(line)
        """)
  }

  @Test
  func
    `the current position comes first, then the batch in the order of its own times, whatever order it was sent in`()
  {
    let times = ["2026-09-21T14:13:18Z", "2026-09-21T14:13:16Z", "2026-09-21T14:13:17Z"]
    let body =
      #"{"locations":["# + times.map { PhoneSamples.overlandFeature(time: $0) }.joined(separator: ",")
      + #"],"current":"# + PhoneSamples.overlandFeature() + #","trip":{"distance":1200.5,"mode":"driving","#
      + #""start":"2026-09-21T14:00:00Z","current_location":"# + PhoneSamples.overlandFeature() + "}}"
    let report = phoneReport("/overland", body)
    #expect(
      report.fixes.map { $0.fix.measuredAt.millisecondsSince1970 % 60000 } == [20000, 16000, 17000, 18000])
    #expect(report.fixes[0].details.isCurrent && !report.fixes[1].details.isCurrent)
    // The trip's position repeats the current one.
    #expect(report.duplicates == 1 && report.issues.isEmpty)
    var trip = PhoneTrip()
    trip.distance = .metres(1200.5)
    trip.mode = "driving"
    trip.start = Instant(millisecondsSince1970: 1_789_999_200_000)
    #expect(report.messages == [.trip(trip)])
  }

  @Test func `log entries and trips are not positions`() {
    let report = phoneReport(
      "/overland",
      #"{"locations":[{"type":"Feature","properties":{"timestamp":"2026-09-21T14:13:20Z","action":"paused"}},"#
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[14.5,46]},"properties":{"timestamp":"2026-09-21T14:13:21Z","action":"visit"}},"#
        + #"{"type":"Feature","geometry":null,"properties":{"type":"trip","mode":"walk","start":"2026-09-21T14:00:00Z","end":"2026-09-21T14:10:00Z","distance":10}}]}"#
    )
    var trip = PhoneTrip()
    trip.distance = .metres(10)
    trip.mode = "walk"
    trip.start = Instant(millisecondsSince1970: 1_789_999_200_000)
    trip.end = Instant(millisecondsSince1970: 1_789_999_800_000)
    #expect(
      report.messages == [
        .logEntry(action: "paused", at: Instant(millisecondsSince1970: 1_790_000_000_000), []),
        .logEntry(action: "visit", at: Instant(millisecondsSince1970: 1_790_000_001_000), []), .trip(trip),
      ])
    #expect(report.fixes.isEmpty && !report.needsRawBody)
  }

  @Test func `a visit is a position at arrival and at departure, as far as these are known`() {
    func visit(_ arrival: String, _ departure: String) -> PhoneReport {
      phoneReport(
        "/overland",
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14.505,46.051]},"properties":{"#
          + #""timestamp":"2026-09-21T14:13:20Z","action":"visit","arrival_date":\#(arrival),"#
          + #""departure_date":\#(departure),"horizontal_accuracy":30,"battery_level":0.63,"device_id":"anna"}}]}"#
      )
    }
    let place = "46.051,14.505 ±30.0 visit by anna"
    let whole = visit("\"2026-09-21T10:00:00Z\"", "\"2026-09-21T14:00:00Z\"")
    #expect(
      phoneStory(whole).hasPrefix(
        "device anna\n2026-09-21T10:00:00.000Z \(place)\n2026-09-21T14:00:00.000Z \(place)\n"),
      "\(phoneStory(whole))")
    #expect(whole.issues.isEmpty && !whole.needsRawBody)
    // Core Location's distant past and distant future, and a missing time.
    for (arrival, departure, times) in [
      ("\"0001-01-01T00:00:00Z\"", "\"2026-09-21T14:00:00Z\"", [1_789_999_200_000]),
      ("\"2026-09-21T10:00:00Z\"", "\"4001-01-01T00:00:00Z\"", [1_789_984_800_000]),
      ("\"2026-09-21T10:00:00Z\"", "null", [1_789_984_800_000]), ("null", "null", []), ("5", "\"soon\"", []),
    ] as [(String, String, [Int64])] {
      #expect(
        visit(arrival, departure).fixes.map(\.fix.measuredAt.millisecondsSince1970) == times,
        "\(arrival), \(departure)")
    }
  }

  @Test func `Overland posting as OwnTracks counts seconds from 2001 and still needs Overland's answer`() {
    let body = #"{"_type":"location","lat":46.051,"lon":14.505,"tst":811692800,"acc":12,"vel":47}"#
    for path in ["/overland", "/pub"] {
      let report = phoneReport(path, headers: ["Authorization": "Basic tok:"], body)
      #expect(report.claim.token == "tok")
      #expect(report.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000])
      #expect(PhoneReply.stored(report).body == Array(#"{"result":"ok"}"#.utf8))
    }
  }

  @Test func `one bad element does not cost any of the others`() {
    let good = PhoneSamples.overlandFeature()
    let later = PhoneSamples.overlandFeature(time: "2026-09-21T14:13:30Z")
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    for bad in [
      "5", "null", "{}", #"{"properties":5}"#, PhoneSamples.overlandFeature(latitude: "91"),
      PhoneSamples.overlandFeature(latitude: "NaN"), PhoneSamples.overlandFeature(latitude: "1e999"),
      PhoneSamples.overlandFeature(latitude: "\"north\""), PhoneSamples.overlandFeature(latitude: ""),
      PhoneSamples.overlandFeature(time: "yesterday"),
      PhoneSamples.overlandFeature(time: "2026-02-30T00:00:00Z"),
      #"{"geometry":"# + deep + "}", "", "x y", "{\"a\":}",
    ] {
      let report = phoneReport(
        "/overland", #"{"locations":["# + [good, bad, later].joined(separator: ",") + "]}")
      #expect(report.fixes.count == 2, "\(bad.prefix(60)): \(phoneStory(report))")
      #expect(report.needsRawBody, "\(bad.prefix(60))")
    }
  }

  @Test func `a batch that is cut off gives its complete elements`() {
    let whole =
      #"{"locations":["#
      + [1, 2, 3].map { PhoneSamples.overlandFeature(time: "2026-09-21T14:13:0\($0)Z") }
      .joined(separator: ",") + "]}"
    let bytes = Array(whole.utf8)
    var counts: [Int] = []
    for count in bytes.indices {
      let report = PhoneReport.read(phoneRequest("/overland", bytes: Array(bytes[..<count])))
      #expect(report.needsRawBody, "\(count) bytes: \(phoneStory(report))")
      #expect(report.fixes.allSatisfy { $0.fix.position.latitude.degrees == 46.051 }, "\(count) bytes")
      if counts.last != report.fixes.count { counts.append(report.fixes.count) }
    }
    #expect(counts == [0, 1, 2, 3])
  }

  @Test func `a body without locations is kept`() {
    for body in ["", "{}", "5", "[5]", #"{"locations":5}"#, "hello"] {
      #expect(phoneReport("/overland", body).needsRawBody, "\(body)")
    }
    #expect(!phoneReport("/overland", #"{"locations":[]}"#).needsRawBody)
  }
}
