import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Answers to OwnTracks")
struct OwnTracksItemTests {
  private let fix = Fix(
    position: Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.505)),
    accuracy: .radius(.metres(11.2)),
    measuredAt: Instant(millisecondsSince1970: 1_790_000_000_999))

  private func text(_ items: [OwnTracksItem]) -> String {
    String(decoding: OwnTracksItem.encode(items), as: UTF8.self)
  }

  @Test func `friends, alarms and commands stand in one array, numbers whole where Android wants them so`() {
    let zone = Instant(millisecondsSince1970: 1_780_000_000_000)
    #expect(
      text([
        .card(trackerID: "BO", name: "Bojan"), .location(trackerID: "BO", fix),
        .transition(
          trackerID: "AN", isEntering: true, zone: "Cliff edge", at: fix.measuredAt, zoneMadeAt: zone, fix),
        .command(.reportLocation),
      ])
        == #"[{"_type":"card","tid":"BO","name":"Bojan"},"#
        + #"{"_type":"location","tid":"BO","acc":12,"lat":46.051,"lon":14.505,"tst":1790000000},"#
        + #"{"_type":"transition","event":"enter","desc":"Cliff edge","tid":"AN","tst":1790000000,"wtst":1780000000,"#
        + #""acc":12,"lat":46.051,"lon":14.505,"t":"c"},{"_type":"cmd","action":"reportLocation"}]"#)
    #expect(text([]) == "[]")
  }

  @Test func `what is written is read back`() throws {
    let report = phoneReport(
      "/pub",
      text([
        .card(trackerID: "BO", name: "Bo \"jan\"\n", face: [1, 2, 3]), .location(trackerID: "BO", fix),
        .transition(
          trackerID: "AN", isEntering: false, zone: "A: \\", at: fix.measuredAt, zoneMadeAt: fix.measuredAt,
          fix),
        .command(.dump), .command(.reportSteps(from: fix.measuredAt, to: fix.measuredAt)),
      ]))
    #expect(report.issues.isEmpty && report.fixes.count == 1 && report.duplicates == 1)
    #expect(report.fixes[0].fix.accuracy == .radius(.metres(12)))
    #expect(report.messages.count == 4)
    #expect(report.messages[0] == .card(trackerID: "BO", name: "Bo \"jan\"\n"))
    if case .transition(let transition) = report.messages[1] {
      #expect(!transition.isEntering && transition.name == "A: \\")
    } else {
      Issue.record("\(report.messages[1])")
    }
  }

  @Test func `no accuracy is said where none is known`() {
    let vague = Fix(position: fix.position, accuracy: .unstated, measuredAt: fix.measuredAt)
    #expect(!text([.location(trackerID: "BO", vague)]).contains("acc"))
    let wide = Fix(position: fix.position, accuracy: .radius(.metres(1e300)), measuredAt: fix.measuredAt)
    #expect(text([.location(trackerID: "BO", wide)]).contains(#""acc":2000000000,"#))
  }

  @Test func `each app is known by what it calls itself`() {
    #expect(OwnTracksPlatform(userAgent: "Owntracks-Android/gms/420501") == .android)
    #expect(OwnTracksPlatform(userAgent: "OwnTracks/26.2.3 CFNetwork/1410 Darwin/22.6.0") == .ios)
    #expect(OwnTracksPlatform(userAgent: nil) == .unknown)
    #expect(!OwnTracksCommand.dump.isKnown(to: .android) && OwnTracksCommand.status.isKnown(to: .android))
  }

  @Test func `a configuration is a link, a file, and is read back`() throws {
    var configuration = OwnTracksConfiguration(
      url: "https://host/pub", user: "anna", password: "p&\"w+/=", device: "phone", trackerID: "AN")
    configuration.monitoring = .move
    let link = configuration.link
    #expect(link.hasPrefix("owntracks:///config?inline="))
    let inline = PercentCoding.decode(
      Array(link.utf8.dropFirst("owntracks:///config?inline=".utf8.count))[...])
    let value = try JSONValue.parse(Array(try #require(Data(base64Encoded: inline))))
    #expect(value.text + "\n" == String(decoding: configuration.file, as: UTF8.self))
    #expect(
      value["password"]?.string == "p&\"w+/=" && value["mode"]?.double == 3
        && value["monitoring"]?.double == 2)
    #expect(
      value.members?.map(\.0) == [
        "_type", "mode", "url", "auth", "username", "password", "deviceId", "tid", "monitoring", "cmd",
        "remoteConfiguration", "allowRemoteLocation", "extendedData", "locatorInterval",
        "locatorDisplacement", "ping", "encryptionKey", "waypoints",
      ])
    #expect(value["encryptionKey"]?.string == "")
    configuration.encryptionKey = "0123456789abcdef0123456789abcdef"
    #expect(configuration.json["encryptionKey"]?.string == "0123456789abcdef0123456789abcdef")
    let report = phoneReport("/pub", value.text)
    #expect(!"\(report)".contains("p&"))
  }
}

@Suite("Fences for OwnTracks")
struct OwnTracksFencesTests {
  private let home = AlarmStory.origin

  private func zone(_ number: UInt64, east: Double, size: Double = 200, name: String = "z") -> Zone {
    Zone.valid(
      id: ZoneID(rawValue: number), name: Text(name), size: .metres(size),
      outline: .locations([AlarmStory.place(east: east)]))
  }

  @Test func `the nearest fifteen, by the edge, each with a time and an id of its own`() throws {
    // The ids differ by multiples of the range of times, so that they would give equal times.
    let zones = (1...40).map { zone(UInt64($0) * 700_000_000, east: Double($0) * 1000) }
    let fences = OwnTracksFences(zones: zones.reversed(), near: home)
    #expect(fences.circles.map(\.zone) == zones.prefix(15).map(\.id))
    let entries = try #require(fences.json["waypoints"]?.list)
    #expect(Set(entries.compactMap { $0["tst"]?.double }).count == 15)
    #expect(Set(entries.compactMap { $0["rid"]?.string }).count == 15)
    #expect(OwnTracksFences(zones: zones.shuffled(), near: home) == fences)
    let file = try ZoneFile.read(data: Data(fences.file), format: .owntracks)
    #expect(file.zones.count == 15 && file.issues.isEmpty)
    for circle in fences.circles {
      #expect(OwnTracksFences.zone(regionID: OwnTracksFences.regionID(of: circle.zone)) == circle.zone)
    }
  }

  @Test func `a zone keeps its time from one message to the next`() {
    func time(_ fences: OwnTracksFences) -> Double? { fences.json["waypoints"]?.list?.last?["tst"]?.double }
    let alone = OwnTracksFences(zones: [zone(9, east: 500)], near: home)
    let among = OwnTracksFences(zones: [zone(3, east: 9000), zone(9, east: 500)], near: home)
    #expect(time(alone) == time(among))
  }

  @Test func `names never say what OwnTracks reads more into`() {
    for name in ["-+-Ann: a|b", "+", "", "a:b", "-\u{301}x", ":x"] {
      let written = OwnTracksFences(zones: [zone(1, east: 0, name: name)], near: home).circles[0].name
      let scalars = written.unicodeScalars
      #expect(!scalars.contains(":") && !scalars.contains("|"), "\(name)")
      #expect(scalars.first != "-" && scalars.first != "+", "\(name)")
    }
  }

  @Test func `the circle holds every place where the alarm may be due`() throws {
    var checked = 0
    for seed in Seeds.few(60) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let places = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        AlarmStory.place(
          east: generator.double(in: -20_000...20_000), north: generator.double(in: -20_000...20_000))
      }
      let isPath = places.count > 1 && Bool.random(using: &generator)
      let zone = Zone.valid(
        id: ZoneID(rawValue: UInt64(seed)), name: "z", size: .metres(generator.double(in: 10...2000)),
        inset: .metres(generator.double(in: -500...100)),
        alertDistance: .metres(generator.double(in: 0...1000)),
        outline: isPath ? .path(places) : .locations(places), edges: seed % 2 == 0 ? .geodesic : .lonLat)
      guard let circle = OwnTracksFences(zones: [zone], near: home).circles.first else { continue }
      let shape = try zone.shape(defaultRadius: .metres(50))
      checked += 1
      let outline = Outline(shape)
      for degrees in stride(from: 0.0, to: 360, by: 10) {
        let outside = Geodesic.destination(
          from: circle.center, azimuth: .degrees(degrees), distance: circle.radius + .metres(0.01))
        let distance = outline.signedDistance(from: outside).metres + zone.inset.metres
        #expect(distance > zone.alertDistance.metres - 1e-3, "seed \(seed), \(degrees)°: \(distance)")
      }
    }
    #expect(checked >= 40, "\(checked) zones of this size")
  }

  @Test func `small, large, inset and lead time make whole metres`() {
    var small = zone(1, east: 0, size: 10)
    #expect(OwnTracksFences(zones: [small], near: home).circles[0].radius == .metres(100))
    small.change { $0.alertDistance = .metres(300.5) }
    #expect(OwnTracksFences(zones: [small], near: home).circles[0].radius == .metres(311))
    small.change { $0.leadTime = .seconds(60) }
    let lead = OwnTracksFences(zones: [small], near: home, speed: .metresPerSecond(20)).circles[0]
    #expect(lead.radius == .metres(1210))
    small.change { $0.inset = .metres(400) }
    #expect(OwnTracksFences(zones: [small], near: home).circles.isEmpty)
    small.change { $0.active = false }
    small.change { $0.inset = .zero }
    #expect(OwnTracksFences(zones: [small], near: home).circles.isEmpty)
  }

  @Test func `only iOS is told to delete, only what it said to have, and only what is ours`() throws {
    let known = ["z-0000000000000005", "z-0000000000000001", "6da9cf", "z-0000000000000005"]
    let zones = [zone(1, east: 0)]
    let fences = OwnTracksFences(zones: zones, near: home, known: known, platform: .ios)
    #expect(fences.removed == ["z-0000000000000005"])
    #expect(OwnTracksFences(zones: zones, near: home, known: known, platform: .android).removed.isEmpty)
    let entry = try #require(fences.json["waypoints"]?.list?.last)
    #expect(entry["rid"]?.string == "z-0000000000000005" && entry["lat"]?.double == -1_000_000)
    let command = String(decoding: OwnTracksItem.encode([.command(.setWaypoints(fences))]), as: UTF8.self)
    #expect(
      command.hasPrefix(
        #"[{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{"#))
  }
}
