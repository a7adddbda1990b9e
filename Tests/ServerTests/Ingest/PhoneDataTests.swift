import AlarmEngine
import CZlib
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import PayloadCrypto
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Formats
@testable import Server

/// Data that phones send besides positions, and data in forms of their own.
@Suite("What phones tell")
struct PhoneDataTests {
  @Test func `battery, charging, motion, height and the SOS button are in the device and in its history`()
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      let time = RFC3339.string(from: scene.server.clock.now)
      let body = """
        {"location":{"timestamp":"\(time)","coords":{"latitude":46.051,"longitude":14.505,"accuracy":12,"altitude":298},\
        "battery":{"level":0.63,"is_charging":true},"activity":{"type":"in_vehicle"},"alarm":"sos"},"device_id":"1"}
        """
      let token = try #require(scene.phone.token)
      #expect(try await scene.phone.post("/traccar/\(token)", body, authorization: "").status == 200)
      let device = try await scene.theDevice()
      let status = try await scene.anna.get("/api/v1/devices/\(device.id)").json["status"]
      #expect(status?["battery"]?.double == 0.63 && status?["is_charging"]?.text == "true")
      #expect(status?["motion"]?.text == #"["in_vehicle"]"# && status?["altitude_m"]?.double == 298)
      #expect(status?["told_at"]?.string == time)
      let fix = try await scene.anna.get("/api/v1/devices/\(device.id)/fixes").json["items"]?.list?.first
      #expect(fix?["battery"]?.double == 0.63 && fix?["is_charging"]?.text == "true")
      #expect(fix?["motion"]?.text == #"["in_vehicle"]"# && fix?["altitude_m"]?.double == 298)
      #expect(fix?["alarm"]?.string == "sos")
      let gpx = try await scene.anna.get("/api/v1/devices/\(device.id)/fixes.gpx")
      #expect(gpx.text.contains("<ele>298</ele>"))
    }
  }

  @Test func `a heartbeat tells too, what came late changes nothing, and what was not said stays`()
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      let token = try #require(scene.phone.token)
      func post(_ query: String, ago: Double = 0) async throws {
        let seconds = scene.server.clock.now.millisecondsSince1970 / 1000 - Int64(ago)
        let path = "/osmand/\(token)/anna?timestamp=\(seconds)&\(query)"
        #expect(try await scene.phone.post(path, authorization: "").status == 200)
      }
      func status() async throws -> DeviceStatus { try await scene.theDevice().status }
      try await post("batt=50&charge=true")
      #expect(try await status().battery == 0.5)
      #expect(try await status().isCharging == true)
      try await post("batt=70", ago: 600)
      #expect(try await status().battery == 0.5)
      scene.server.clock.pass(.minutes(1))
      try await post("lat=46&lon=14&altitude=100")
      #expect(try await status().battery == 0.5)
      #expect(try await status().altitude == .metres(100))
      // A clock that runs an hour ahead does not block later data.
      try await post("batt=40", ago: -3600)
      scene.server.clock.pass(.minutes(1))
      try await post("batt=39")
      #expect(try await status().battery == 0.39)
    }
  }

  @Test func `GPSLogger with Home Assistant's template rings, and unknown names are no sign of life`()
    async throws
  {
    try await IngestScene.run { scene in
      let token = try #require(scene.phone.token)
      let body = "latitude=46.051&longitude=14.505&accuracy=12&battery=63&speed=1&direction=90&altitude=298"
      #expect(
        try await scene.phone.post(
          "/gpslogger/\(token)", body, authorization: "",
          headers: ["Content-Type": "application/x-www-form-urlencoded"]
        ).status == 200)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      let device = try await scene.theDevice()
      #expect(device.lastFix?.course == .degrees(90) && device.status.battery == 0.63)
      scene.server.clock.pass(.minutes(5))
      #expect(
        try await scene.phone.post("/gpslogger/\(token)", "breite=46&laenge=14", authorization: "").status
          == 200)
      #expect(try await scene.theDevice().lastReceivedAt == device.lastReceivedAt)
      let kept = try await scene.store.rawBodies(of: device.id, limit: 5)
      #expect(kept.map { String(decoding: $0.body, as: UTF8.self) } == ["breite=46&laenge=14"])
    }
  }

  @Test func `what cannot be read does not keep a device's silence from being an alarm`() async throws {
    try await IngestScene.run { scene in
      let token = try #require(scene.phone.token)
      func post(_ query: String) async throws {
        #expect(try await scene.phone.post("/osmand/\(token)/anna?\(query)", authorization: "").status == 200)
      }
      try await post("lat=46.2&lon=14.6")
      var device = try await scene.theDevice()
      device.reportInterval = .minutes(10)
      device = try await scene.store.save(device, over: device.revision, at: scene.server.clock.now)
      try await scene.server.parts.alarms.ingest.deviceChanged(device.id)
      scene.server.clock.pass(.minutes(8))
      try await post("north=46.2&east=14.6")
      await scene.pass(.minutes(3))
      #expect(try await scene.alarms().map(\.isSilence) == [true])
      // A post without a position does not end it.
      try await post("north=46.2&east=14.6")
      #expect(try await scene.alarms().map(\.isOpen) == [true])
      try await post("lat=46.2&lon=14.6")
      #expect(try await scene.alarms().map(\.isOpen) == [false])
    }
  }

  @Test func `more than 20,000 fixes in one post are refused as a whole, with what is allowed`() async throws
  {
    try await IngestScene.run(zones: []) { scene in
      let start = scene.server.clock.now.millisecondsSince1970
      func lines(_ count: Int) -> String {
        (0..<count).map {
          #"{"measured_at":\#(start - Int64($0) * 1000),"latitude":46.051,"longitude":14.505}"#
        }.joined(separator: "\n")
      }
      let refused = try await scene.phone.post("/api/v1/fixes?name=app", lines(20_001))
      #expect(refused.status == 413)
      #expect(refused.text.contains("20001 fixes found, 20000 allowed"))
      let device = try await scene.theDevice()
      #expect(device.lastFix == nil)
      let taken = try await scene.phone.post("/api/v1/fixes?name=app", lines(20_000))
      #expect(try JSONValue.parse(Array(taken.text.utf8))["taken"]?.double == 20_000)
    }
  }

  @Test func `our own clients tell of the battery too`() async throws {
    try await IngestScene.run { scene in
      let body = """
        {"measured_at":"\(RFC3339.string(from: scene.server.clock.now))","latitude":46.2,"longitude":14.6,\
        "battery":0.07,"is_charging":false,"motion":["walking"],"alarm":"sos"}
        """
      #expect(try await scene.phone.post("/api/v1/fixes?name=app", body).status == 200)
      let status = try await scene.theDevice().status
      #expect(status.battery == 0.07 && status.isCharging == false && status.motion == ["walking"])
      #expect(try await scene.alarms().filter(\.isDistress).count == 1)
      #expect(try await scene.alarms().filter(\.isLowBattery).count == 1)
    }
  }

  @Test func `a height of our own clients decides, and is told with its error and what it is measured from`()
    async throws
  {
    let ceiling: [(String, JSONValue)] = [("ceiling_m", .number(1500))]
    try await IngestScene.run(zones: [JSONValue.zone("Glider area") + ceiling]) { scene in
      // The zone is a few minutes old.
      scene.server.clock.pass(.minutes(5))
      let start = scene.server.clock.now
      func post(_ second: Double, _ height: String) async throws -> Int {
        let time = (start + .seconds(second)).millisecondsSince1970
        let body = #"{"measured_at":\#(time),"latitude":46.051,"longitude":14.505,"accuracy_m":5,\#(height)}"#
        return try await scene.phone.post("/api/v1/fixes?name=app", body).status
      }
      let sea = #","vertical_accuracy_m":10,"altitude_reference":"sea_level""#
      #expect(try await post(-60, #""altitude_m":1700\#(sea)"#) == 200)
      #expect(try await post(-50, #""altitude_m":1531\#(sea)"#) == 200)
      #expect(try await scene.alarms().isEmpty)
      // By 3 m the phone may be in it.
      #expect(try await post(-40, #""altitude_m":1529\#(sea)"#) == 200)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      for height in [#""altitude_m":"high""#, #""altitude_m":1700,"vertical_accuracy_m":-1"#] {
        #expect(try await post(-30, height) == 200)
      }
      let path = "/api/v1/devices/\(try await scene.theDevice().id)"
      let told = try await scene.anna.get("\(path)/fixes").json["items"]?.list ?? []
      #expect(told.prefix(3).map { $0["altitude_m"]?.double } == [1700, 1531, 1529])
      #expect(told.prefix(3).allSatisfy { $0["vertical_accuracy_m"]?.double == 10 })
      #expect(told.prefix(3).allSatisfy { $0["altitude_reference"]?.string == "sea_level" })
      #expect(told.dropFirst(3).allSatisfy { $0["altitude_reference"]?.isNull == true })
      let zone = try await scene.anna.get("/api/v1/zones").json["items"]?.list?.first
      #expect(zone?["ceiling_m"]?.double == 1500 && zone?["floor_m"]?.isNull == true)
      let at = RFC3339.string(from: start - .seconds(60))
      let why = try await scene.anna.get("\(path)/explain?zone=\(zone?["id"]?.string ?? "")&at=\(at)").json
      #expect(why["verdict"]?.string == "over_or_under", "\(why.text)")
      #expect(why["altitude_m"]?.double == 1700 && why["altitude_error_m"]?.double == 30, "\(why.text)")
      #expect(why["ceiling_m"]?.double == 1500 && why["floor_m"]?.isNull == true, "\(why.text)")
    }
  }

  private static func flag(_ value: JSONValue?) -> Bool? {
    if case .bool(let flag)? = value { flag } else { nil }
  }

  /// 5.4 km in a minute, then nothing: one position in the zone does not ring, and the explanation says so.
  @Test func `why tells of a position that was put aside`() async throws {
    let zones = [JSONValue.zone("Cliff edge"), JSONValue.zone("Far away", 47)]
    try await IngestScene.run(zones: zones) { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      scene.server.clock.pass(.seconds(2))
      let early = scene.server.clock.now
      scene.server.clock.pass(.seconds(1))
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.alarms().isEmpty)
      let device = try await scene.theDevice().id
      let listed = try await scene.anna.get("/api/v1/zones").json["items"]?.list ?? []
      let ids = listed.map { ($0["name"]?.string, $0["id"]?.string ?? "") }
      let zone = try #require(ids.first { $0.0 == "Cliff edge" }).1
      let other = try #require(ids.first { $0.0 == "Far away" }).1
      let path = "/api/v1/devices/\(device)/explain?zone=\(zone)"
      let before = try await scene.anna.get("\(path)&at=\(RFC3339.string(from: early))").json
      #expect(before["put_aside_at"]?.isNull == true, "\(before.text)")
      #expect(!before.text.contains("put aside"), "\(before.text)")
      scene.server.clock.pass(.seconds(5))
      let why = try await scene.anna.get(path).json
      #expect(why["put_aside_at"]?.string != nil, "\(why.text)")
      #expect(why["sentence"]?.string?.contains("The last position was put aside") == true, "\(why.text)")
      #expect(Self.flag(why["put_aside_in_zone"]) == true, "\(why.text)")
      #expect(why["sentence"]?.string?.contains("perhaps the phone is there") == true, "\(why.text)")
      #expect(Self.flag(why["rings"]) == false && before["put_aside_in_zone"]?.isNull == true)
      // The position lies in only one of the zones.
      let elsewhere = try await scene.anna.get("/api/v1/devices/\(device)/explain?zone=\(other)").json
      #expect(elsewhere["put_aside_at"]?.string != nil, "\(elsewhere.text)")
      #expect(Self.flag(elsewhere["put_aside_in_zone"]) == false, "\(elsewhere.text)")
      #expect(!elsewhere.text.contains("perhaps"), "\(elsewhere.text)")
      // A second position agrees with it.
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      #expect(try await scene.anna.get(path).json["put_aside_at"]?.isNull == true)
    }
  }

  @Test func `a ceiling that is not above the floor is refused with what was given`() async throws {
    try await IngestScene.run(zones: []) { scene in
      let limits: [(String, JSONValue)] = [("floor_m", .number(500)), ("ceiling_m", .number(500))]
      let refused = try await scene.anna.post("/api/v1/zones", JSONValue.zone("Nowhere") + limits)
      #expect(refused.status.code == 400 || refused.status.code == 422)
      #expect(refused.text.contains("/ceiling_m"), "\(refused.text)")
      #expect(refused.text.contains("a ceiling of 500.0 m found, more than the floor of 500.0 m allowed"))
    }
  }

  @Test func `compressed bodies are read, bounded, and other encodings refused`() async throws {
    try await IngestScene.run { scene in
      func post(_ body: [UInt8], _ encoding: String) async throws -> Int {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.contentEncoding] = encoding
        headers[.authorization] = "Bearer \(try #require(scene.phone.token))"
        return try await scene.phone.client.executeRequest(
          uri: "/pub?u=anna&d=phone", method: .post, headers: headers, body: ByteBuffer(bytes: body)
        ).status.code
      }
      let location = Array(TestPhone.location(TestPlaces.inside, at: scene.server.clock.now).utf8)
      let packed = try gzipped(location)
      #expect(try await post(packed, "gzip") == 200)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      #expect(try await post(Array(packed.dropLast(9)), "gzip") == 400)
      #expect(try await post(location, "gzip") == 400)
      #expect(try await post(location, "br") == 415)
      #expect(try await post(location, "identity") == 200)
      // Nine megabytes of blanks, compressed to nine kilobytes.
      let bomb = try gzipped([UInt8](repeating: 0x20, count: 9 << 20))
      #expect(bomb.count < 20_000)
      #expect(try await post(bomb, "gzip") == 413)
    }
  }

  @Test func `a picture that comes with a position is kept whole, and a larger body says how much of it is`()
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      let picture = String(repeating: "QUJD", count: 66_000)
      let seconds = scene.server.clock.now.millisecondsSince1970 / 1000
      func body(_ image: String) -> String {
        #"{"_type":"location","lat":46.051,"lon":14.505,"tst":\#(seconds),"tid":"AN","poi":"here","image":"\#(image)"}"#
      }
      #expect(try await scene.phone.post("/pub?u=anna&d=phone", body(picture)).status == 200)
      let larger = body(String(repeating: "QUJD", count: 200_000))
      #expect(try await scene.phone.post("/pub?u=anna&d=phone", larger).status == 200)
      let device = try await scene.theDevice()
      let kept = try await scene.store.rawBodies(of: device.id, limit: 5)
      #expect(kept.map(\.size) == [larger.utf8.count, body(picture).utf8.count])
      #expect(kept.map(\.body.count) == [RawBody.keptBytes, body(picture).utf8.count])
      let listed = try await scene.anna.get("/api/v1/devices/\(device.id)/raw-bodies").json["items"]?.list
      #expect(
        listed?.map { $0["size"]?.double } == [Double(larger.utf8.count), Double(body(picture).utf8.count)])
      #expect(listed?.compactMap { $0["is_whole"]?.text } == ["false", "true"])
    }
  }

  private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // 16 adds the gzip header.
    let status = deflateInit2_(
      &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    try #require(status == Z_OK)
    defer { deflateEnd(&stream) }
    var source = bytes
    let room = Int(deflateBound(&stream, UInt(source.count)))
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      source.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (buffer.baseAddress, UInt32(room))
        deflate(&stream, Z_FINISH)
      }
      count = room - Int(stream.avail_out)
    }
  }
}
