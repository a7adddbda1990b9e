import Foundation
import Testing

@testable import Formats

@Suite("KML tracks")
struct KMLTrackReaderTests {
  private func kml(_ body: String) -> String {
    "<kml xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>\n\(body)\n</Document></kml>"
  }

  @Test func `times and places of a track are paired in order, however they are mixed`() {
    #expect(
      story(
        kml(
          """
          <Placemark><TimeStamp><when>2026-11-21T11:00:00Z</when></TimeStamp>
          <Point><coordinates>1,2</coordinates></Point></Placemark>
          <Placemark><gx:MultiTrack><gx:Track>
          <when>2026-11-21T11:32:05Z</when><when>2026-11-21T11:32:06Z</when>
          <gx:coord>8.25 47.5 400</gx:coord><gx:coord>8.25 47.75</gx:coord>
          <gx:angles>90 0 0</gx:angles>
          <ExtendedData><SchemaData><gx:SimpleArrayData name="accuracy"><gx:value>5</gx:value><gx:value>6</gx:value>
          </gx:SimpleArrayData><gx:SimpleArrayData name="heartrate"><gx:value>99</gx:value></gx:SimpleArrayData>
          <gx:SimpleArrayData name="speed"><gx:value>1.5</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData>
          </gx:Track><Track><when>2026-11-21T11:32:07Z</when><coord>8.25 47.5</coord></Track></gx:MultiTrack></Placemark>
          """), as: .kml) == """
          2026-11-21T11:32:05.000Z 47.5,8.25 ±5.0 1.5m/s
          2026-11-21T11:32:06.000Z 47.75,8.25 ±6.0
          2026-11-21T11:32:07.000Z 47.5,8.25
          """)
  }

  @Test func `without tracks, timed places are the fixes`() {
    #expect(
      story(
        kml(
          """
          <Placemark><TimeStamp><when>2026-11-21T11:32:05Z</when></TimeStamp>
          <Point><coordinates>8.25,47.5,0</coordinates></Point></Placemark>
          <Placemark><Point><coordinates>8,47</coordinates></Point></Placemark>
          <Placemark><LineString><coordinates>8,47 9,48</coordinates></LineString></Placemark>
          """), as: .kml) == """
          2026-11-21T11:32:05.000Z 47.5,8.25
          error 5: a line without times found, <gx:Track> expected; it is left out
          """)
  }

  @Test func `surplus times, empty and bad places are left out`() {
    #expect(
      story(
        kml(
          """
          <gx:Track><when>2026-11-21T11:32:05Z</when><when>2026-11-21T11:32:06Z</when><when/><when>noon</when>
          <when>2026-11-21T11:32:07Z</when><when>2026-11-21T11:32:08Z</when>
          <gx:coord/>
          <gx:coord>8.25 97.5</gx:coord>
          <gx:coord>8 47</gx:coord><gx:coord>8 47</gx:coord>
          <gx:coord>8 47</gx:coord></gx:Track>
          """), as: .kml) == """
          2026-11-21T11:32:07.000Z 47.0,8.0
          error 2: a track with 6 times and 5 places found; the surplus is left out
          error 4: a point without a position found, latitude and longitude expected; it is left out
          error 5: latitude 97.5 found, -90 to 90 allowed; the point is left out
          error 6: a point without a time found; it is left out
          error 6: time "noon" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
          """)
  }

  @Test func `a track with a broken tag is left out, one that breaks off keeps its pairs`() {
    let two = "<when>2026-11-21T11:32:05Z</when><gx:coord>8 47</gx:coord><when>2026-11-21T11:32:06Z</when>"
    #expect(
      story(
        kml("<gx:Track>\(two)<gx:coord <when>2026-11-21T11:32:07Z</when></gx:Track><gx:Track>\(two)"),
        as: .kml) == """
          2026-11-21T11:32:05.000Z 47.0,8.0
          error 2: a tag without end found; it is left out
          error 2: a track with a broken tag found, times and places cannot be paired; it is left out
          error 3: </Document> found, </Track> expected
          error 2: a track with 2 times and 1 places found; the surplus is left out
          """)
  }

  @Test func `a file of lines only says that times are missing`() {
    #expect(
      story(kml("<LineString><coordinates>8,47 9,48</coordinates></LineString>"), as: .kml) == """
        the file holds no fix: <gx:Track> with as many <when> as <gx:coord> expected; first issue of 1: line 2: \
        a line without times found, <gx:Track> expected; it is left out
        """)
  }

  @Test func `an archive is read for the document in it, damaged ones are refused`() throws {
    let track = kml("<gx:Track><when>2026-11-21T11:32:05Z</when><gx:coord>8 47</gx:coord></gx:Track>")
    let archive = try ZipArchive.archive([("doc.kml", Array(track.utf8))])
    #expect(story(try TrackFile.read(data: archive, name: "walk.kmz")) == "2026-11-21T11:32:05.000Z 47.0,8.0")
    #expect(story(try TrackFile.read(data: archive)) == "2026-11-21T11:32:05.000Z 47.0,8.0")
    #expect(throws: ReadError.self) { try read(archive.dropLast(30), as: .kmz) }
    #expect(throws: ReadError.self) { try read(try ZipArchive.archive([("a.txt", [65])]), as: .kmz) }
    for place in stride(from: 0, to: archive.count, by: 3) {
      var damaged = archive
      damaged[place] ^= 0x55
      do { _ = try read(damaged, as: .kmz) } catch is ReadError {}
    }
  }

  @Test func `a stay of a day is two positions, and those with a broken time are told`() {
    func stay(_ span: String, _ place: String) -> String {
      "<Placemark><TimeSpan>\(span)</TimeSpan><Point><coordinates>\(place)</coordinates></Point></Placemark>"
    }
    #expect(
      story(
        kml(
          stay("<begin>2026-09-21T08:00:00Z</begin><end>2026-09-21T09:00:00Z</end>", "14.5,46.05,0")
            + stay("<begin>2026-09-21T10:00:00Z</begin>", "14.6,46.05")
            + stay("<begin>morning</begin><end>2026-09-21T12:00:00Z</end>", "14.7,46.05")
            + stay("", "14.8,46.05") + "<begin>2026-09-21T08:00:00Z</begin>"), as: .kml) == """
          2026-09-21T08:00:00.000Z 46.05,14.5
          2026-09-21T09:00:00.000Z 46.05,14.5
          2026-09-21T10:00:00.000Z 46.05,14.6
          2026-09-21T12:00:00.000Z 46.05,14.7
          error 2: time "morning" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
          """)
  }
}
