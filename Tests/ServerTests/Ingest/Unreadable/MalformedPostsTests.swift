import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import MQTTClient
import PayloadCrypto
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// A phone whose posts hold no readable position: it raises an alarm after a while, with any app.
@Suite("Posts without a readable position")
struct MalformedPostsTests {
  /// A path and a body. `TIME` stands for seconds since 1970, `ISO` for RFC 3339, `TOKEN` for the account's
  /// token.
  typealias Post = (path: String, body: String)

  struct App: Sendable, CustomTestStringConvertible {
    let name: String
    let good: Post
    /// Bad posts, each with a word of the expected reason.
    let bad: [(post: Post, reason: String)]
    /// Posts that have no position and need none.
    let neutral: [Post]
    var testDescription: String { name }
  }

  private static let ownTracks: App = {
    func post(_ body: String) -> Post { ("/pub?u=anna&d=phone", body) }
    return App(
      name: "OwnTracks",
      good: post(#"{"_type":"location","lat":46.2,"lon":14.6,"tst":TIME,"acc":5,"tid":"AN"}"#),
      bad: [
        (post(#"{"_type":"location","lat":95,"lon":14.6,"tst":TIME,"tid":"AN"}"#), "latitude 95"),
        (post(#"{"_type":"location","lat":46.2,"lon":14.6,"tst":"soon","tid":"AN"}"#), "soon"),
        (post(#"{"_type":"location","lat":46.2"#), "not JSON"),
        (post(#"{"_type":"place","x":46.2}"#), "place"),
        (post(#"{"_type":"encrypted","data":"AAAA"}"#), "base64"),
      ],
      neutral: [
        post(""), post(#"{"_type":"status"}"#), post(#"{"_type":"lwt","tst":TIME}"#),
        post(#"{"_type":"waypoint","desc":"Home","lat":46.2,"lon":14.6,"rad":50,"tst":TIME}"#),
        post(#"{"_type":"waypoints","waypoints":[7]}"#),
        post(#"{"_type":"transition","event":"enter","desc":"Beacon","tst":TIME}"#),
      ])
  }()

  private static let apps: [App] = {
    func feature(_ latitude: String) -> String {
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14.6,\#(latitude)]},"#
        + #""properties":{"timestamp":"ISO","horizontal_accuracy":5}}]}"#
    }
    func traccar(_ coordinates: String) -> String {
      #"{"device_id":"1","location":{"timestamp":"ISO","battery":{"level":0.5}\#(coordinates)}}"#
    }
    func fixes(_ latitude: String) -> String {
      #"{"fixes":[{"measured_at":"ISO","latitude":\#(latitude),"longitude":14.6,"accuracy_m":5}]}"#
    }
    let (overland, traccarPath, own) = ("/overland/TOKEN/anna", "/traccar/TOKEN", "/api/v1/fixes?name=app")
    let (osmand, gpsLogger) = ("/osmand/TOKEN/anna?", "/gpslogger/TOKEN/anna?")
    return [
      ownTracks,
      App(
        name: "Overland", good: (overland, feature("46.2")),
        bad: [
          ((overland, feature("95")), "latitude 95"), ((overland, "rubbish"), "an object with locations"),
          ((overland, #"{"points":[]}"#), "no locations"), ((overland, #"{"locations":7}"#), "an array"),
        ], neutral: [(overland, #"{"locations":[]}"#)]),
      App(
        name: "Traccar Client",
        good: (traccarPath, traccar(#","coords":{"latitude":46.2,"longitude":14.6}"#)),
        bad: [
          ((traccarPath, traccar(#","coords":{"latitude":95,"longitude":14.6}"#)), "latitude 95"),
          ((traccarPath, traccar(#","coords":7"#)), "coords"),
        ], neutral: [(traccarPath, traccar(""))]),
      App(
        name: "OsmAnd", good: (osmand + "lat=46.2&lon=14.6&timestamp=TIME", ""),
        bad: [
          ((osmand + "lat=95&lon=14.6&timestamp=TIME", ""), "latitude 95"),
          ((osmand + "lat=%7B0%7D&lon=%7B1%7D", ""), "{0}"), ((osmand + "y=46.2&x=14.6", ""), #""y""#),
        ], neutral: [(osmand + "batt=50", "")]),
      App(
        name: "GPSLogger", good: (gpsLogger + "latitude=46.2&longitude=14.6&t=TIME", ""),
        bad: [
          ((gpsLogger + "lat=%25LAT&lon=%25LON&t=TIME", ""), "%LAT"), ((gpsLogger, "{"), "not JSON"),
        ], neutral: [(gpsLogger + "batt=50", "")]),
      App(
        name: "PhoneTrack", good: ("/logPost/TOKEN/anna", "lat=46.2&lon=14.6&timestamp=TIME"),
        bad: [(("/logPost/TOKEN/anna", "lat=95&lon=14.6&timestamp=TIME"), "latitude 95")],
        neutral: [("/logPost/TOKEN/anna", "bat=50")]),
      App(
        name: "our own clients", good: (own, fixes("46.2")),
        bad: [((own, fixes("95")), "latitude"), ((own, "rubbish"), "no JSON"), ((own, "[7]"), "an object")],
        neutral: [(own, #"{"fixes":[]}"#), (own, "")]),
    ]
  }()

  private static func filled(_ text: String, _ scene: IngestScene) throws -> String {
    let now = scene.server.clock.now
    return text.replacing("TIME", with: "\(now.millisecondsSince1970 / 1000)")
      .replacing("ISO", with: RFC3339.string(from: now))
      .replacing("TOKEN", with: try #require(scene.phone.token))
  }

  private static func send(
    _ post: Post, _ scene: IngestScene, after span: TimeSpan = .seconds(40)
  ) async throws {
    scene.server.clock.pass(span)
    let reply = try await scene.phone.post(try filled(post.path, scene), try filled(post.body, scene))
    #expect(reply.status == 200, "\(post) -> \(reply.text)")
  }

  /// The number of open alarms, and of all alarms so far.
  private static func alarms(_ scene: IngestScene) async throws -> String {
    let all = try await scene.alarms()
    #expect(all.allSatisfy { $0.subject == .unreadable(.malformed) })
    return "\(all.filter(\.isOpen).count) of \(all.count)"
  }

  @Test(arguments: apps)
  func `several in a row that last a minute are one alarm, which ends with the next position`(
    app: App
  ) async throws {
    for (bad, reason) in app.bad {
      try await IngestScene.run { scene in
        try await Self.send(app.good, scene)
        for _ in 0..<2 { try await Self.send(bad, scene) }
        for post in app.neutral { try await Self.send(post, scene) }
        #expect(try await Self.alarms(scene) == "0 of 0", "\(bad)")
        #expect(try await scene.theDevice().status.unread == nil)

        try await Self.send(bad, scene)
        #expect(try await Self.alarms(scene) == "1 of 1", "\(bad)")
        let id = try await scene.theDevice().id
        func status() async throws -> JSONValue? {
          try await scene.anna.get("/api/v1/devices/\(id)").json["status"]
        }
        let told = try await status()
        #expect(told?["unread"]?.string == "malformed" && told?["unread_since"]?.string != nil)
        #expect(told?["unread_reason"]?.string?.contains(reason) == true, "\(bad): \(told?.text ?? "")")

        // Further bad posts add none, and posts without a position do not end it.
        for post in [bad, bad, bad, bad] + app.neutral {
          try await Self.send(post, scene, after: .minutes(5))
        }
        #expect(try await Self.alarms(scene) == "1 of 1", "\(bad)")

        try await Self.send(app.good, scene)
        #expect(try await Self.alarms(scene) == "0 of 1", "\(bad)")
        let after = try await status()
        #expect(after?["unread"]?.text == "null" && after?["unread_reason"]?.text == "null")

        // A position between them starts the row again.
        for post in [bad, bad, app.good, bad, bad] { try await Self.send(post, scene) }
        #expect(try await Self.alarms(scene) == "0 of 1", "\(bad)")
        try await Self.send(bad, scene)
        #expect(try await Self.alarms(scene) == "1 of 2", "\(bad)")
        #expect(try await scene.theDevice().id == id)
      }
    }
  }

  @Test func `one message sent again and again within a minute is no alarm`() async throws {
    try await IngestScene.run { scene in
      let (app, bad) = (Self.ownTracks, Self.ownTracks.bad[0].post)
      try await Self.send(app.good, scene)
      for _ in 0..<12 { try await Self.send(bad, scene, after: .seconds(5)) }
      #expect(try await Self.alarms(scene) == "0 of 0")
      try await Self.send(bad, scene, after: .seconds(5))
      #expect(try await Self.alarms(scene) == "1 of 1")
    }
  }

  @Test func `a phone that is switched off does not ring until it is switched on`() async throws {
    try await IngestScene.run { scene in
      let (app, bad) = (Self.ownTracks, Self.ownTracks.bad[0].post)
      try await Self.send(app.good, scene)
      let id = try await scene.theDevice().id
      func arm(_ isArmed: Bool) async throws {
        let tag = try await scene.anna.get("/api/v1/devices/\(id)").tag
        let put = try await scene.anna.with(.ifMatch, tag).put(
          "/api/v1/devices/\(id)", [("name", .string("phone")), ("is_armed", .bool(isArmed))])
        #expect(put.status == .ok)
      }
      try await arm(false)
      for _ in 0..<4 { try await Self.send(bad, scene) }
      #expect(try await Self.alarms(scene) == "0 of 0")
      #expect(try await scene.theDevice().status.unread == .malformed)
      try await arm(true)
      for _ in 0..<2 { try await Self.send(bad, scene) }
      #expect(try await Self.alarms(scene) == "1 of 1")
      try await arm(false)
      #expect(try await Self.alarms(scene) == "0 of 1")
    }
  }

  @Test func `over MQTT, where what the broker retained and the last will count neither way`() async throws {
    try await IngestScene.run { scene in
      let made = try await scene.anna.post("/api/v1/devices", [("name", .string("phone"))])
      let device = try #require(DeviceID(made.id))
      func publish(_ body: String, isRetained: Bool = false) async throws {
        scene.server.clock.pass(.seconds(40))
        let topic = "owntracks/anna/phone"
        let message = MQTTMessage(
          topic: topic, payload: Array(try Self.filled(body, scene).utf8), isRetained: isRetained, id: 1)
        let answer = try await scene.server.intake.store(
          message, of: #require(OwnTracksTopic(topic)))
        #expect(answer?.device == device)
      }
      let (good, bad) = (Self.ownTracks.good.body, "{")
      for _ in 0..<4 { try await publish(bad, isRetained: true) }
      for _ in 0..<2 { try await publish(bad) }
      try await publish(#"{"_type":"lwt","tst":TIME}"#)
      #expect(try await Self.alarms(scene) == "0 of 0")
      try await publish(bad)
      #expect(try await Self.alarms(scene) == "1 of 1")
      try await publish(good, isRetained: true)
      #expect(try await Self.alarms(scene) == "1 of 1")
      try await publish(good)
      #expect(try await Self.alarms(scene) == "0 of 1")
    }
  }

  @Test func `what is sealed with the right key and holds no position counts too`() async throws {
    try await IngestScene.run { scene in
      let key = "0123456789abcdef"
      let made = try await scene.anna.post(
        "/api/v1/devices", [("name", .string("phone")), ("passphrase", .string(key))])
      let topic = try #require(OwnTracksTopic("owntracks/anna/phone"))
      for body in ["{", "7", #"{"_type":"location"}"#] {
        scene.server.clock.pass(.seconds(40))
        let box = Data(try PayloadKey(passphrase: key).seal(Array(body.utf8))).base64EncodedString()
        let sealed = #"{"_type":"encrypted","data":"\#(box)"}"#
        let message = MQTTMessage(topic: topic.name, payload: Array(sealed.utf8), isRetained: false, id: 1)
        let answer = try await scene.server.intake.store(message, of: topic)
        #expect(answer?.device == DeviceID(made.id))
      }
      #expect(try await Self.alarms(scene) == "1 of 1")
    }
  }

  @Test func `posts of a phone that nobody has claimed are no alarm when somebody claims it`() async throws {
    try await IngestScene.run { scene in
      var eve = scene.phone
      eve.token = nil
      _ = try await eve.ownTracks(TestPlaces.outside)
      func post() async throws {
        scene.server.clock.pass(.seconds(40))
        #expect(try await eve.post("/pub?u=anna&d=phone", "{").status == 200)
      }
      for _ in 0..<4 { try await post() }
      let id = try #require(try await scene.store.unclaimedDevices(limit: 1).first?.id)
      _ = try await scene.anna.post("/api/v1/unclaimed-devices/\(id)/claim?without_password=true")
      for _ in 0..<2 { try await post() }
      #expect(try await Self.alarms(scene) == "0 of 0")
      try await post()
      #expect(try await Self.alarms(scene) == "1 of 1")
    }
  }

  @Test func `the channels are told the reason, in words and as a word`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        try await Self.send(Self.ownTracks.good, scene)
        for _ in 0..<3 { try await Self.send(Self.ownTracks.bad[0].post, scene) }
        try await scene.server.parts.alarms.outbox.deliverDue()
        let told = hook.requests.compactMap { try? JSONValue.parse($0.body) }
        #expect(told.map { $0["kind"]?.string } == ["device_unreadable"])
        #expect(told.first?["unread"]?.string == "malformed")
      }
    }
    for why in DeviceStatus.Unread.allCases {
      let notice = AlarmNotice(
        alarm: AlarmID(rawValue: 1), sequence: 0, .deviceUnreadable(why),
        device: .init(id: DeviceID(rawValue: 2), name: "phone"), time: TestServer.start,
        learnedAt: TestServer.start)
      let isEncrypted = NoticeWords(notice).body.contains("encrypted")
      #expect(isEncrypted == (why != .malformed))
      let payload = JSONValue.object(NoticeJSON.members(of: notice)).text
      #expect(OutboxMessage(Array(payload.utf8)) == .notice(notice))
    }
  }
}
