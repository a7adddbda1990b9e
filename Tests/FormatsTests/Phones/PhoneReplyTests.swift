import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Answers to phones")
struct PhoneReplyTests {
  @Test(arguments: [
    ("/pub", PhoneSamples.ownTracks, "[]"), ("/pub", "", "[]"),
    ("/overland", PhoneSamples.overland, #"{"result":"ok"}"#),
    ("/overland", "nonsense", #"{"result":"ok"}"#), ("/traccar", PhoneSamples.traccarJSON, ""),
    ("/osmand/t/d", PhoneSamples.osmand, ""), ("/gpslogger/t", PhoneSamples.gpslogger, ""),
    ("/logGet/t/d", PhoneSamples.phoneTrack, #"{"done":1,"friends":[],"pointId":7,"deviceId":8}"#),
    ("/logPost/t/d", PhoneSamples.phoneTrack, #"{"done":1,"friends":[],"pointId":7,"deviceId":8}"#),
    ("/logPostMultiple/t/d", PhoneSamples.phoneTrackPoints, #"{"done":1,"friends":[]}"#),
    ("/log/osmand/t/d", PhoneSamples.phoneTrack, "[]"), ("/log/gpslogger/t/d", PhoneSamples.phoneTrack, "[]"),
    ("/log/locusmap/t/d", PhoneSamples.phoneTrack, "[]"),
    ("/log/owntracks/t/d", PhoneSamples.ownTracks, "[]"),
    ("/log/owntracks/t/d", #"{"_type":"lwt"}"#, #"{"result":"ok"}"#),
    ("/log/overland/t/d", PhoneSamples.overland, #"{"result":"ok"}"#),
    ("/log/traccar/t/d", PhoneSamples.traccarJSON, #"{"status":"success"}"#),
    ("/log/ulogger/t/d/client/index.php", "action=auth", #"{"error":false,"trackid":1}"#),
    ("/log/opengts/t/d", PhoneSamples.openGTS, "true"),
  ])
  func `each app gets the sign of success it waits for`(path: String, body: String, answer: String) {
    let reply = PhoneReply.stored(phoneReport(path, body), pointID: 7, deviceID: 8)
    #expect(reply.status == 200 && String(decoding: reply.body, as: UTF8.self) == answer)
    #expect(reply.contentType == (answer.isEmpty ? nil : "application/json"))
  }

  @Test func `wrong credentials cost OwnTracks nothing, others are told`() {
    for endpoint in PhoneEndpoint.allCases {
      let reply = PhoneReply.wrongCredentials(at: endpoint)
      #expect(
        reply.status == (endpoint.isOwnTracks ? 503 : 401)
          && (reply.retryAfter != nil) == endpoint.isOwnTracks)
    }
  }

  @Test func `Overland is told of place and settings when there are any`() throws {
    #expect(PhoneReply.overland().body == Array(#"{"result":"ok"}"#.utf8))
    var settings = OverlandSettings()
    settings.sendInterval = .seconds10
    settings.main.trackingMode = .both
    settings.main.desiredAccuracy = .metres10
    settings.main.resumeWithGeofence = .metres200
    settings.main.minimumDistance = .off
    settings.main.minimumTime = .seconds1
    #expect(
      String(decoding: PhoneReply.overland(set: settings, place: "Near Cliff edge").body, as: UTF8.self)
        == #"{"result":"ok","geocode":{"full_name":"Near Cliff edge"},"set":{"send_interval":"10s","#
        + #""main":{"tracking_mode":"both","desired_accuracy":"10m","resume_with_geofence":"200m","#
        + #""min_distance":"off","min_time":"1s"}}}"#)
  }
}

@Suite("Steering Overland")
struct OverlandSettingsTests {
  private func settings(_ metres: Double, _ speed: Double = 45) -> OverlandSettings {
    .watching(nearest: .metres(metres), maximumSpeed: .metresPerSecond(speed))
  }

  @Test func `reports come early enough for the fastest way, from a millimetre to half the world`() {
    let seconds: [OverlandSettings.SendInterval: Double] = [
      .seconds1: 1, .seconds5: 5, .seconds10: 10, .seconds15: 15, .seconds30: 30, .minutes1: 60,
      .minutes2: 120,
      .minutes5: 300,
    ]
    let times: [OverlandSettings.MinimumTime: Double] = [
      .seconds1: 1, .seconds5: 5, .seconds10: 10, .seconds30: 30, .minutes1: 60, .minutes5: 300,
    ]
    let filters: [OverlandSettings.MinimumDistance: Double] = [
      .off: 0, .metre1: 1, .metres10: 10, .metres50: 50, .metres100: 100, .metres500: 500,
    ]
    for seed in Seeds.few(500) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let distance = exponential(generator.double(in: -3...7))
      let speed = exponential(generator.double(in: 0...2))
      let found = settings(distance, speed)
      guard let interval = found.sendInterval.flatMap({ seconds[$0] }),
        let time = found.main.minimumTime.flatMap({ times[$0] }),
        let filter = found.main.minimumDistance.flatMap({ filters[$0] })
      else {
        Issue.record("seed \(seed): \(found)")
        continue
      }
      let available = distance / speed
      #expect(interval + time <= max(2, available / 2), "seed \(seed)")
      #expect(filter <= distance / 8, "seed \(seed)")
      #expect(found.main.trackingMode == .both && interval <= 300, "seed \(seed)")
      #expect(
        (found.main.pausesAutomatically == true) == (found.main.resumeWithGeofence != .off), "seed \(seed)")
      if distance < 2400 { #expect(found.main.pausesAutomatically == false, "seed \(seed)") }
    }
  }

  private func exponential(_ power: Double) -> Double {
    var value = 1.0
    for _ in 0..<1000 { value *= 1 + power * 2.302585 / 1000 }
    return value
  }

  @Test func `nearer is never lazier`() {
    var last = settings(0)
    for step in 1..<400 {
      let next = settings(Double(step * step))
      #expect((last.main.minimumDistance.map(rank) ?? 0) <= (next.main.minimumDistance.map(rank) ?? 0))
      #expect((last.sendInterval.map(rank) ?? 0) <= (next.sendInterval.map(rank) ?? 0))
      last = next
    }
    #expect(settings(-50) == settings(0) && settings(0).sendInterval == .seconds1)
    #expect(settings(.greatestFiniteMagnitude).sendInterval == .minutes5)
  }
  private func rank<Step: CaseIterable & Equatable>(_ step: Step) -> Int {
    Array(Step.allCases).firstIndex(of: step) ?? -1
  }

  @Test func `only what changes is said`() {
    let (far, near) = (settings(100_000), settings(100))
    #expect(far.changes(since: far).isEmpty)
    #expect(far.changes(since: nil) == far)
    let changes = near.changes(since: far)
    #expect(changes.sendInterval == .seconds1 && changes.main.trackingMode == nil)
    #expect(changes.main.pausesAutomatically == false)
    #expect(PhoneReply.overland(set: far.changes(since: far)).body == Array(#"{"result":"ok"}"#.utf8))
  }
}
