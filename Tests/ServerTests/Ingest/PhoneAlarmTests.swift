import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Alarms about the phone itself: its battery and its SOS button.
@Suite("Alarms about phones")
struct PhoneAlarmTests {
  /// Posts in OsmAnd's form, at the scene's time, far from every zone.
  private static func post(_ scene: IngestScene, _ more: String, ago: TimeSpan = .seconds(0)) async throws {
    let token = try #require(scene.phone.token)
    let seconds = (scene.server.clock.now - ago).millisecondsSince1970 / 1000
    let reply = try await scene.phone.post(
      "/osmand/\(token)/anna?lat=46.2&lon=14.6&accuracy=5&timestamp=\(seconds)&\(more)", authorization: "")
    #expect(reply.status == 200)
  }

  private static func states(_ scene: IngestScene) async throws -> [String] {
    try await scene.alarms().reversed().map { alarm in
      let state = alarm.clearing.map { "cleared(\($0))" } ?? "\(alarm.state)"
      return switch alarm.subject {
      case .lowBattery(let level): "battery \(level) \(state)"
      case .companion(_, _, let news): "companion \(news) \(state)"
      case .distress: "sos \(state)"
      case .zone, .missedSignal, .missedCheckIn, .notArrived, .silence, .unreadable: "\(alarm.subject)"
      }
    }
  }

  @Test func `a low battery rings once for each discharge, repeats, and is over when it is charged`()
    async throws
  {
    try await IngestScene.run { scene in
      func report(_ more: String) async throws {
        scene.server.clock.pass(.minutes(10))
        try await Self.post(scene, more)
      }
      try await report("batt=11&charge=false")
      #expect(try await Self.states(scene).isEmpty)
      try await report("batt=10&charge=false")
      #expect(try await Self.states(scene) == ["battery 0.1 ringing"])
      await scene.pass(.seconds(15))
      #expect(try await scene.alarms().map(\.rings) == [2])
      try await report("batt=9&charge=false")
      #expect(try await scene.alarms().count == 1)
      // Swinging around the level makes no second alarm.
      try await report("batt=12&charge=false")
      try await report("batt=9&charge=false")
      #expect(try await scene.alarms().count == 1)
      try await report("batt=10&charge=true")
      #expect(try await Self.states(scene) == ["battery 0.1 cleared(reported)"])
      try await report("batt=80")
      try await report("batt=8")
      #expect(
        try await Self.states(scene) == [
          "battery 0.1 cleared(reported)", "battery 0.08 ringing",
        ])
    }
  }

  @Test func `at which level is a setting, of the account and of the device, and none is asked for at 0`()
    async throws
  {
    try await IngestScene.run { scene in
      try await Self.post(scene, "batt=60")
      var device = try await scene.theDevice()
      for (percent, level, rings) in [(30.0, 31.0, 0), (30, 30, 1), (0, 1, 1)] {
        device = try await scene.store.device(device.id)
        device.settings = "{\"low_battery_percent\":\(percent)}"
        try await scene.store.save(device, over: device.revision, at: scene.server.clock.now)
        try await scene.server.parts.alarms.ingest.deviceChanged(device.id)
        scene.server.clock.pass(.minutes(10))
        try await Self.post(scene, "batt=\(level)")
        #expect(try await scene.alarms().count == rings, "\(percent) %, \(level) %")
      }
      // At level 0 the alarm that rang ends too.
      #expect(try await scene.alarms().allSatisfy { !$0.isOpen })
    }
  }

  @Test func `a restart in between rings no second time, and repeats go on`() async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      try await Self.post(scene, "batt=5")
      #expect(try await scene.alarms().count == 1)
      try await scene.server.parts.alarms.ingest.storeChanged()
      scene.server.clock.pass(.minutes(1))
      try await Self.post(scene, "batt=4")
      #expect(try await scene.alarms().count == 1)
      await scene.pass(.seconds(15))
      #expect(try await scene.alarms()[0].rings >= 2)
    }
  }

  @Test func `the SOS button rings until somebody answers, whether or not the device is armed`() async throws
  {
    try await IngestScene.run { scene in
      try await Self.post(scene, "batt=60")
      var device = try await scene.theDevice()
      device.isArmed = false
      device = try await scene.store.save(device, over: device.revision, at: scene.server.clock.now)
      try await scene.server.parts.alarms.ingest.deviceChanged(device.id)
      scene.server.clock.pass(.minutes(1))
      try await Self.post(scene, "alarm=sos")
      #expect(try await Self.states(scene) == ["sos ringing"])
      #expect(try await scene.alarms()[0].position?.latitude.degrees == 46.2)
      // It is ended neither by a later position nor by the time limit for repeats of other alarms.
      for _ in 0..<3 {
        scene.server.clock.pass(.hours(12))
        try await Self.post(scene, "batt=60")
      }
      await scene.pass(.seconds(15))
      let before = try await scene.alarms()[0].rings
      await scene.pass(.seconds(15))
      #expect(try await scene.alarms()[0].rings == before + 1)
      let id = try await scene.alarms()[0].id
      #expect(try await scene.anna.post("/api/v1/alarms/\(id)/acknowledge").json["subject"]?.string == "sos")
      #expect(try await Self.states(scene) == ["sos acknowledgedInside"])
      await scene.pass(.minutes(5))
      #expect(try await scene.alarms()[0].rings == before + 1)
      try await Self.post(scene, "batt=60")
      #expect(try await Self.states(scene) == ["sos cleared(reported)"])
    }
  }

  @Test func `pressed again after an answer it rings again, sent again it does not`() async throws {
    try await IngestScene.run { scene in
      try await Self.post(scene, "alarm=sos")
      scene.server.clock.pass(.seconds(30))
      // The button is still pressed.
      try await Self.post(scene, "alarm=SOS")
      #expect(try await scene.alarms().count == 1)
      let id = try await scene.alarms()[0].id
      #expect(try await scene.anna.post("/api/v1/alarms/\(id)/acknowledge").status == .ok)
      scene.server.clock.pass(.minutes(2))
      try await Self.post(scene, "alarm=sos", ago: .minutes(2) + .seconds(30))
      #expect(try await scene.alarms().count == 1)
      try await Self.post(scene, "alarm=sos")
      #expect(
        try await Self.states(scene) == ["sos cleared(reported)", "sos ringing"])
      // After a day it counts as history.
      try await Self.post(scene, "batt=50", ago: .hours(30))
      let id2 = try await scene.alarms()[0].id
      #expect(try await scene.anna.post("/api/v1/alarms/\(id2)/acknowledge").status == .ok)
      try await Self.post(scene, "alarm=sos", ago: .hours(25))
      #expect(try await scene.alarms().count == 2)
    }
  }

  @Test func `what is sent again when all is over rings no second time`() async throws {
    try await IngestScene.run { scene in
      try await Self.post(scene, "alarm=sos&batt=60")
      let id = try await scene.alarms()[0].id
      #expect(try await scene.anna.post("/api/v1/alarms/\(id)/acknowledge").status == .ok)
      scene.server.clock.pass(.minutes(2))
      try await Self.post(scene, "batt=60")
      #expect(try await scene.alarms().map(\.isOpen) == [false])
      // GPSLogger sends whole files again, and other apps repeat whatever was not acknowledged in time.
      try await Self.post(scene, "alarm=sos&batt=60", ago: .minutes(2))
      #expect(try await scene.alarms().map(\.id) == [id])
      #expect(try await scene.alarms().map(\.isOpen) == [false])
    }
  }

  @Test func `both are told through channels, in words and with what is known`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        try await Self.post(scene, "batt=9&charge=false")
        try await scene.server.parts.alarms.outbox.deliverDue()
        scene.server.clock.pass(.minutes(1))
        try await Self.post(scene, "batt=9&charge=false&alarm=sos")
        try await scene.server.parts.alarms.outbox.deliverDue()
        let told = hook.requests.compactMap { try? JSONValue.parse($0.body) }
        #expect(told.map { $0["kind"]?.string } == ["battery_low", "sos"])
        #expect(told.first?["battery"]?.double == 0.09)
        #expect(told.last?["latitude"]?.double == 46.2)
      }
    }
  }

  @Test func `the words for people`() {
    func words(_ message: AlarmNotice.Message) -> String {
      let notice = AlarmNotice(
        alarm: AlarmID(rawValue: 1), sequence: 0, message,
        device: .init(id: DeviceID(rawValue: 2), name: "Anna's phone"), time: TestServer.start,
        learnedAt: TestServer.start)
      let words = NoticeWords(notice)
      return words.title + " | " + (words.body.split(separator: "\n").first ?? "")
    }
    #expect(
      words(.batteryLow(level: 0.092))
        == "Anna's phone: battery low (9 %) | When it is empty, no zone rings. Charge it.")
    #expect(words(.distress) == "SOS from Anna's phone | The SOS button was pressed.")
    #expect(
      words(.deviceUnreadable(.noKey)).hasPrefix("Anna's phone cannot be read | Its messages are encrypted"))
  }
}
