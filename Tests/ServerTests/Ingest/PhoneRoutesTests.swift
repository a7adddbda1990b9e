import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import PayloadCrypto
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// The apps' literal request bodies, their paths and the signs of success that they wait for.
@Suite("Phone routes")
struct PhoneRoutesTests {
  private struct Report: Sendable {
    let path: String
    let body: String
    let answer: String
    var method = HTTPRequest.Method.post
  }

  private static func reports(_ time: Instant, _ token: String) -> [Report] {
    let seconds = time.millisecondsSince1970 / 1000
    let iso = RFC3339.string(from: time)
    let point = #""lat":46.051,"lon":14.505"#
    let query = "lat=46.051&lon=14.505&timestamp=\(seconds)&acc=12&alt=298&bat=63&speed=0"
    let overland = """
      {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14.505,46.051]},"properties":{\
      "timestamp":"\(iso)","altitude":298,"speed":0,"horizontal_accuracy":12,"battery_level":0.63,\
      "device_id":"anna","unique_id":"x"}}]}
      """
    let traccar = """
      {"location":{"timestamp":"\(iso)","coords":{"latitude":46.051,"longitude":14.505,"accuracy":12,"speed":0,\
      "heading":181,"altitude":298},"is_moving":true,"battery":{"level":0.63,"is_charging":false}},\
      "device_id":"12345678"}
      """
    let done = #"{"done":1,"friends":[],"pointId":1,"deviceId":1}"#
    let gps = #"{\#(point),"t":\#(seconds),"acc":12,"alt":298,"spd":0,"dir":0,"batt":63,"sat":7,"dev":"x"}"#
    return [
      Report(path: "/overland/\(token)", body: overland, answer: #"{"result":"ok""#),
      Report(path: "/log/overland/\(token)/anna", body: overland, answer: #"{"result":"ok""#),
      Report(path: "/traccar/\(token)", body: traccar, answer: ""),
      Report(
        path: "/traccar/\(token)?id=1&\(query.replacing("acc=", with: "accuracy="))", body: "", answer: ""),
      Report(path: "/log/traccar/\(token)/anna", body: traccar, answer: #"{"status":"success"}"#),
      Report(
        path: "/osmand/\(token)/anna?lat=46.051&lon=14.505&timestamp=\(seconds)000&hdop=2&speed_ms=0",
        body: "",
        answer: "", method: .get),
      Report(path: "/gpslogger/\(token)", body: gps, answer: ""),
      Report(path: "/logGet/\(token)/anna?\(query)", body: "", answer: done, method: .get),
      Report(path: "/logPost/\(token)/anna", body: query, answer: done),
      Report(path: "/apps/phonetrack/logGet/\(token)/anna?\(query)", body: "", answer: done, method: .get),
      Report(
        path: "/index.php/apps/phonetrack/logPost/\(token)/anna", body: query, answer: done),
      Report(
        path: "/logPostMultiple/\(token)/anna",
        body: #"{"points":[[46.051,14.505,\#(seconds),298,12,63,7,"x",0,0]]}"#,
        answer: #"{"done":1,"friends":[]}"#),
      Report(path: "/log/osmand/\(token)/anna?\(query)", body: "", answer: "[]", method: .get),
      Report(path: "/log/gpslogger/\(token)/anna?\(query)", body: "", answer: "[]", method: .get),
      Report(
        path: "/log/locusmap/\(token)/anna?lat=46.051&lon=14.505&time=\(seconds)&acc=12&battery=63", body: "",
        answer: "[]", method: .get),
      Report(
        path: "/log/ulogger/\(token)/anna/client/index.php",
        body: "action=addpos&lat=46.051&lon=14.505&time=\(seconds)&accuracy=12",
        answer: #"{"error":false,"trackid":1}"#),
      Report(
        path: "/log/owntracks/\(token)/anna", body: TestPhone.location(TestPlaces.inside, at: time),
        answer: "["),
      Report(
        path: "/owntracks/\(token)/anna", body: TestPhone.location(TestPlaces.inside, at: time), answer: "["),
    ]
  }

  @Test func `every protocol's report inside a zone is stored, judged and acknowledged in its own words`()
    async throws
  {
    try await IngestScene.run { scene in
      let token = try #require(scene.phone.token)
      for report in Self.reports(scene.server.clock.now, token) {
        let before = Set(try await scene.store.devices(of: scene.account).map(\.id))
        let reply = try await scene.phone.post(
          report.path, report.body, authorization: "", method: report.method)
        let place =
          "\(report.method) \(report.path.replacing(token, with: "TOKEN")) -> \(reply.status) \(reply.text)"
        #expect(reply.status == 200, "\(place)")
        #expect(report.answer.isEmpty ? reply.text.isEmpty : reply.text.hasPrefix(report.answer), "\(place)")
        let devices = try await scene.store.devices(of: scene.account)
        #expect(devices.contains { $0.lastFix?.position == TestPlaces.inside }, "\(place)")
        guard let device = devices.first(where: { !before.contains($0.id) }) else { continue }
        let alarms = try await scene.store.alarms(
          of: scene.account, device: device.id, before: nil, limit: 10)
        #expect(alarms.map(\.state) == [.ringing], "\(place)")
      }
    }
  }

  @Test func `a phone that reports to the bare address is Traccar's`() async throws {
    try await IngestScene.run { scene in
      let time = scene.server.clock.now.millisecondsSince1970 / 1000
      let reply = try await scene.phone.post(
        "/?id=77&timestamp=\(time)&lat=46.051&lon=14.505&speed=0&accuracy=12", authorization: "")
      #expect(reply.status == 200)
      #expect(try await scene.store.unclaimedDevices(limit: 5).map(\.name) == ["77"])
    }
  }

  @Test func `Overland is told to watch more closely only when that is new`() async throws {
    try await IngestScene.run { scene in
      func report(_ latitude: Double) async throws -> String {
        // Enough time for the way.
        scene.server.clock.pass(.seconds(1200))
        let iso = RFC3339.string(from: scene.server.clock.now)
        let body = """
          {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14.505,\(latitude)]},\
          "properties":{"timestamp":"\(iso)","horizontal_accuracy":5,"speed":1,"device_id":"anna"}}]}
          """
        return try await scene.phone.post("/overland", body).text
      }
      let far = try await report(46.4)
      #expect(far.contains(#""set":{"#))
      #expect(try await report(46.4001) == #"{"result":"ok"}"#)
      let near = try await report(46.0529)
      #expect(near.contains(#""set":{"#) || near.contains("send_interval"))
      #expect(near != far)
    }
  }

  @Test func `a device with a key is read and answered under it`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      var device = try await scene.theDevice()
      device.passphrase = "s3cret"
      try await scene.store.save(device, over: device.revision, at: scene.server.clock.now)
      try await scene.server.parts.alarms.ingest.deviceChanged(device.id)
      scene.server.clock.pass(.seconds(120))
      let key = try PayloadKey(passphrase: "s3cret")
      let inside = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      let box = Data(key.seal(Array(inside.utf8))).base64EncodedString()
      let reply = try await scene.phone.post(
        "/pub?u=anna&d=phone", #"{"_type":"encrypted","data":"\#(box)"}"#)
      #expect(reply.status == 200)
      let answer = try JSONValue.parse(Array(reply.text.utf8))
      #expect(answer["_type"]?.string == "encrypted")
      let sealed = try #require(Data(base64Encoded: answer["data"]?.string ?? ""))
      let opened = String(decoding: try #require(key.open(Array(sealed))), as: UTF8.self)
      #expect(opened.contains("Cliff edge"))
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      // A post under another key is kept unread.
      let wrong = Data(try PayloadKey(passphrase: "other").seal([1, 2, 3])).base64EncodedString()
      let kept = try await scene.phone.post(
        "/pub?u=anna&d=phone", #"{"_type":"encrypted","data":"\#(wrong)"}"#)
      #expect(kept.status == 200, "\(kept.text)")
      let bodies = try await scene.store.rawBodies(of: device.id, limit: 5)
      #expect(bodies.map(\.source) == ["owntracks"], "\(bodies.map(\.reason))")
    }
  }

  @Test func `friends of one account see each other, and nobody else's`() async throws {
    try await IngestScene.run(zones: []) { scene in
      _ = try await scene.phone.ownTracks(device: "one")
      scene.server.clock.pass(.seconds(20))
      let reply = try await scene.phone.ownTracks(device: "two")
      #expect(reply.text.contains(#""_type":"card""#))
      #expect(reply.text.contains(#""_type":"location""#))
      var stranger = scene.phone
      stranger.token = nil
      #expect(try await stranger.ownTracks(device: "three").text == "[]")
    }
  }

  @Test func `our own clients post lists, lines or one fix, and hear what was left out`() async throws {
    try await IngestScene.run { scene in
      let time = RFC3339.string(from: scene.server.clock.now)
      let fix = #"{"measured_at":"\#(time)","latitude":46.051,"longitude":14.505,"accuracy_m":5}"#
      let bodies = [
        (#"{"fixes":[\#(fix)]}"#, 1, 0), ("[\(fix)]", 1, 0), (fix, 1, 0), ("\(fix)\n\(fix)\n", 2, 0),
        ("\(fix)\n{\"latitude\":91}\nrubbish\n", 1, 2), ("", 0, 0), (#"[1,"x",null]"#, 0, 3),
      ]
      for (body, taken, refused) in bodies {
        let reply = try await scene.phone.post("/api/v1/fixes?name=app", body)
        let json = try JSONValue.parse(Array(reply.text.utf8))
        #expect(reply.status == 200, "\(body) -> \(reply.text)")
        #expect(json["taken"]?.double == Double(taken), "\(body) -> \(reply.text)")
        #expect(json["refused"]?.double == Double(refused), "\(body) -> \(reply.text)")
        if taken > 0 { #expect(json["alarms"]?.list?.count == 1, "\(reply.text)") }
      }
      #expect(try await scene.alarms().count == 1)
      #expect(try await scene.phone.post("/api/v1/fixes", fix).status == 400)
      #expect(
        try await scene.phone.post("/api/v1/fixes?name=a", fix, authorization: "Bearer x").status == 401)
      #expect(try await scene.phone.post("/api/v1/fixes?name=a", fix, authorization: "").status == 401)
    }
  }
}
