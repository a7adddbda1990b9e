import Foundation
import TestSupport
import Testing

@testable import Formats

@Suite("Tables of positions")
struct CSVTrackReaderTests {
  private let plain = """
    2026-11-21T11:32:05.000Z 47.5,8.25
    2026-11-21T11:32:06.000Z 47.5,8.25
    """

  @Test(arguments: [
    "lat,lon,time\n47.5,8.25,2026-11-21T11:32:05Z\n47.5,8.25,2026-11-21T11:32:06Z\n",
    "Longitude;LATITUDE;Timestamp\r\n8,25;47,5;1795260725\r\n8,25;47,5;1795260726,0",
    "at\tlng\tlatitude\r1795260725000\t8.25\t47.5\r1795260726000\t8.25\t47.5\r",
    "\u{feff}\"Lat.\",\"Long\",\"measured_at\"\n\"47.5\",\"8.25\",\"1795260725.000\"\n47.5,8.25,1795260726",
    "Date,Time,Latitude,Longitude\n2026-11-21,11:32:05,47.5,8.25\n2026/11/21,11:32:06,47.5,8.25",
    "Lcl Date, Lcl Time, UTCOfst, Latitude, Longitude\n2026-11-21, 04:32:05, -07:00, 47.5, 8.25\n"
      + "2026-11-21, 13:02:06, +01:30, 47.5, 8.25",
    "# made by hand\n\nlat|lon|tst\n# a remark\n47.5|8.25|20261121113205\n\n47.5|8.25|20261121113206\n",
    "A walk of mine\n\nlatitude_e7,longitude_e7,timestampMs\n475000000,82500000,1795260725000\n"
      + "475000000,82500000,1795260726000",
    "#time,lat,lon\n1795260725,47.5,8.25\n1795260726,47.5,8.25",
  ])
  func `columns are known by many names, delimiters by the header`(table: String) {
    let read = story(table, as: .csv).replacing(
      /\nwarning \d+: times without a zone found; they are read as UTC/, with: "")
    #expect(read == plain)
  }

  @Test func `units come with the name, received times and unknown values too`() {
    #expect(
      story(
        """
        measured_at,written_at,lat,lon,accuracy_m,speed_kmh,bearing_deg,hdop
        1795260725.25,1795260731,1,2,5.5,36,90,0.8
        1795260726,,1,2,-1,-1,-1,
        """, as: .csv) == """
          2026-11-21T11:32:05.250Z 1.0,2.0 ±5.5 10.0m/s 90.0° hdop 0.8 received 2026-11-21T11:32:11.000Z
          2026-11-21T11:32:06.000Z 1.0,2.0 ±-1.0
          """)
    #expect(
      story("at,lat,lon,groundspeed_kt\n1795260725,1,2,100", as: .csv)
        .hasSuffix("\(100 * (1852.0 / 3600))m/s"))
  }

  @Test func `devices are kept apart, each in the order of the file`() {
    #expect(
      story("at,id,lat,lon\n2,7,1,1\n1,9,2,2\n1,7,3,3\n", as: .csv) == """
        [7]
        1970-01-01T00:00:02.000Z 1.0,1.0
        1970-01-01T00:00:01.000Z 3.0,3.0
        [9]
        1970-01-01T00:00:01.000Z 2.0,2.0
        """)
    #expect(
      story("id,vehicle_id,at,lat,lon\n1,Züg,2,1,1\n2,Züg,3,1,1\n", as: .csv) == """
        [Züg]
        1970-01-01T00:00:02.000Z 1.0,1.0
        1970-01-01T00:00:03.000Z 1.0,1.0
        """)
  }

  @Test func `an id that counts rows to the end names no device`() {
    #expect(
      story("id,at,lat,lon\n1,2,1,1\n2,3,1,1\n5,4,1,1\n", as: .csv) == """
        1970-01-01T00:00:02.000Z 1.0,1.0
        1970-01-01T00:00:03.000Z 1.0,1.0
        1970-01-01T00:00:04.000Z 1.0,1.0
        """)
  }

  @Test func `bad rows are left out with their line, the rest is read`() {
    #expect(
      story(
        """
        lat,lon,time,name
        90.5,2,1,
        1,,1,
        x,2,1,
        1,2,21.11.2026 11:32,
        1,2,,
        1
        1,2,1,"two
        lines, \"\"quoted\"\"\"
        1,2,9e99,
        lat,lon,time,name
        1,2,2,
        """, as: .csv) == """
          1970-01-01T00:00:01.000Z 1.0,2.0
          1970-01-01T00:00:02.000Z 1.0,2.0
          error 2: latitude 90.5 found, -90 to 90 allowed; the point is left out
          error 3: a point without a position found, latitude and longitude expected; it is left out
          error 4: latitude "x" found, a number of degrees expected; the point is left out
          error 5: time "21.11.2026 11:32" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; \
          the point is left out
          error 6: a point without a time found; it is left out
          error 7: a point without a position found, latitude and longitude expected; it is left out
          error 10: time "9e99" found, the years 0001 to 9999 are allowed; the point is left out
          """)
  }

  @Test func `a stray quote costs nothing but its own meaning`() throws {
    for count in [3, 200, 2000] {
      let rows = (2...count).map { "1,2,\($0),\n" }.joined()
      let times = try read("lat,lon,time,name\n1,2,1,\"stray\n\(rows)", as: .csv).devices[0].points.map {
        Int($0.fix.measuredAt.millisecondsSince1970 / 1000)
      }
      #expect(times == Array(1...count))
    }
  }

  @Test(arguments: ["", "1,2,3\n4,5,6", "time,place\n1,here", "lat,lon\n1,2"])
  func `a table without the needed columns says what was expected`(table: String) {
    #expect(
      story(table, as: .csv)
        == "the file holds no fix: a header row with latitude, longitude and time (like \"lat,lon,time\") and rows of numbers expected"
    )
  }

  @Test func `issues are listed up to a bound and counted beyond`() throws {
    let file = try read("lat,lon,time\n1,2,3\n" + String(repeating: "x,2,3\n", count: 250), as: .csv)
    #expect(file.issues.count == 101)
    #expect(file.issues.last?.message == "150 more issues; only the first 100 are listed")
  }

  @Test func `UTF-16 and Windows-1252 tables are read`() throws {
    let text = "lat,lon,time,device\n1,2,3,Zürich €\n"
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .windowsCP1252, .utf8] {
      let data = try #require(text.data(using: encoding))
      #expect(
        story(try read(data, as: .csv)) == "[Zürich €]\n1970-01-01T00:00:03.000Z 1.0,2.0", "\(encoding)")
    }
  }

  @Test func `rows of numbers before the header are named, titles and remarks are not`() {
    let told = story(
      """
      My walk, 2026
      2026-11-21T11:32:01Z,47.5,8.25
      2026-11-21T11:32:02Z,47.5,8.25
      time,lat,lon
      2026-11-21T11:32:05Z,47.5,8.25
      """, as: .csv)
    #expect(told.contains("a row of numbers and 1 more found before the header row"), "\(told)")
    #expect(told.contains("11:32:05") && !told.contains("11:32:01"), "\(told)")
    let plain = story("My walk of 3 km\n\ntime,lat,lon\n2026-11-21T11:32:05Z,47.5,8.25", as: .csv)
    #expect(!plain.contains("found before"), "\(plain)")
  }
}
