import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats
@testable import ZoneFormats

@Suite("Coordinates in KML")
struct KMLCoordinatesTests {
  private func found(_ text: String) -> [String] {
    KMLCoordinates(Array(text.utf8)).places.map { "\($0.longitude.degrees),\($0.latitude.degrees)" }
  }
  private func read(_ text: String, as element: String = "LinearRing") throws -> ZoneFile {
    try ZoneFile.read(
      data: Data(
        "<kml><Placemark><name>Silo</name><\(element)><coordinates>\(text)</coordinates></\(element)></Placemark></kml>"
          .utf8),
      format: .kml)
  }

  @Test func `positions are parted by blanks, and blanks beside commas mean nothing`() {
    let ring = ["8.0,47.0", "9.0,47.0", "9.0,48.0"]
    for text in [
      "8,47 9,47 9,48", "8,47,5 9,47,5 9,48,5", "8,47, 9,47, 9,48,", "8,47,5, 9,47,5, 9,48,5,",
      "\n8,47\t9,47\r\n9,48 ",
      "8, 47 9, 47 9, 48", "8 , 47  9 , 47  9 , 48", "8 ,47 9 ,47 9 ,48", "8, 47, 5 9, 47, 5 9, 48, 5",
      "8,47, 5 9,47, 5 9,48, 5",
      "8,47 9, 47 9,48", "8,47,5\n9, 47\n9,48,5", "8,47,5,9,47,5,9,48,5", "8, 47, 5, 9, 47, 5, 9, 48, 5",
    ] {
      let coordinates = KMLCoordinates(Array(text.utf8))
      #expect(found(text) == ring && coordinates.leftOut.count == 0, "\(text)")
    }
    #expect(found("8,47,9,47") == ["8.0,47.0", "9.0,47.0"])
    // Valid as pairs and as triples; only one reading ends where it begins.
    #expect(
      found("8,47,9,47,9,48,8,47,9,48,8,47") == [
        "8.0,47.0", "9.0,47.0", "9.0,48.0", "8.0,47.0", "9.0,48.0", "8.0,47.0",
      ])
    #expect(KMLCoordinates(Array("8, 47, 5 9, 47, 7".utf8)).highest == 7)
  }

  @Test func `what can mean several things, or nothing, is left out`() {
    for text in [
      "8,47,9,47,9,48", "8, 47, 9, 47, 9, 48", "8,47,9,47,9", "8", "8,", ",47", "8;47", "8,95", "8 47 9 47",
      "8,47x", "8x,47",
      "1,2,3,4,5", ",,", "8,,47", "nan,47",
    ] {
      let coordinates = KMLCoordinates(Array(text.utf8))
      #expect(coordinates.places.isEmpty && coordinates.leftOut.count > 0, "\(text)")
    }
    #expect(found("8,47 9 9,48") == ["8.0,47.0", "9.0,48.0"])
    #expect(found("8,47 9,47,5,7 9,48") == ["8.0,47.0", "9.0,48.0"])
    #expect(found("") == [] && found(" \n") == [])
  }

  @Test func `a zone whose coordinates cannot be read gives one error`() throws {
    for text in [
      "8, 47, 9, 47, 9, 48", "8 47 9 47 9 48", "8,47 9;47 9;48 8;47", "8", "", "8,47 9,47",
    ] {
      let file = try read(text)
      #expect(file.zones.isEmpty && file.issues.count == 1, "\(text): \(file.issues)")
      #expect(file.issues.first?.line == 1 && file.issues.first?.severity == .error)
    }
    let file = try read("8,47 9,47 9;48 x 9,48")
    #expect(file.zones.count == 1)
    #expect(
      file.issues.map(\.message) == [
        "zone \"Silo\": \"9;48\" and 1 more found, longitude,latitude within ±360 and ±90 degrees allowed; they are left out"
      ])
  }

  @Test func `an altitude that is no number is told, and so are more positions than a point has`() throws {
    let ring = try read("8,47,5 9,47,high 9,48,x")
    #expect(ring.zones.count == 1)
    #expect(
      ring.issues.map(\.message) == [
        "zone \"Silo\": altitude in \"9,47,high\" found, a number allowed; the place has no altitude"
      ])
    #expect(ring.issues.map(\.severity) == [.warning])
    let point = try read("8, 47, 5", as: "Point")
    #expect(point.issues == [] && point.zones.count == 1)
    let two = try read("8,47 9,48", as: "Point")
    #expect(two.zones.count == 1 && two.issues.map(\.severity) == [.error])
    #expect(
      two.issues.first?.message.hasSuffix("a point of 2 positions found, 1 allowed; the others are left out")
        == true)
  }
}
