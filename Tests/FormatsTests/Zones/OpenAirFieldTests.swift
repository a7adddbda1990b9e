import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats
@testable import ZoneFormats

/// Values of OpenAir records are read in full or not at all.
@Suite("Values in OpenAir files")
struct OpenAirFieldTests {
  private func read(_ records: String) throws -> ZoneFile {
    try ZoneFile.read(
      data: Data("AC D\nAN Mill\nV X=48:12:00 N 009:30:00 E\n\(records)\n".utf8), format: .openair)
  }

  @Test func `a radius is in nautical miles or in the unit that is stated`() throws {
    for (written, metres) in [
      ("5", 9260.0), ("+5", 9260), ("5.5 NM.", 10186), ("5NM", 9260), ("5 nmi", 9260), ("5.", 9260),
      (".5", 926),
      ("5 * about", 9260), ("5 NM* about, 7 km", 9260), ("5\t", 9260), ("5.5 km", 5500), ("7KM", 7000),
      ("926 km", 926_000),
    ] {
      let file = try read("DC \(written)")
      #expect(file.issues == [] && file.zones.map(\.size) == [.metres(metres)], "\(written)")
    }
    let airway = try read("V W=5 km\nDY 48:00 N 009:00 E\nDY 48:10 N 009:00 E")
    #expect(airway.issues == [] && airway.zones.map(\.size) == [.metres(2500)])
    let arc = try read("DA 5 km, 340 , 160 * half\nDP 48:00 N 009:30 E")
    guard case .locations(let places)? = arc.zones.first?.outline else {
      Issue.record("no polygon: \(arc.issues)")
      return
    }
    let center = Coordinate(latitude: .degrees(48.2), longitude: .degrees(9.5))
    #expect(
      arc.issues == [] && places.dropLast().allSatisfy { abs(center.distance(to: $0).metres - 5000) < 1e-3 })
  }

  @Test func `a radius with anything else behind the number is an error with its line`() throws {
    for written in [
      "5,5", "5x9", "5 7", "5.5.5", "-5", "0", "3000 ft", "800 yards", "5 m", "48:13:00 N 009:31:00 E", "1e1",
      "5 km km",
      "5..", "5 .", "km", "", "* 5", "501", "927 km", "5 NM 7", "0x10", "nan",
      String(repeating: "9", count: 308), String(repeating: "9", count: 400) + " km",
    ] {
      for record in ["DC \(written)", "V W=\(written)", "DA \(written),10,20"] {
        let file = try read(record)
        #expect(file.zones.isEmpty && file.issues.first?.line == 4, "\(record)")
        #expect(file.issues.first?.severity == .error, "\(record)")
      }
    }
  }

  @Test func `angles, arcs and directions are read whole`() throws {
    for record in [
      "DA 5,10", "DA 5,10,20,30", "DA 5,,10,20", "DA 5,10x,20", "DA 5,10 5,20", "DA 5,10,20 E", "DA 5,721,20",
      "DA 5,1e1,20",
      "DB 48:10 N 009:30 E", "DB 48:10 N 009:30 E,,48:12 N 009:40 E",
      "DB 48:10 N 009:30 E, 48:12 N 009:40 E, 7",
      "V D=+5", "V D=clockwise", "V D=- 1", "V D=",
    ] {
      let file = try read(record)
      #expect(file.zones.isEmpty && file.issues.first?.line == 4, "\(record)")
    }
    let commented = try read(
      "V D=- * other way\nDB 48:14 N 009:30 E , 48:12 N 009:33 E * half\nDP 48:12 N 009:30 E")
    #expect(commented.issues == [] && commented.zones.count == 1)
  }

  @Test func `a coordinate is read whole, and its numbers are single ones`() throws {
    for (written, latitude) in [
      ("48:12:00 N 009:30:00 E", 48.2), ("48:12N009:30E", 48.2), ("48.2N 9.5 E", 48.2),
      ("48 : 12 N 9 : 30 E", 48.2),
      ("48:12:00.0 S 009:30:00 W * corner", -48.2), ("+48:12. N 9:30 E", 48.2),
    ] {
      let found = try OpenAirCoordinate.parse(written)
      #expect(abs(found.latitude.degrees - latitude) < 1e-12, "\(written)")
    }
    for written in [
      "48:12 N 009:30 E 5", "48:12 N 009:30 East", "48:12 North 009:30 E", "4 8:12 N 009:30 E",
      "48 12 N 009 30 E",
      "48:1 2 N 009:30 E", "5e1 N 9 E", "-48:12 N 009:30 E", "48.5:30 N 009:30 E", "48:12.5:30 N 009:30 E",
      "48:60.1 N 9 E",
      "48:12:00,5 N 009:30 E", "48:12 N 181 E", "91 N 9 E", "48::12 N 9 E", "48:12:00:00 N 9 E", "N E",
      "48:12 N", "",
    ] {
      #expect(throws: OpenAirError.self, "\(written)") { try OpenAirCoordinate.parse(written) }
    }
  }

  @Test func `limits are read whole, and one beyond what can be is told`() throws {
    #expect(OpenAirLimit("4500 ft MSL * gliders") == OpenAirLimit("4500 ft MSL"))
    #expect(OpenAirLimit("GND *") == .ground && OpenAirLimit("unlimited") == .unlimited)
    for text in [
      "4 500 ft", "FL 9 5", "FL 95 x", "UNL5", "UNLESS told", "FL1e2", "4500 ft 6000 ft", "4500 ft/FL 95",
      "1,5",
    ] {
      #expect(OpenAirLimit(text) == nil, "\(text)")
    }
    let file = try read("AH 999999 ft\nDC 5")
    #expect(file.zones.map(\.band) == [nil])
    #expect(
      file.issues.map(\.message) == [
        "zone \"Mill\": AH \"999999 ft\" found, -12000.0 to 100000.0 m allowed; the zone gets no ceiling"
      ])
  }

  @Test func `times of activation are kept, and that they are not obeyed is said once`() throws {
    let file = try read("AA 2031-05-02T07:00Z/2031-05-02T17:00Z\nAA NONE\nDC 5\nAC R\nAN Next\nAA NONE\nDC 1")
    #expect(file.issues.map(\.severity) == [.warning, .warning] && file.issues.map(\.line) == [4, 9])
    #expect(file.issues.allSatisfy { $0.message.contains("have no effect") })
    #expect(file.zones.map(\.unknownRows.count) == [2, 1])
  }
}
