import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Imported history over HTTP")
struct ImportRoutesTests {
  /// A walk of `minutes` north from a zone's centre, at 1.5 m/s, a day before the test's time.
  private static func gpx(minutes: Int, stays: Int = 0) -> [UInt8] {
    let start = TestServer.start - .hours(24)
    var points = ""
    for minute in 0..<(minutes + stays) {
      let time = RFC3339.string(from: start + .minutes(Double(minute)))
      let latitude = 46.051 + Double(max(0, minute - stays)) * 90 / 111_195
      points +=
        "<trkpt lat=\"\(latitude)\" lon=\"14.505\"><ele>\(300 + minute)</ele><time>\(time)</time></trkpt>"
    }
    return Array("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8)
  }

  private static func finished(
    _ anna: Visitor, _ device: String, _ server: TestServer
  ) async throws -> [JSONValue] {
    await server.parts.operation.backgroundTasks.finished()
    return try await anna.get("/api/v1/devices/\(device)/imports").json["items"]?.list ?? []
  }

  @Test func `a track is imported, once, tells how it went, and is taken back; nothing rings`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("Cliff"))
      let path = "/api/v1/devices/\(device)/imports?name=walk.gpx"
      let answer = try await anna.send(
        .post, path, bytes: Self.gpx(minutes: 50, stays: 20), type: "application/gpx+xml")
      #expect(answer.status == .accepted && answer.json["state"]?.string == "reading")
      let done = try #require(try await Self.finished(anna, device, server).first)
      #expect(done["state"]?.string == "done" && done["share"]?.double == 1)
      #expect(done["fixes_read"]?.whole == 70 && done["fixes_added"]?.whole == 70)
      #expect(done["first_at"]?.string == RFC3339.string(from: TestServer.start - .hours(24)))
      let again = try await anna.send(.post, path, bytes: Self.gpx(minutes: 50, stays: 20), type: "text/xml")
      let items = try await Self.finished(anna, device, server)
      #expect(items.first { $0["id"]?.string == again.id }?["fixes_added"]?.whole == 0)
      let range = "from=2020-01-01T00:00:00Z&limit=1000"
      let fixes = try await anna.get("/api/v1/devices/\(device)/fixes?\(range)").json["items"]?.list ?? []
      #expect(fixes.count == 70)
      #expect(fixes.map { $0["altitude_m"]?.double } == (0..<70).map { 300 + Double($0) }, "as the file says")
      let track = try await anna.get("/api/v1/devices/\(device)/fixes.gpx?from=2020-01-01T00:00:00Z").text
      #expect(track.contains("<ele>300") && track.contains("<ele>369"))
      #expect(try await anna.get("/api/v1/alarms").json["items"]?.list?.isEmpty == true)
      #expect(try await anna.get("/api/v1/devices/\(device)").json["last_fix"]?.isNull != false)
      #expect(try await anna.delete("/api/v1/devices/\(device)/imports/\(answer.id)").status == .noContent)
      #expect(try await anna.delete("/api/v1/devices/\(device)/imports/\(answer.id)").status == .notFound)
      #expect(
        try await anna.get("/api/v1/devices/\(device)/fixes?\(range)").json["items"]?.list?.isEmpty == true)
    }
  }

  @Test func `what cannot be read is told with what was found`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let path = "/api/v1/devices/\(device)/imports"
      #expect(try await anna.send(.post, path, bytes: [], type: "text/csv").status == .unprocessableContent)
      #expect(
        try await anna.send(.post, path + "?format=word", bytes: [1], type: "text/csv").status == .badRequest)
      for (text, words) in [
        ("hello", "none of the known track formats"), ("lat,lon,time\nx,y,z\n", "holds no fix"),
        ("device,lat,lon,time\na,1,2,3\nb,1,2,4\n", "positions of several devices found, a and b"),
      ] {
        let answer = try await anna.send(.post, path, bytes: Array(text.utf8), type: "text/csv")
        #expect(answer.status == .accepted)
        let found = try await Self.finished(anna, device, server).first { $0["id"]?.string == answer.id }
        #expect(found?["state"]?.string == "failed")
        #expect(found?["detail"]?.string?.contains(words) == true, "\(found?.text ?? "")")
        #expect(found?["fixes_added"]?.whole == 0)
      }
      // The first positions have no known device, so they are left out.
      let history = "/api/v1/devices/\(device)/fixes?from=1970-01-01T00:00:00Z&limit=1000"
      #expect(try await anna.get(history).json["items"]?.list?.isEmpty == true)
      let table = Array("device,lat,lon,time\na,1,2,3\nb,1,2,4\nb,1,2,east\n".utf8)
      let answer = try await anna.send(.post, path + "?track=b", bytes: table, type: "text/csv")
      let found = try await Self.finished(anna, device, server).first { $0["id"]?.string == answer.id }
      #expect(found?["state"]?.string == "done" && found?["fixes_added"]?.whole == 1)
      #expect(found?["detail"]?.string?.contains("line 4: time \"east\" found") == true)
    }
  }

  @Test func `one import of an account at a time`() throws {
    let running = RunningImports()
    let (anna, ben, carl) = (AccountID(rawValue: 1), AccountID(rawValue: 2), AccountID(rawValue: 3))
    let first = TrackImportID(rawValue: 1)
    try running.begin(first, of: anna)
    #expect(throws: RunningImports.Refusal.ownRuns) {
      try running.begin(TrackImportID(rawValue: 2), of: anna)
    }
    try running.begin(TrackImportID(rawValue: 3), of: ben)
    #expect(throws: RunningImports.Refusal.othersRun) {
      try running.begin(TrackImportID(rawValue: 4), of: carl)
    }
    running.stop(first)
    #expect(!running.goesOn(first) && running.goesOn(TrackImportID(rawValue: 3)))
    running.end(first, of: anna)
    try running.begin(TrackImportID(rawValue: 5), of: carl)
  }

  @Test func `days are told by the account's clock, as JSON and as a table`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("=Cliff, east")).id
      _ = try await anna.send(
        .post, "/api/v1/devices/\(device)/imports", bytes: Self.gpx(minutes: 60, stays: 30), type: "text/xml")
      await server.parts.operation.backgroundTasks.finished()
      let date = HistoryCalendar(try #require(TimeZone(identifier: "Asia/Tokyo"))).date(
        of: TestServer.start - .hours(24))
      let query = "from=\(date)&to=\(date)&time_zone=Asia/Tokyo"
      let answer = try await anna.get("/api/v1/devices/\(device)/days?\(query)")
      #expect(answer.json["time_zone"]?.string == "Asia/Tokyo")
      let day = try #require(answer.json["items"]?.list?.first)
      #expect(day["date"]?.string == date && day["fixes"]?.whole == 90)
      let parts = day["parts"]?.list ?? []
      #expect(parts.map { $0["kind"]?.string } == ["stay", "trip"])
      #expect(parts.first?["zone_ids"]?.list?.first?.string == zone)
      #expect(day["zones"]?.list?.first?["name"]?.string == "=Cliff, east")
      let table = try await anna.get("/api/v1/devices/\(device)/days.csv?\(query)").text
      let lines = table.split(separator: "\r\n").map(String.init)
      #expect(lines[0] == "date,kind,from,to,seconds,latitude,longitude,length_m,zone_id,zone")
      #expect(lines[1].hasPrefix("\(date),stay,\(date)T") && lines[1].contains("+09:00"))
      #expect(lines[3].hasPrefix("\(date),zone,,,") && lines[3].hasSuffix(",\(zone),\"'=Cliff, east\""))
      #expect(try await anna.get("/api/v1/devices/\(device)/days").json["items"]?.list?.count == 7)
      for bad in [
        "from=2026-02-30&to=2026-03-01", "from=2026-03-02&to=2026-03-01", "from=2020-01-01&to=2026-01-01",
        "time_zone=Nowhere", "radius_m=1", "stay_minutes=0", "gap_minutes=2000",
      ] {
        #expect(try await anna.get("/api/v1/devices/\(device)/days?\(bad)").status == .badRequest, "\(bad)")
      }
    }
  }
}
