import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Zones from OpenAir")
struct OpenAirReaderTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), format: .openair)
  }

  @Test func `records make a circle, a polygon and an airway`() throws {
    let file = try read(
      """
      * A comment
      AC D
      AN One
      AH 8400 ft
      AL SFC
      V X=39:29.7 N 119:46.5 W
      DC 5
      AC Q
      AN Two
      DP 01:30:30 N 001:30:30 W
      DP 01:30:30 N 001:30:30 E
      DP 01:30:30 S 001:30:30 E
      AC A
      AN Three
      V W=4
      DY 46.5 N 14.25 E
      DY 47.5N 15.25E
      """)
    #expect(file.issues == [])
    #expect(file.zones.map { $0.name } == ["One", "Two", "Three"])
    #expect(file.zones.map { $0.category } == ["D", "Q", "A"])
    #expect(
      file.zones[0].size == .metres(9260)
        && file.zones[0].unknownRows == [["OpenAirAH", "8400 ft"], ["OpenAirAL", "SFC"]])
    guard case .locations(let center) = file.zones[0].outline,
      case .locations(let corners) = file.zones[1].outline,
      case .path(let airway) = file.zones[2].outline
    else {
      Issue.record("other outlines")
      return
    }
    #expect(
      abs(center[0].latitude.degrees - 39.495) < 1e-12 && abs(center[0].longitude.degrees + 119.775) < 1e-12)
    #expect(abs(corners[2].latitude.degrees + 1.508_333_333_333) < 1e-9 && corners.count == 3)
    #expect(airway.count == 2 && file.zones[2].size == .metres(3704))
  }

  @Test func `arcs lie within a metre of their circle, both ways round`() throws {
    for direction in ["+", "-"] {
      let file = try read(
        "AC C\nAN Arc\nV D=\(direction)\nV X=46:00:00 N 014:00:00 E\nDA 10, 350, 20\nDP 46:00:00 N 014:00:00 E\n"
      )
      let center = Coordinate(latitude: .degrees(46), longitude: .degrees(14))
      guard case .locations(let places)? = file.zones.first?.outline else {
        Issue.record("no polygon")
        return
      }
      let arc = places.dropLast()
      for (a, b) in zip(arc, arc.dropFirst()) {
        let line = Geodesic(from: a, to: b)
        let middle = line.point(at: line.length * 0.5)
        #expect(abs(center.distance(to: a).metres - 18_520) < 1e-6)
        #expect((18_519...18_520.001).contains(center.distance(to: middle).metres))
      }
      let north = Coordinate(latitude: .degrees(46.1), longitude: .degrees(14))
      let outline = Outline(try file.zones[0].shape(defaultRadius: .metres(50)))
      #expect(outline.contains(north) == (direction == "+"))
    }
  }

  @Test func `an arc between two points keeps its ends`() throws {
    let file = try read(
      "AC C\nAN A\nV X=46:00:00 N 014:00:00 E\nDB 46:10:00 N 014:00:00 E, 46:00:00 N 014:14:00 E\nDP 46:00:00 N 014:00:00 E"
    )
    guard case .locations(let places)? = file.zones.first?.outline else {
      Issue.record("no polygon")
      return
    }
    #expect(abs(places[0].latitude.degrees - 46.166_666_666_667) < 1e-9)
    #expect(
      places.contains { abs($0.longitude.degrees - 14.233_333_333_333) < 1e-9 && $0.latitude.degrees == 46 })
  }

  @Test func `what cannot be read is named by line, the rest is read`() throws {
    let file = try read(
      "AC C\nAN Broken\nDC 5\nAC C\nAN Good\nXX SFC\nDP 99:00 N 1:00 E\nV X=1:00 N 1:00 E\nDC 5\n")
    #expect(file.zones.map { $0.name } == ["Good"])
    #expect(file.issues.map { $0.line } == [3, 1, 6, 7])
    #expect(try read("nothing\n").issues.isEmpty == false)
  }
}

@Suite("Zones from and to OwnTracks")
struct ZoneOwnTracksTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), format: .owntracks)
  }

  @Test func `waypoints become circles`() throws {
    let waypoint =
      #"{"_type":"waypoint","desc":"Cliff edge","lat":46.0512,"lon":14.5049,"rad":150,"tst":1780000001}"#
    for text in [
      waypoint, "{\"_type\":\"waypoints\",\"waypoints\":[\(waypoint)]}",
      "{\"_type\":\"cmd\",\"action\":\"setWaypoints\",\"waypoints\":{\"_type\":\"waypoints\",\"waypoints\":[\(waypoint)]}}",
      "{\"_type\":\"configuration\",\"waypoints\":[\(waypoint)]}",
    ] {
      let file = try read(text)
      #expect(file.issues == [] && file.zones.count == 1)
      #expect(file.zones[0].name == "Cliff edge" && file.zones[0].size == .metres(150))
    }
  }

  @Test func `a waypoint that cannot be watched is named`() throws {
    let file = try read(
      #"{"_type":"waypoints","waypoints":[{"desc":"beacon:1-2"},{"lat":91,"lon":1},{"lat":1,"lon":2,"rad":0},7]}"#
    )
    #expect(file.zones.isEmpty)
    #expect(file.issues.map { $0.severity } == [.error, .error, .error, .error])
    #expect(throws: ReadError.self) { try read("[") }
    #expect(throws: ReadError.self) { try read("{}") }
  }

  @Test func `a waypoint with a radius of 0 is no zone, and a radius that is none is told`() throws {
    func read(_ radius: String) throws -> ZoneFile {
      try self.read(#"{"_type":"waypoint","desc":"Quay","lat":"46.5","lon":" 14 "\#(radius)}"#)
    }
    for radius in [#","rad":0"#, #","rad":0.0"#, #","rad":"0""#] {
      let file = try read(radius)
      #expect(file.zones.isEmpty, "\(radius)")
      #expect(
        file.issues == [
          ReadIssue(
            .error,
            "zone \"Quay\": waypoint 1: rad 0 found, more than 0 allowed: it is no region in OwnTracks; it is left out"
          )
        ])
    }
    for radius in [
      "", #","rad":null"#, #","rad":"80 m""#, #","rad":"""#, #","rad":-1"#, #","rad":1e9"#, #","rad":[80]"#,
    ] {
      let file = try read(radius)
      #expect(file.zones.map(\.size) == [nil] && file.issues.map(\.severity) == [.warning], "\(radius)")
    }
    for radius in [#","rad":80"#, #","rad":" 80 ""#] {
      let file = try read(radius)
      #expect(file.zones.map(\.size) == [.metres(80)] && file.issues == [], "\(radius)")
    }
    let text = try self.read(#"{"_type":"waypoint","lat":"46.5 N","lon":"14","rad":80}"#)
    #expect(text.zones.isEmpty && text.issues.first?.message.contains("\"46.5 N\" found") == true)
  }

  @Test func `plain circles are read back equal, other zones are covered by a circle`() throws {
    let place = Coordinate(latitude: .degrees(46.05), longitude: .degrees(14.5))
    let circle = Zone.valid(
      id: ZoneID(rawValue: 3), name: "c", size: .metres(80), outline: .locations([place]))
    let (data, issues) = try ZoneFormat.owntracks.encode([circle])
    #expect(issues == [])
    #expect(try ZoneFile.read(data: data).zones == [circle])

    let corners = [
      place, Coordinate(latitude: .degrees(46.06), longitude: .degrees(14.5)),
      Coordinate(latitude: .degrees(46.06), longitude: .degrees(14.53)),
    ]
    let polygon = Zone.valid(
      id: ZoneID(rawValue: 4), name: "-p:q", priority: 3, inset: .metres(-30), outline: .locations(corners))
    let (covered, losses) = try ZoneFormat.owntracks.encode([polygon])
    #expect(losses.count == 3)
    let cover = try #require(try ZoneFile.read(data: covered).zones.first)
    let outline = Outline(try cover.shape(defaultRadius: .metres(50)))
    #expect(cover.name == "p;q" && corners.allSatisfy { outline.signedDistance(from: $0).metres <= -30 })
  }
}
