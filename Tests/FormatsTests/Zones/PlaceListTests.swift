import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Zones from GPX")
struct GPXZoneReaderTests {
  private func read(_ text: String, name: String = "") throws -> ZoneFile {
    try ZoneFile.read(data: Data("<gpx>\(text)</gpx>".utf8), name: name)
  }

  @Test func `decimal commas and digits of other scripts are read in degrees`() throws {
    let file = try read(#"<wpt lat="47,5" lon="8,25"/><wpt lat="۴۷٫۵" lon="८.२५"/>"#)
    #expect(file.issues == [])
    let silo = Coordinate(latitude: .degrees(47.5), longitude: .degrees(8.25))
    #expect(file.zones.map(\.outline.places) == [[silo], [silo]])
  }

  @Test func `waypoints become circles and routes corridors`() throws {
    let file = try read(
      """
      <metadata><name>File</name></metadata>
      <wpt lat="47.5" lon=" 8.25 "><ele>400</ele><name> Silo &amp; barn </name><type>Farm</type><sym>Flag</sym>
      <link href="x"><text>more</text></link><extensions><a:group><a:radius_ft>1000</a:radius_ft></a:group></extensions></wpt>
      <wpt lat="47" lon="8"><desc>Well</desc><extensions><gpxx:Proximity>80</gpxx:Proximity></extensions></wpt>
      <rte><name>Lane</name><extensions><alarm_size_m>25</alarm_size_m></extensions>
      <rtept lat="47" lon="8"><name>A</name><extensions><radius>9</radius></extensions></rtept><rtept lat="48" lon="8"/></rte>
      """)
    #expect(file.issues == [])
    #expect(file.zones.map(\.name) == ["Silo & barn", "Well", "Lane"])
    #expect(file.zones.map(\.category) == ["Farm", "", ""])
    #expect(file.zones.map { ($0.size?.metres ?? 0).rounded() } == [305, 80, 25])
    #expect(file.zones.map { file.lines[$0.id] } == [2, 4, 5])
    #expect(file.zones[2].outline.places.count == 2)
  }

  @Test func `a place that cannot be read is told with its line, and the rest is read`() throws {
    let file = try read(
      """
      <wpt lat="47 N" lon="8"><name>A</name></wpt>
      <wpt lon="8"/>
      <wpt lat="91" lon="8"/>
      <wpt lat="4,7,5" lon="8,25"/>
      <rte><name>B</name><rtept lat="47" lon="8"/><rtept lat="x" lon="8"/></rte>
      <wpt lat="47" lon="8"><name>C</name><extensions><radius>far</radius><rad>3</rad></extensions></wpt>
      <wpt lat="47" lon="8"><name>D</name><extensions><rad>3</rad></extensions></wpt>
      """)
    #expect(file.zones.map(\.name) == ["C", "D"])
    let found = file.issues.map { "\($0.line ?? 0) \($0.severity)" }
    #expect(
      found == ["1 error", "2 error", "3 error", "4 error", "5 error", "5 error", "6 error", "7 warning"])
    #expect(
      file.issues[0].message
        == "zone \"A\": lat \"47 N\", lon \"8\" found, degrees within ±90 and ±360 allowed; the place is left out"
    )
  }

  @Test func `tracks are no zones, and nothing else is told`() throws {
    let track = "<trk><name>Walk</name><trkseg><trkpt lat=\"47\" lon=\"8\"/></trkseg></trk>"
    let file = try read(track + "<wpt lat=\"47\" lon=\"8\"/>")
    #expect(file.zones.count == 1 && file.issues.map(\.severity) == [.warning])
    let only = try read(track, name: "walk.gpx")
    #expect(
      only.zones.isEmpty
        && only.issues.map(\.message) == ["a track ignored: only waypoints and routes are read as zones"])
    #expect(try read("", name: "a.gpx").issues.map(\.severity) == [.error])
    // In mails, for example, a track is not read as zones.
    #expect(ZoneFormat(start: Array("<gpx>\(track)</gpx>".utf8)) == nil)
  }

  @Test func `what breaks off is left out`() throws {
    let file = try ZoneFile.read(
      data: Data("<gpx><wpt lat=\"47\" lon=\"8\"/><wpt lat=\"47\" lon=\"8\"><name>Cut".utf8), format: .gpx)
    #expect(file.zones.count == 1 && file.issues.map(\.message) == ["the XML is cut off here"])
    #expect(throws: ReadError.self) { try ZoneFile.read(data: Data("<kml/>".utf8), format: .gpx) }
    #expect(throws: ReadError.self) { try ZoneFormat.gpx.encode([Zone]()) }
  }
}

@Suite("Zones from tables")
struct CSVZoneReaderTests {
  private func read(_ text: String, format: ZoneFormat? = nil) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), name: "places.csv", format: format)
  }

  @Test func `a row becomes a circle, its other columns are properties`() throws {
    let file = try read(
      """
      # places of the farm
      id,Name,Latitude,LON,Radius,radius_units,alarm_trigger,note

      s1,"Silo, big",47.5,8.25,2,km,leave,x
      ,Well,47,8,,,,
      """)
    #expect(file.issues == [])
    #expect(
      file.zones.map(\.name) == ["Silo, big", "Well"] && file.zones.map(\.size) == [.metres(2000), nil])
    #expect(file.zones.map { $0.trigger == .leave() } == [true, false])
    #expect(file.zones.map { file.lines[$0.id] } == [4, 5])
    #expect(file.zones[0].outline.places == [Coordinate(latitude: .degrees(47.5), longitude: .degrees(8.25))])
    for text in [
      "sep=;\r\nname;lat;lon;size_m\r\nSilo;47,5;8,25;80,5\r\n",
      "\u{feff}lat\tlng\tname\tsize_m\n47.5\t8.25\tSilo\t80.5",
      "lat|long|size_m|name\n47.5|8.25|80.5|Silo|||\n",
    ] {
      let file = try read(text)
      #expect(
        file.issues == [] && file.zones.map(\.name) == ["Silo"] && file.zones.map(\.size) == [.metres(80.5)],
        "\(text)")
    }
  }

  @Test(arguments: [
    "name;lat;lon;size_m\nSilo;٤٧٫٥;٨٫٢٥;٨٠٫٥\n", "name;lat;lon;size_m\nSilo;४७,५;८,२५;８０．５\n",
    "name,lat,lon,size_m\nSilo,\"47,5\",\"8,25\",۸۰٫۵\n",
  ])
  func `digits of other scripts are read, and quoted degrees with a decimal comma`(text: String) throws {
    let file = try read(text)
    #expect(file.issues == [] && file.zones.map(\.size) == [.metres(80.5)])
    #expect(
      file.zones.first?.outline.places == [Coordinate(latitude: .degrees(47.5), longitude: .degrees(8.25))])
  }

  @Test func `a name that looks like a number stays as it is written`() throws {
    let file = try read("name;lat;lon;radius_m\n1,5;47,5;8,25;80,5\n")
    #expect(
      file.issues == [] && file.zones.map(\.name) == ["1,5"] && file.zones.map(\.size) == [.metres(80.5)])
  }

  @Test func `a row that cannot be read is told with its line, and the rest is read`() throws {
    let rows = [
      "47.5 N,8,A", "47,5,8,25,B", ",8,C", "47", "91,8,D", "47.5x,8,E", "0x2f,8,F", "47;5,8,G", "nan,8,H",
      "47,8,Good",
    ]
    let file = try read("lat,lon,name\n" + rows.joined(separator: "\n"))
    #expect(file.zones.map(\.name) == ["Good"])
    #expect(file.issues.map(\.line) == Array(2...10) && file.issues.allSatisfy { $0.severity == .error })
    let sizes = try read("lat,lon,radius\n47,8,80 m\n47,8,80;5\n47,8,-1")
    #expect(sizes.zones.map(\.size) == [.metres(80), nil, nil] && sizes.issues.map(\.line) == [3, 4])
  }

  @Test
  func `a table of times is a track, one with hemispheres apart has no signs, and others are no places`()
    throws
  {
    for header in ["time,lat,lon", "lat,lon,GPS Time", "lat,N/S,lon,E/W", "lat,lat_hem,lon,lon_hem"] {
      #expect(throws: ReadError.self, "\(header)") { try read("\(header)\n1,2,3,4\n", format: .csv) }
    }
    for text in ["", "\n\n", "name,latitude\nA,47\n", "lat lon\n47 8\n", "\u{0}\u{1}\u{2}"] {
      #expect(throws: ReadError.self, "\(text)") { try read(text, format: .csv) }
      #expect(throws: ReadError.self, "\(text)") { try read(text) }
    }
    #expect(ZoneFormat(start: Array("time,lat,lon\n".utf8)) == nil)
    #expect(try read("lat,lon\n").issues.map(\.severity) == [.error])
    #expect(ZoneFormat(start: Array("AlertZoneStart\nlat,lon\n".utf8)) == .pad)
  }
}

@Suite("Zones from Traccar")
struct TraccarGeofencesTests {
  private func read(_ areas: [String], _ more: String = "") throws -> ZoneFile {
    let objects = areas.map { "{\"name\":\"Silo\",\"area\":\"\($0)\"\(more)}" }
    return try ZoneFile.read(data: Data("[\(objects.joined(separator: ",\n"))]".utf8), format: .traccar)
  }

  @Test func `circles, polygons and lines become zones, latitude first`() throws {
    let file = try ZoneFile.read(
      data: Data((ReadOnlyZoneSamples.files["traccar"] ?? "").utf8), name: "geofences.json")
    #expect(file.issues == [] && file.zones.map(\.name) == ["Silo", "Field", "Lane"])
    #expect(
      file.zones.map(\.size) == [.metres(80.5), nil, .metres(25)]
        && file.zones.map { file.lines[$0.id] } == [1, 2, 3])
    #expect(
      file.zones[0].outline == .locations([Coordinate(latitude: .degrees(47.5), longitude: .degrees(8.25))]))
    guard case .area(let polygon) = file.zones[1].outline else {
      Issue.record("no area")
      return
    }
    #expect(polygon.parts[0].outer.vertices.count == 3 && polygon.parts[0].holes.count == 1)
    let single = try ZoneFile.read(
      data: Data(#"{"name":"S","area":"circle(47 8,80)","attributes":{"alarm_priority":3}}"#.utf8))
    #expect(single.issues == [] && single.zones.map(\.priority) == [3])
  }

  @Test(arguments: [
    "CIRCLE (47.5 8.25, 80.5", "CIRCLE (47.5 8.25, 80.5) x", "CIRCLE (47.5, 8.25, 80.5)",
    "CIRCLE (47.5 8.25 80.5)",
    "CIRCLE (47.5 8.25, 80.5 m)", "CIRCLE (47.5 8.25, 8 0)", "CIRCLE (91 8, 80)", "CIRCLE (x 8, 80)",
    "CIRCLE", "", "POLYGON (47 8, 48 9)",
    "POLYGON ((47 8, 48 9))", "POLYGON ((47 8 400, 47 9 400, 48 9 400))", "POLYGON ((47 8, 47 9, 48 9)",
    "LINESTRING (47 8)",
    "LINESTRING (47 8, 48 9, )", "MULTIPOLYGON (((47 8, 47 9, 48 9)))", "CIRCLE (47.5 8.25, 1e999)",
    "CIRCLE (47.5 8.25, --80)",
  ])
  func `an area is read whole or not at all`(area: String) throws {
    let file = try read([area, "CIRCLE (47 8, 80)"])
    #expect(
      file.zones.count == 1 && file.issues.map(\.severity) == [.error] && file.issues.map(\.line) == [1])
  }

  @Test func `what is no geofence, and a calendar, is told`() throws {
    let calendar = try read(["CIRCLE (47 8, 80)"], #","calendarId":4"#)
    #expect(calendar.zones.count == 1 && calendar.issues.map(\.severity) == [.warning])
    #expect(try read(["CIRCLE (47 8, 0)"]).issues.map(\.severity) == [.error])
    for text in ["[]", "[7]", "{}", "7", "[{\"name\":\"x\"}]", "[{", "", "[{\"area\":7}]"] {
      let file = try ZoneFile.read(data: Data(text.utf8), format: .traccar)
      #expect(file.zones.isEmpty && (text.isEmpty || !file.issues.isEmpty), "\(text)")
    }
  }
}

@Suite("Zones from Home Assistant")
struct HomeAssistantZonesTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), name: "configuration.yaml")
  }

  @Test func `the list of zones is read, whatever stands around it`() throws {
    let file = try read(
      (ReadOnlyZoneSamples.files["homeassistant"] ?? "") + "\nlight:\n  - name: Lamp\n    latitude: x\n")
    #expect(file.issues == [] && file.zones.map(\.name) == ["Silo", "Well"])
    #expect(
      file.zones.map(\.size) == [.metres(80), .metres(100)] && file.zones.map { file.lines[$0.id] } == [4, 9])
    for text in [
      "- name: 'It''s'\n  latitude: 47.5\n  longitude: 8.25\n",
      "zone:\n- latitude: \"47.5\"\n  longitude: 8.25\n  name: It's\n",
      "---\r\nzone:\r\n  name: It's # home\r\n  latitude:  47.5\r\n  longitude: 8.25\r\n",
      "zone farm:\n  -\n    name: It's\n    latitude: 47.5\n\n    longitude: 8.25\n    radius: ~\n",
      "zone:\n    # here\n    - name: It's\n      more:\n        - a: 1\n          latitude: 9\n      latitude: 47.5\n      longitude: 8.25\n",
    ] {
      let file = try read(text)
      #expect(
        file.issues == [] && file.zones.map(\.name) == ["It's"] && file.zones.map(\.size) == [.metres(100)],
        "\(text): \(file)")
      #expect(
        file.zones.first?.outline.places == [Coordinate(latitude: .degrees(47.5), longitude: .degrees(8.25))],
        "\(text)")
    }
  }

  @Test func `a value that is more than a plain one leaves its zone out, with the line`() throws {
    for (line, at) in [
      ("latitude: !secret farm", 3), ("latitude: 47.5 N", 2), ("latitude: 47,5", 2), ("latitude: 95", 2),
      ("latitude:", 2), ("x: 1", 2),
      ("latitude: [47.5]", 3), ("latitude: *a", 3), ("latitude: \"47.5", 3), ("latitude 47.5", 3),
      ("latitude:47.5", 3),
      ("latitude: 47 5", 2), ("latitude: 0x2f", 2),
    ] {
      let file = try ZoneFile.read(
        data: Data(
          "zone:\n  - name: A\n    \(line)\n    longitude: 8\n  - name: B\n    latitude: 47\n    longitude: 8\n"
            .utf8),
        format: .homeassistant)
      #expect(file.zones.map(\.name) == ["B"], "\(line)")
      #expect(
        file.issues.map(\.line) == [at] && file.issues.map(\.severity) == [.error], "\(line): \(file.issues)")
    }
    let sizes = try read(
      "- latitude: 47\n  longitude: 8\n  radius: 80 m\n- latitude: 47\n  longitude: 8\n  radius: 8x\n")
    #expect(sizes.zones.map(\.size) == [.metres(80), nil] && sizes.issues.map(\.severity) == [.error])
  }

  @Test func `what is no list of zones is refused`() throws {
    for text in [
      "", "light:\n  - a: 1\n", "zone", "latitude: 1\nlongitude: 2\n", "zone:", "zone: !include zones.yaml\n",
      "zone:\n\t- a: 1\n",
    ] {
      let file = try? ZoneFile.read(data: Data(text.utf8), format: .homeassistant)
      #expect(file?.zones.isEmpty != false && file?.issues.isEmpty != true, "\(text)")
    }
    #expect(ZoneFormat(start: Array("- latitude and longitude: both\n".utf8)) == nil)
  }
}
