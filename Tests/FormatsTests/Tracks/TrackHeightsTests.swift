import AlarmEngine
import Foundation
import Testing

@testable import Formats

@Suite("Heights in track files")
struct TrackHeightsTests {
  private func altitudes(_ text: String, as format: TrackFormat) throws -> [Altitude?] {
    try read(text, as: format).devices.flatMap { $0.points.map(\.fix.altitude) }
  }

  private func over(_ reference: Altitude.Reference, _ metres: Double, _ error: Double? = nil) -> Altitude? {
    Altitude(metres: metres, error: error, reference: reference)
  }

  @Test func `GPX: elevation, its error, and over the sea only where we wrote it`() throws {
    let points = [
      "<ele>440.5</ele>", "<ele>0</ele>", "<ele>0</ele><extensions><vAcc>5</vAcc></extensions>",
      "<ele>440</ele><extensions><a:vAcc xmlns:a=\"a\">4</a:vAcc></extensions>",
      "<ele>440</ele><extensions><vAcc>-1</vAcc></extensions>",
      "<ele>440</ele><extensions><eleReference>sea_level</eleReference></extensions>", "",
      "<extensions><ele>440</ele></extensions>",
    ]
    let text = points.map { "<trkpt lat=\"47\" lon=\"8\"><time>2026-11-21T11:32:05Z</time>\($0)</trkpt>" }
    #expect(
      try altitudes("<gpx><trk><trkseg>\(text.joined())</trkseg></trk></gpx>", as: .gpx) == [
        over(.unknown, 440.5), nil, over(.unknown, 0, 5), over(.unknown, 440, 4), nil,
        over(.seaLevel, 440), nil, nil,
      ])
  }

  @Test func `a height that is no number leaves the fix, with a warning`() throws {
    let file = try read(
      "<gpx><trk><trkseg><trkpt lat=\"47\" lon=\"8\"><time>2026-11-21T11:32:05Z</time><ele>high</ele></trkpt></trkseg></trk></gpx>",
      as: .gpx)
    #expect(file.devices.first?.points.map(\.fix.altitude) == [nil])
    #expect(
      file.issues.map(\.message) == ["height \"high\" found, a number of metres expected; taken as unstated"])
  }

  @Test func `NMEA: over the sea where the geoid is stated, its error from GST`() throws {
    let text = """
      $GPRMC,113205,A,4730.000,N,00815.000,E,1,2,211126
      $GPGGA,113205,4730.000,N,00815.000,E,1,09,0.8,400.5,M,48.0,M,,
      $GPGST,113205,1,1,1,1,3,3,7
      $GPRMC,113206,A,4730.000,N,00815.000,E,1,2,211126
      $GPGGA,113206,4730.000,N,00815.000,E,1,09,0.8,448.5,M,,M,,
      $GPRMC,113207,A,4730.000,N,00815.000,E,1,2,211126
      $GPGGA,113207,4730.000,N,00815.000,E,1,09,0.8,,M,48,M,,
      """
    #expect(
      try altitudes(text, as: .nmea) == [over(.seaLevel, 400.5, 7), over(.unknown, 448.5), nil])
  }

  @Test func `IGC: the height of satellites, with its error, of fixes in three dimensions`() throws {
    let text = """
      HFDTE211126
      I013638VXA
      B1132054730000N00815000EA0040000410012
      B1132064730000N00815000EV0040000410012
      B1132074730000N00815000EA00400-0041000
      """
    #expect(try altitudes(text, as: .igc) == [over(.unknown, 410, 12), nil, over(.unknown, -41)])
  }

  @Test func `TCX, PLT, CSV and OwnTracks`() throws {
    #expect(
      try altitudes(
        """
        <TrainingCenterDatabase><Trackpoint><Time>2026-11-21T11:32:05Z</Time><Position>
        <LatitudeDegrees>47</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position>
        <AltitudeMeters>440</AltitudeMeters></Trackpoint></TrainingCenterDatabase>
        """, as: .tcx) == [over(.unknown, 440)])
    let head = "OziExplorer Track Point File Version 2.1\nWGS 84\nAltitude is in Feet\nReserved 3\n0\n0\n"
    #expect(
      try altitudes(
        head + "47.1,8.2,0,1000,46347.48,2026-11-21,11:32:05\n47.1,8.2,0,-777,46347.48,2026-11-21,11:32:06\n",
        as: .plt) == [over(.unknown, 304.8), nil])
    #expect(
      try altitudes(
        "lat,lon,time,Elevation (m),vertical accuracy\n47,8,2026-11-21T11:32:05Z,440,3\n47,8,2026-11-21T11:32:06Z,,\n",
        as: .csv) == [over(.unknown, 440, 3), nil])
    #expect(
      try altitudes("lat,lon,time,altitude_ft\n47,8,2026-11-21T11:32:05Z,1000\n", as: .csv) == [
        over(.unknown, 304.8)
      ])
    #expect(
      try altitudes(
        #"{"_type":"location","lat":47,"lon":8,"tst":1795260725,"alt":440,"vac":3}"#, as: .owntracks)
        == [over(.unknown, 440, 3)])
  }

  @Test func `GeoJSON: the third number of a position, or a property`() throws {
    #expect(
      try altitudes(
        #"{"type":"Feature","properties":{"coordTimes":["2026-11-21T11:32:05Z","2026-11-21T11:32:06Z"]},"#
          + #""geometry":{"type":"LineString","coordinates":[[8,47,440],[8,47]]}}"#, as: .geojson)
        == [over(.unknown, 440), nil])
    #expect(
      try altitudes(
        #"{"type":"Feature","properties":{"timestamp":"2026-11-21T11:32:05Z","altitude":441,"vertical_accuracy":-1},"#
          + #""geometry":{"type":"Point","coordinates":[8,47,440]}}"#, as: .geojson) == [nil])
    #expect(
      try altitudes(
        #"{"type":"Feature","properties":{"timestamp":"2026-11-21T11:32:05Z","vertical_accuracy":4},"#
          + #""geometry":{"type":"Point","coordinates":[8,47,440]}}"#, as: .geojson)
        == [over(.unknown, 440, 4)])
  }

  @Test func `KML: heights over the sea count, those on or above ground do not`() throws {
    func track(_ mode: String) -> String {
      "<kml><Placemark><gx:Track>\(mode)<when>2026-11-21T11:32:05Z</when><gx:coord>8 47 440</gx:coord>"
        + "<ExtendedData><SchemaData><gx:SimpleArrayData name=\"vertical_accuracy\"><gx:value>6</gx:value>"
        + "</gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></Placemark></kml>"
    }
    #expect(
      try altitudes(track("<altitudeMode>absolute</altitudeMode>"), as: .kml) == [over(.seaLevel, 440, 6)])
    for mode in ["", "<altitudeMode>relativeToGround</altitudeMode>"] {
      #expect(try altitudes(track(mode), as: .kml) == [nil])
    }
    let point =
      "<kml><Placemark><TimeStamp><when>2026-11-21T11:32:05Z</when></TimeStamp><Point>"
      + "<altitudeMode>absolute</altitudeMode><coordinates>8,47,440</coordinates></Point></Placemark>"
      + "<Placemark><TimeStamp><when>2026-11-21T11:32:06Z</when></TimeStamp><Point>"
      + "<coordinates>8,47,440</coordinates></Point></Placemark></kml>"
    #expect(try altitudes(point, as: .kml) == [over(.seaLevel, 440), nil])
  }

  @Test func `Google's records and signals`() throws {
    #expect(
      try altitudes(
        #"{"locations":[{"latitudeE7":470000000,"longitudeE7":80000000,"timestamp":"2026-11-21T11:32:05Z","altitude":440,"verticalAccuracy":3}]}"#,
        as: .google) == [over(.unknown, 440, 3)])
    #expect(
      try altitudes(
        #"{"rawSignals":[{"position":{"LatLng":"47.0°, 8.0°","timestamp":"2026-11-21T11:32:05Z","altitudeMeters":440.5}}]}"#,
        as: .google) == [over(.unknown, 440.5)])
  }
}
