import AlarmEngine
import Foundation
import Testing

@testable import Formats

@Suite("OwnTracks")
struct OwnTracksMessageTests {
  @Test func `a location is read as both applications post it`() {
    let report = phoneReport(
      "/pub", query: "u=anna&d=phone",
      headers: [
        "Content-Type": "application/json", "Authorization": "Basic YW5uYTpzZWNyZXQ=", "X-Limit-U": "anna",
        "X-Limit-D": "phone",
      ], PhoneSamples.ownTracks)
    #expect(
      phoneStory(report) == """
        user anna, device phone, tid AN
        2026-09-21T14:13:20.000Z 46.051,14.505 ±12.0 13.06m/s 181.0° alt 298.0 ±4.0 manual in Home rids 6da9cf \
        id a1b2c3d4 made 2026-09-21T14:13:23.000Z by owntracks/anna/phone battery 0.63 unplugged mobile significant
        """)
    #expect(!report.needsRawBody)
  }

  @Test func `a transition names its fence and where it was crossed`() {
    let report = phoneReport("/pub", PhoneSamples.ownTracksTransition)
    var transition = PhoneTransition(isEntering: true)
    transition.name = "Cliff edge"
    transition.regionID = "z-17"
    transition.trackerID = "AN"
    transition.at = Instant(millisecondsSince1970: 1_790_000_000_000)
    transition.waypointMadeAt = Instant(millisecondsSince1970: 1_780_000_000_000)
    transition.trigger = .circle
    #expect(report.messages == [.transition(transition)])
    #expect(report.fixes.count == 1 && report.fixes[0].details.trigger == .circle)
    #expect(report.claim == DeviceClaim(user: "owntracks", device: "phone", trackerID: "AN"))
  }

  @Test func `waypoints are the phone's fences, circles and beacons`() throws {
    let report = phoneReport("/pub", PhoneSamples.ownTracksWaypoints)
    guard case .waypoints(let found) = report.messages.first else {
      Issue.record("\(report.messages)")
      return
    }
    #expect(found.map(\.name) == ["Cliff edge", "Desk"])
    #expect(found[0].regionID == "z-17" && found[0].radius == .metres(150) && !found[0].isBeacon)
    #expect(found[0].center?.latitude.degrees == 46.0512)
    #expect(found[1].isBeacon && found[1].center == nil)
    let single = phoneReport("/pub", #"{"_type":"waypoint","desc":"A","lat":91,"lon":0,"rad":-1,"tst":1}"#)
    guard case .waypoint(let waypoint) = single.messages.first else {
      Issue.record("\(single.messages)")
      return
    }
    #expect(waypoint.center == nil && waypoint.radius == nil && single.issues.count == 1)
  }

  @Test(arguments: [
    (#"{"_type":"status","iOS":{"a":1}}"#, PhoneMessage.status([PhoneAttribute("iOS", #"{"a":1}"#)])),
    (
      #"{"_type":"lwt","tst":1790000000}"#,
      .lastWill(since: Instant(millisecondsSince1970: 1_790_000_000_000))
    ),
    (#"{"_type":"steps","steps":12}"#, .steps([PhoneAttribute("steps", "12")])),
    (#"{"_type":"beacon","uuid":"CA27"}"#, .beacon([PhoneAttribute("uuid", "CA27")])),
    (#"{"_type":"card","tid":"AN","name":"Anna"}"#, .card(trackerID: "AN", name: "Anna")),
    (
      #"{"_type":"configuration","mode":3,"password":"x"}"#,
      .configuration([PhoneAttribute("mode", "3")], waypoints: [])
    ),
    (#"{"_type":"request","request":"tour"}"#, .request([PhoneAttribute("request", "tour")])),
    (#"{"_type":"cmd","action":"dump"}"#, .command(action: "dump")),
    ("", .friendDeleted), (" \r\n", .friendDeleted),
  ])
  func `other messages are kept, each with its type`(body: String, message: PhoneMessage) {
    let report = phoneReport("/pub", body)
    #expect(report.messages == [message] && report.fixes.isEmpty && report.issues.isEmpty)
    #expect(!report.needsRawBody)
  }

  @Test func `an encrypted message is returned sealed, and its content is read like any other message`()
    throws
  {
    let sealed = [UInt8](0..<60)
    let body = String(decoding: OwnTracksItem.encode(sealed: sealed), as: UTF8.self)
    var request = phoneRequest("/pub", query: "u=anna&d=phone", body)
    #expect(PhoneReport.read(request).messages == [.sealed(sealed)])
    request.body = Array(PhoneSamples.ownTracks.utf8)
    #expect(PhoneReport.read(request).fixes.count == 1)
    for bad in [#""data":"AAAA""#, #""data":5"#, #""dat":"x""#] {
      let report = phoneReport("/pub", #"{"_type":"encrypted","# + bad + "}")
      #expect(report.messages == [.unknown(type: "encrypted")] && report.needsRawBody)
    }
  }

  @Test
  func
    `the identity comes from the credentials, then the query, the headers, the topic, then the Recorder's fields`()
  {
    let topic = #"{"_type":"lwt","topic":"owntracks/tina/tablet"}"#
    var headers = ["x-limit-u": "hugo", "x-limit-d": "handy", "authorization": "basic YW5uYTpzZWNyZXQ="]
    func who(_ query: String, _ body: String) -> String {
      let claim = phoneReport("/pub", query: query, headers: headers, body).claim
      return "\(claim.user ?? "-") \(claim.device ?? "-")"
    }
    #expect(who("u=queen&d=quartz", topic) == "anna quartz")
    headers["authorization"] = nil
    #expect(who("u=queen&d=quartz", topic) == "queen quartz")
    #expect(who("", topic) == "hugo handy")
    headers = [:]
    #expect(who("", topic) == "tina tablet")
    #expect(who("", #"{"_type":"lwt","topic":"elsewhere/a/b"}"#) == "owntracks phone")
  }

  @Test func `zero, negative and absent values are unknown, never perfect`() {
    #expect(
      phoneStory(
        phoneReport(
          "/pub",
          #"{"_type":"location","lat":46.051,"lon":14.505,"tst":1790000000,"acc":0,"vel":-1,"cog":-1,"batt":-1,"bs":0,"vac":0}"#
        )) == """
          user owntracks, device phone
          2026-09-21T14:13:20.000Z 46.051,14.505 unstated automatic
          """)
    let negative = phoneReport("/pub", #"{"_type":"location","lat":1,"lon":2,"tst":1790000000,"acc":-1}"#)
    #expect(negative.fixes.map(\.fix.accuracy) == [.unstated])
  }

  @Test func `an unknown message, or none at all, is kept and not refused`() {
    #expect(phoneReport("/pub", #"{"_type":"dance"}"#).messages == [.unknown(type: "dance")])
    #expect(phoneReport("/pub", #"{"lat":1}"#).messages == [.unknown(type: "")])
    for body in ["hello", "12", "\"x\"", "{", "[1]", "\u{0}"] {
      let report = phoneReport("/pub", body)
      #expect(report.messages == [.unreadable] && report.needsRawBody, "\(body)")
    }
    let without = phoneReport("/pub", #"{"_type":"location","lat":46,"lon":14}"#)
    #expect(without.fixes.isEmpty && without.needsRawBody)
  }

  @Test func `a message is read despite a byte order mark, UTF-16 or a wrong content type`() throws {
    let whole = PhoneReport.read(phoneRequest("/pub", PhoneSamples.ownTracks))
    let marked = [0xef, 0xbb, 0xbf] + Array(PhoneSamples.ownTracks.utf8)
    #expect(PhoneReport.read(phoneRequest("/pub", bytes: marked)) == whole)
    let wide = try #require(PhoneSamples.ownTracks.data(using: .utf16))
    #expect(PhoneReport.read(phoneRequest("/pub", bytes: Array(wide))) == whole)
    let header = ["Content-Type": "application/x-www-form-urlencoded"]
    #expect(PhoneReport.read(phoneRequest("/pub", headers: header, PhoneSamples.ownTracks)) == whole)
  }

  @Test func `a picture stays in the body, which is then kept`() {
    let picture = String(repeating: "A", count: 5000)
    let body = PhoneSamples.ownTracks.replacing(
      "\"tid\"", with: "\"image\":\"\(picture)\",\"imagename\":\"a.jpg\",\"tid\"")
    let report = phoneReport("/pub", body)
    #expect(report.needsRawBody && report.issues.isEmpty)
    #expect(report.fixes.map(\.details.state.attributes) == [[PhoneAttribute("imagename", "a.jpg")]])
  }

  @Test(arguments: ["\u{0}", " \u{0}", "\u{0}\u{0}\n", "\r\n \t\u{0} "])
  func `blanks and the NUL of a string in C after a message are passed over`(end: String) {
    let body = #"{"_type":"location","lat":46.05,"lon":14.5,"tst":1790000000,"tid":"a1"}"#
    let report = phoneReport("/pub", body + end)
    #expect(report.fixes.count == 1 && !report.needsRawBody, "\(phoneStory(report))")
    #expect(phoneReport("/overland/tok", #"{"locations":[]}"# + end).needsRawBody == false)
    #expect(phoneReport("/gpslogger/tok", #"{"lat":1,"lon":2,"t":1790000000}"# + end).fixes.count == 1)
    // A zero byte inside does not end the text.
    #expect(phoneReport("/pub", body + "\u{0}x").fixes.isEmpty)
  }
}
