import Foundation
import Testing

@testable import Formats

@Suite("Hemispheres of tables")
struct HemisphereTests {
  private static let columns = [
    ("N/S", "E/W"), ("NS", "EW"), ("n / s", "e / w"), ("S/N", "W/E"), ("N or S", "E or W"),
    ("lat_hem", "lon_hem"),
    ("lat_dir", "lon_dir"), ("Lat Hemisphere", "Long Hemisphere"), ("LATITUDE N/S", "LONGITUDE E/W"),
    ("latitude hemisphere", "longitude hemisphere"), ("latitudeDirection", "longitudeDirection"),
    ("GPSLatitudeRef", "GPSLongitudeRef"), ("N/S Indicator", "E/W Indicator"), ("lat_ns", "lng_ew"),
    ("hemisphere_lat", "hemisphere_lon"), ("ns_hemisphere", "ew_hemisphere"), ("North/South", "East/West"),
    ("hemisphere", "hemisphere"), ("Dir", "Dir"), ("", ""),
  ]

  @Test(arguments: columns) func `are obeyed under whatever name`(north: String, east: String) {
    for (first, second, place) in [
      ("N", "E", "46.05,14.5"), ("S", "W", "-46.05,-14.5"), ("s", "e", "-46.05,14.5"),
      (" n ", "w", "46.05,-14.5"),
      ("South", "WEST", "-46.05,-14.5"), ("north", "east", "46.05,14.5"), ("Süd", "Ost", "-46.05,14.5"),
    ] {
      #expect(
        story("lat,\(north),lon,\(east),time\n46.05,\(first),14.5,\(second),2026-09-21T14:13:20Z", as: .csv)
          == "2026-09-21T14:13:20.000Z \(place)", "\(north) \(first)")
    }
  }

  @Test func `stand in any order and in tables of any kind`() {
    #expect(
      story("E/W;Längengrad;Zeit;N/S;Breitengrad\nW;14,5;2026-09-21T14:13:20Z;S;46,05", as: .csv)
        == "2026-09-21T14:13:20.000Z -46.05,-14.5")
    #expect(
      story("lat_e7,lat_ref,lon_e7,lon_ref,time\n460500000,S,145000000,W,2026-09-21T14:13:20Z", as: .csv)
        == "2026-09-21T14:13:20.000Z -46.05,-14.5")
  }

  @Test func `anything else is an error of its line`() {
    let told = story(
      """
      time,lat,lat_hem,lon,lon_hem
      2026-09-21T14:13:20Z,46.05,X,14.5,E
      2026-09-21T14:13:21Z,46.05,,14.5,E
      2026-09-21T14:13:22Z,46.05,E,14.5,E
      2026-09-21T14:13:23Z,46.05,N,14.5,Nord
      2026-09-21T14:13:24Z,46.05,SW,14.5,E
      2026-09-21T14:13:25Z,46.05,N,14.5,O
      2026-09-21T14:13:26Z,,S,14.5,E
      2026-09-21T14:13:27Z,46.05,S,14.5,E
      """, as: .csv)
    #expect(
      told == """
        2026-09-21T14:13:27.000Z -46.05,14.5
        error 2: latitude "46.05 X" found, a number of degrees expected; the point is left out
        error 3: latitude "46.05 " found, a number of degrees expected; the point is left out
        error 4: latitude "46.05 E" found, a number of degrees expected; the point is left out
        error 5: longitude "14.5 Nord" found, a number of degrees expected; the point is left out
        error 6: latitude "46.05 SW" found, a number of degrees expected; the point is left out
        error 7: longitude "14.5 O" found, a number of degrees expected; the point is left out
        error 8: a point without a position found, latitude and longitude expected; it is left out
        """)
  }

  @Test func `a sign may say the same, and not the opposite`() {
    #expect(
      story(
        "lat,ns,lon,ew,time\n-46.05,S,-14.5,W,2026-09-21T14:13:20Z\n-46.05,N,14.5,E,2026-09-21T14:13:21Z",
        as: .csv)
          == """
          2026-09-21T14:13:20.000Z -46.05,-14.5
          error 3: latitude "-46.05 N" found, a number of degrees expected; the point is left out
          """)
  }

  @Test(arguments: ["46.05S", "46.05 S", "S46.05", "s 46,05", "46.05° S", "-46.05 S"])
  func `letters beside the number are obeyed`(latitude: String) {
    for header in ["lat;lon;time", "LATITUDE N/S;LONGITUDE E/W;time"] {
      #expect(
        story("\(header)\n\(latitude);14.5W;2026-09-21T14:13:20Z", as: .csv)
          == "2026-09-21T14:13:20.000Z -46.05,-14.5")
    }
  }

  @Test func `letters that contradict are refused`() {
    for row in ["-46.05 N,,1,", "46.05 E,,1,", "46.05 X,,1,", "46.05 SS,,1,", "46.05 S,N,1,E", "S,S,1,E"] {
      let told = story("lat,ns,lon,ew,time\n\(row),2026-09-21T14:13:20Z", as: .csv)
      #expect(told.contains("holds no fix") && told.contains("line 2: latitude"), "\(row): \(told)")
    }
  }

  @Test func `a heading beside a longitude is no hemisphere`() {
    #expect(
      story("lat,lon,dir,heading,time\n46.05,14.5,90,90,2026-09-21T14:13:20Z", as: .csv)
        == "2026-09-21T14:13:20.000Z 46.05,14.5 90.0°")
  }

  @Test func `a unit that is not known is told`() {
    #expect(
      story("time,lat,lon,Accuracy (yards),Speed (km/h)\n2026-09-21T14:13:20Z,46.05,14.5,3,36", as: .csv)
        == """
        2026-09-21T14:13:20.000Z 46.05,14.5 10.0m/s
        warning 1: column "Accuracy (yards)" found, its unit is not known; it is passed over
        """)
  }

  @Test func `sentences of receivers have one too`() {
    for (north, east, place) in [
      ("X", "E", "latitude \"46.05 X\""), ("", "E", "latitude \"46.05 \""),
      ("N", "S", "longitude \"14.5 S\""),
    ] {
      let told = story(
        "$GPRMC,141319,A,4603.00,N,01430.00,E,,,210926,,\n$GPRMC,141320,A,4603.00,\(north),01430.00,\(east),,,210926,,",
        as: .nmea)
      #expect(told.contains("\(place) found"), "\(told)")
    }
  }

  @Test func `a date whose order is not told is refused with its time of day`() {
    let told = story(
      "INDEX,DATE,TIME,LATITUDE N/S,LONGITUDE E/W\n1,260921,141320,46.05S,014.5W", as: .csv)
    #expect(told.contains("line 2: time \"260921 141320\" found"), "\(told)")
  }
}
