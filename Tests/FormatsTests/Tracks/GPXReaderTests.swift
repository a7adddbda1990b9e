import Foundation
import Testing

@testable import Formats

@Suite("GPX tracks")
struct GPXReaderTests {
  @Test func `every point with place and time is a fix, in the order of the file, duplicates included`() {
    #expect(
      story(
        """
        <?xml version="1.0"?>
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata><time>2020-01-01T00:00:00Z</time></metadata>
          <wpt lat="1" lon="2"><time>2026-11-21T11:00:00Z</time></wpt>
          <trk><trkseg>
            <trkpt lat="47.5" lon="8.25"><time>2026-11-21T11:32:05Z</time></trkpt>
            <trkpt lat="47.5" lon="8.25"><time>2026-11-21T11:32:05Z</time></trkpt>
          </trkseg><trkseg/></trk>
          <trk><trkseg>
            <trkpt lat="-47.5" lon="-8.25"><ele>400</ele><time>2026-11-21T12:32:04.250+01:00</time></trkpt>
          </trkseg></trk>
        </gpx>
        """, as: .gpx) == """
          2026-11-21T11:32:05.000Z 47.5,8.25
          2026-11-21T11:32:05.000Z 47.5,8.25
          2026-11-21T11:32:04.250Z -47.5,-8.25
          """)
  }

  @Test func `accuracy, speed and course come from extensions, hdop stays hdop`() {
    #expect(
      story(
        """
        <gpx><trk><trkseg>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:05Z</time><hdop>0.9</hdop><extensions>
          <speed>1.5</speed><course>90</course><hAcc>4.5</hAcc><vAcc>3</vAcc></extensions></trkpt>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:06Z</time><extensions><hAcc>-1</hAcc><speed>-1</speed>
          <course>-1</course></extensions></trkpt>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:07Z</time><extensions><tpx:TrackPointExtension>
          <tpx:speed>2.5</tpx:speed><tpx:course>270</tpx:course><x:time>1999-01-01T00:00:00Z</x:time>
          </tpx:TrackPointExtension></extensions></trkpt>
        <trkpt lat="1" lon="2"><speed>3.5</speed><course>180</course><time>2026-11-21T11:32:08Z</time></trkpt>
        </trkseg></trk></gpx>
        """, as: .gpx) == """
          2026-11-21T11:32:05.000Z 1.0,2.0 ±4.5 1.5m/s 90.0° hdop 0.9
          2026-11-21T11:32:06.000Z 1.0,2.0 ±-1.0
          2026-11-21T11:32:07.000Z 1.0,2.0 2.5m/s 270.0°
          2026-11-21T11:32:08.000Z 1.0,2.0 3.5m/s 180.0°
          """)
  }

  @Test func `route points count when they have times and are nothing amiss when they have none`() {
    #expect(
      story(
        """
        <gpx><rte><rtept lat="1" lon="2"><time>2026-11-21T11:32:05Z</time></rtept><rtept lat="1" lon="3"/></rte></gpx>
        """, as: .gpx) == "2026-11-21T11:32:05.000Z 1.0,2.0")
  }

  @Test func `a bad point is left out with its line, the rest is read`() {
    #expect(
      story(
        """
        <gpx><trk><trkseg>
        <trkpt lat="91" lon="2"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lat="1" lon="361"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lat="NaN" lon="2"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lat="1" lon="east"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lon="2"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lat="1" lon="2"></trkpt>
        <trkpt lat="1" lon="2"><time>yesterday</time></trkpt>
        <trkpt lat="1" lon="2"><time>0000-12-31T23:59:59Z</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:05</time><extensions><hAcc>good</hAcc></extensions></trkpt>
        </trkseg></trk></gpx>
        """, as: .gpx) == """
          2026-11-21T11:32:05.000Z 1.0,2.0
          error 2: latitude 91.0 found, -90 to 90 allowed; the point is left out
          error 3: longitude 361.0 found, -360 to 360 allowed; the point is left out
          error 4: latitude "NaN" found, a number of degrees expected; the point is left out
          error 5: longitude "east" found, a number of degrees expected; the point is left out
          error 6: a point without a position found, latitude and longitude expected; it is left out
          error 7: a point without a time found; it is left out
          error 8: time "yesterday" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; \
          the point is left out
          error 9: time "0000-12-31T23:59:59Z" found, the years 0001 to 9999 are allowed; the point is left out
          warning 10: times without a zone found; they are read as UTC
          warning 10: accuracy "good" found, a number of metres expected; taken as unstated
          """)
  }

  @Test func `broken XML costs the points it is in`() {
    #expect(
      story(
        """
        <gpx><trk><trkseg>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:05Z</time></trkpt>
        <trkpt lat="1 lon="2"><time>2026-11-21T11:32:06Z</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:07Z</trkpt>
        <trkpt lat="1" lon="2"><time>2026-11-21T11:32:08Z</time>
        <trkpt lat="1" lon="2" <time>2026-11-21T11:32:09Z</time></trkpt>
        <trkpt lat='1' lon='2'><time>2026-11-21&#x54;11:32:1&#48;Z</time><desc>a > b &amp; &lt;</desc></trkpt><>
        </trkseg></trk>
        <trk><trkseg><trkpt lat="1" lon="2"><time>2026-11-21T11:
        """, as: .gpx) == """
          2026-11-21T11:32:05.000Z 1.0,2.0
          2026-11-21T11:32:07.000Z 1.0,2.0
          2026-11-21T11:32:08.000Z 1.0,2.0
          2026-11-21T11:32:10.000Z 1.0,2.0
          error 3: a tag without end found; it is left out
          error 3: </trkpt> found without a start tag; it is passed over
          error 4: </trkpt> found, </time> expected
          error 6: a tag without end found; it is left out
          error 7: a tag without a name found; it is left out
          error 9: the XML is cut off here
          """)
  }

  @Test func `comments, CDATA and instructions hold no elements`() {
    #expect(
      story(
        """
        <?xml version="1.0"?><?style a="<gpx>"?><!-- <gpx> --><!---->
        <!DOCTYPE gpx [<!ELEMENT gpx (trk)> <!ENTITY a "]>">]>
        <gpx><trk><name><![CDATA[</trk> ]] > ]]]></name><trkseg><!-- > -- > <trkpt lat="1" lon="2"/> -->
        <trkpt lat="1" lon="2"><time><![CDATA[2026-11-21]]>T11:32:05Z<!-- UTC --></time></trkpt></trkseg></trk></gpx>
        """, as: .gpx) == "2026-11-21T11:32:05.000Z 1.0,2.0")
  }

  @Test(arguments: [
    ("", "the file is not XML; <gpx> expected"),
    ("lat,lon,time", "the file is not XML; <gpx> expected"),
    ("<html><body/></html>", "the file: the root element is <html>, <gpx> expected"),
    (
      "<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>",
      "the file holds no fix: <trkpt lat=\"..\" lon=\"..\"> with a <time> expected"
    ),
    (
      "<gpx><trk><trkseg>\n<trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>",
      "the file holds no fix: <trkpt lat=\"..\" lon=\"..\"> with a <time> expected; first issue of 1: line 2: "
        + "a point without a time found; it is left out"
    ),
  ])
  func `a file without a fix says what was expected`(text: String, message: String) {
    #expect(story(text, as: .gpx) == message)
  }

  @Test func `text without end is cut, and that is said`() {
    let time = "2026-11-21T11:32:05Z" + String(repeating: " ", count: 5000)
    let point = "<trkpt lat=\"1\" lon=\"2\"><time>\(time)</time></trkpt>"
    #expect(
      story("<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>", as: .gpx) == """
        2026-11-21T11:32:05.000Z 1.0,2.0
        error 1: text of more than 4096 bytes found; it is cut
        """)
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `any line end counts as one line`(end: String) {
    let lines = ["<gpx>", "<trk><trkseg>", "<trkpt lat=\"1\"", "", "lon=\"2\"/>", "<trkpt"]
    #expect(
      story(lines.joined(separator: end), as: .gpx)
        == "the file holds no fix: <trkpt lat=\"..\" lon=\"..\"> with a <time> expected; "
        + "first issue of 2: line 3: a point without a time found; it is left out")
  }

  @Test func `entities that name files or each other without end are not followed`() {
    let external = story(
      """
      <!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/hostname">]>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><time>&x;2026-11-21T11:32:05Z</time></trkpt></trkseg></trk></gpx>
      """, as: .gpx)
    #expect(external.hasPrefix("2026-11-21T11:32:05.000Z 1.0,2.0") || external.contains("holds no fix"))
    let layers = (1...12).map {
      "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);&l\($0 - 1);&l\($0 - 1);&l\($0 - 1);\">"
    }
    let laughs = story(
      """
      <!DOCTYPE gpx [<!ENTITY l0 "ha">\(layers.joined())]>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><time>&l12;</time></trkpt></trkseg></trk></gpx>
      """, as: .gpx)
    #expect(laughs.contains("holds no fix"))
  }

  @Test func `UTF-16 and Latin-1 files are read`() throws {
    let text = """
      <?xml version="1.0" encoding="ENCODING"?><gpx creator="Zürich"><trk><trkseg>\
      <trkpt lat="1" lon="2"><time>2026-11-21T11:32:05Z</time></trkpt></trkseg></trk></gpx>
      """
    for (encoding, name) in [(String.Encoding.utf16, "UTF-16"), (.isoLatin1, "ISO-8859-1"), (.utf8, "UTF-8")]
    {
      let data = try #require(text.replacing("ENCODING", with: name).data(using: encoding))
      #expect(story(try read(data, as: .gpx)) == "2026-11-21T11:32:05.000Z 1.0,2.0", "\(name)")
    }
  }
}
