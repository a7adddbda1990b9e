import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats
@testable import ZoneFormats

@Suite("Floors and ceilings in zone files")
struct ZoneHeightsTests {
  // MARK: OpenAir

  @Test func `OpenAir limits over the sea, in feet or metres, however they are written`() {
    let feet = 304.8
    let cases: [(String, Double)] = [
      ("1000", feet), ("1000ft", feet), ("1000 FT AMSL", feet), ("1000 ft MSL", feet), ("1000 MSL", feet),
      ("1000F MSL", feet), ("1000 feet", feet), ("1000M MSL", 1000), ("1000 m", 1000), ("1000m AMSL", 1000),
      ("1000MSL", feet), ("1000 MTR", 1000), ("-50 ft", -15.24), ("+1000 ft", feet),
      ("1000 ALT", feet),
    ]
    for (text, metres) in cases {
      let limit = OpenAirLimit(text)
      for found in [limit?.floor, limit?.ceiling] {
        #expect(abs((found ?? .metres(-1e6)).metres - metres) < 1e-9, "\(text)")
      }
    }
  }

  @Test func `flight levels are moved outwards by what pressure and temperature can do`() throws {
    for text in ["FL95", "FL 95", "fl 095"] {
      let limit = try #require(OpenAirLimit(text))
      #expect(abs(limit.floor!.metres - (2895.6 * 0.9 - 600)) < 1e-9)
      #expect(abs(limit.ceiling!.metres - (2895.6 * 1.1 + 600)) < 1e-9)
    }
  }

  @Test func `what cannot be placed over the sea is no limit`() {
    for text in [
      "GND", "SFC", "0", "0 ft MSL", "UNL", "UNLIM", "UNLTD", "1000 ft AGL", "300m AGL", "1000 ASFC",
      "1000ft SFC",
      "999999 ft",
    ] {
      #expect(OpenAirLimit(text) != nil, "\(text)")
      #expect(OpenAirLimit(text)?.floor == nil && OpenAirLimit(text)?.ceiling == nil, "\(text)")
    }
    for text in [
      "", "high", "FL", "FL -5", "FLnan", "FL 1e9", "1000 yd", "1e5 ft", "nan", "--5", "1000 ft X",
    ] {
      #expect(OpenAirLimit(text) == nil, "\(text)")
    }
  }

  private func openAir(_ limits: String) throws -> ZoneFile {
    try ZoneFile.read(
      data: Data("AC D\nAN One\n\(limits)\nV X=47:00 N 008:00 E\nDC 5\n".utf8), format: .openair)
  }

  @Test func `an airspace has its floor and ceiling, and keeps the records`() throws {
    let file = try openAir("AH 8400 ft MSL\nAL 2000 ft MSL")
    #expect(file.issues == [])
    let zone = try #require(file.zones.first)
    #expect(abs(zone.floor!.metres - 609.6) < 1e-9 && abs(zone.ceiling!.metres - 2560.32) < 1e-9)
    #expect(zone.unknownRows == [["OpenAirAH", "8400 ft MSL"], ["OpenAirAL", "2000 ft MSL"]])
    let ground = try openAir("AL GND\nAH UNL")
    #expect(ground.issues == [] && ground.zones.first?.band == nil)
  }

  @Test func `a limit that is none is told, and nobody is missed for it`() throws {
    let cases: [(String, String)] = [
      (
        "AH 1000 ft AGL",
        "AH \"1000 ft AGL\" found, whose height over sea level is not known; the zone gets no ceiling"
      ),
      (
        "AL 1000 ft AGL",
        "AL \"1000 ft AGL\" found, whose height over sea level is not known; the zone gets no floor"
      ),
      ("AL UNL", "AL \"UNL\" found, a height or flight level allowed; the zone gets no floor"),
      ("AH SFC", "AH \"SFC\" found, a height or flight level allowed; the zone gets no ceiling"),
      ("AH high", "AH \"high\" found, a height or flight level allowed; the zone gets no ceiling"),
      (
        "AH 5000 ft\nAH high", "AH \"high\" found, a height or flight level allowed; the zone gets no ceiling"
      ),
    ]
    for (limits, message) in cases {
      let file = try openAir(limits)
      #expect(file.zones.map(\.band) == [nil], "\(limits)")
      #expect(file.issues.map(\.message) == ["zone \"One\": \(message)"], "\(limits)")
    }
    let file = try openAir("AL 3000 ft\nAH 1000 ft")
    #expect(file.zones.map(\.band) == [nil])
    #expect(
      file.issues.map(\.message) == [
        "zone \"One\": a ceiling of 305.0 m found, more than the floor of 914.0 m allowed; the zone gets neither"
      ])
  }

  @Test func `a limit is of its airspace alone`() throws {
    let text =
      "AC D\nAN One\nAH 1000 ft\nV X=47:00 N 008:00 E\nDC 5\nAC D\nAN Two\nV X=47:00 N 008:00 E\nDC 5\n"
    let file = try ZoneFile.read(data: Data(text.utf8), format: .openair)
    #expect(file.zones.map { $0.ceiling != nil } == [true, false])
  }

  // MARK: KML

  private func kml(_ polygon: String, data: String = "") throws -> ZoneFile {
    try ZoneFile.read(
      data: Data(
        "<kml><Placemark><name>One</name>\(data)<MultiGeometry>\(polygon)</MultiGeometry></Placemark></kml>"
          .utf8),
      format: .kml)
  }

  private func polygon(_ head: String, _ heights: [String]) -> String {
    let places = zip(["8,47", "8.1,47", "8.1,47.1", "8,47"], heights + heights.prefix(1)).map { $0 + $1 }
    return "<Polygon>\(head)<outerBoundaryIs><LinearRing><coordinates>\(places.joined(separator: " "))"
      + "</coordinates></LinearRing></outerBoundaryIs></Polygon>"
  }
  private static let absolute = "<extrude>1</extrude><altitudeMode>absolute</altitudeMode>"

  @Test func `an area that is extruded to a height over the sea has a ceiling`() throws {
    let file = try kml(polygon(Self.absolute, [",1500", ",1480", ",1510"]))
    #expect(file.issues == [])
    #expect(file.zones.map(\.ceiling) == [.metres(1510)] && file.zones.map(\.floor) == [nil])
    let two = try kml(
      polygon(Self.absolute, [",500", ",500", ",500"]) + polygon(Self.absolute, [",900", ",1", ",1"]))
    #expect(two.zones.map(\.ceiling) == [.metres(900)])
  }

  @Test func `any other area has none, and one above ground says so`() throws {
    let high = [",1500", ",1500", ",1500"]
    for head in [
      "", "<altitudeMode>absolute</altitudeMode>", "<extrude>1</extrude>",
      "<extrude>1</extrude><altitudeMode>clampToGround</altitudeMode>",
      "<extrude>0</extrude><altitudeMode>absolute</altitudeMode>",
    ] {
      let file = try kml(polygon(head, high))
      #expect(file.zones.map(\.band) == [nil] && file.issues == [], "\(head)")
    }
    for heights in [["", "", ""], [",1500", "", ",1500"], [",1500", ",x", ",1500"], [",0", ",0", ",0"]] {
      #expect(try kml(polygon(Self.absolute, heights)).zones.map(\.band) == [nil], "\(heights)")
    }
    let mixed = try kml(polygon(Self.absolute, high) + polygon("", high))
    #expect(mixed.zones.map(\.band) == [nil])
    let relative = try kml(
      polygon("<extrude>1</extrude><altitudeMode>relativeToGround</altitudeMode>", high))
    #expect(relative.zones.map(\.band) == [nil])
    #expect(
      relative.issues.map(\.message) == [
        "zone \"One\": an area up to a height above ground found, whose height over sea level is not known; "
          + "the zone gets no ceiling"
      ])
  }

  @Test func `what the data say of the heights goes before what is drawn`() throws {
    let data = "<ExtendedData><Data name=\"alarm_floor_m\"><value>100</value></Data></ExtendedData>"
    let file = try kml(polygon(Self.absolute, [",1500", ",1500", ",1500"]), data: data)
    #expect(file.zones.map(\.band) == [AltitudeBand(floor: .metres(100), ceiling: nil)])
  }

  // MARK: Properties

  @Test func `limits that cannot be are left out with what is allowed`() throws {
    func read(_ properties: String) throws -> ZoneFile {
      try ZoneFile.read(
        data: Data(
          #"{"type":"Feature","properties":{"name":"One",\#(properties)},"geometry":{"type":"Point","coordinates":[8,47]}}"#
            .utf8), format: .geojson)
    }
    let good = try read(#""alarm_floor_m":-5,"alarm_ceiling_m":"1500""#)
    #expect(good.issues == [])
    #expect(good.zones.map(\.band) == [AltitudeBand(floor: .metres(-5), ceiling: .metres(1500))])
    let upsideDown = try read(#""alarm_floor_m":1500,"alarm_ceiling_m":1500"#)
    #expect(upsideDown.zones.map(\.band) == [nil])
    #expect(
      upsideDown.issues.map(\.message) == [
        "zone \"One\": alarm_ceiling_m 1500.0 found, more than the floor of 1500.0 allowed; the zone gets neither"
      ])
    let far = try read(#""alarm_ceiling_m":1e9"#)
    #expect(far.zones.map(\.band) == [nil] && far.issues.count == 1)
  }

  @Test func `a PAD file with a ceiling below the floor gives a zone without limits`() throws {
    let pad =
      "AlertZoneStart\nAlertZoneName,One\nAlertZoneSize,50\nAlertZoneFloor,500\nAlertZoneCeiling,400\nLocation,1,47,8\nAlertZoneEnd\n"
    let file = try ZoneFile.read(data: Data(pad.utf8), format: .pad)
    #expect(file.zones.map(\.band) == [nil])
    #expect(file.issues.map(\.message).count == 1)
    #expect(file.issues.first?.message.contains("AlertZoneCeiling") == true)
  }
}
