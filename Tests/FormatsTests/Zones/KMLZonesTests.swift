import AlarmEngine
import CZlib
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Zones from KML and KMZ")
struct KMLZonesTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), format: .kml)
  }

  @Test func `folders name categories, multi-geometries one zone`() throws {
    let file = try read(
      """
      <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Sites</name>
      <Placemark id="p1"><name> Pit &amp; quarry </name><MultiGeometry>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 9,0,5 9,9 0,0</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>4,1 5,1 5,2 4,1</coordinates></LinearRing></innerBoundaryIs></Polygon>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>20,0 29,0 29,9</coordinates></LinearRing></outerBoundaryIs></Polygon>
      </MultiGeometry></Placemark></Folder>
      <Placemark><name>Line</name><LineString><coordinates>1,2
        3,4</coordinates></LineString></Placemark>
      <Placemark><name>Ring</name><LinearRing><coordinates>1,2 3,4 5,2 1,2</coordinates></LinearRing></Placemark>
      <Placemark><name>Spot</name><ExtendedData><Data name="radius"><value>70</value></Data></ExtendedData>
        <Point><coordinates>1,2,0</coordinates></Point></Placemark>
      <Placemark><name>Nowhere</name></Placemark>
      </Document></kml>
      """)
    #expect(file.zones.map { $0.name } == ["Pit & quarry", "Line", "Ring", "Spot"])
    #expect(file.zones.map { $0.category } == ["Sites", "", "", ""])
    guard case .area(let polygon) = file.zones[0].outline else {
      Issue.record("no area")
      return
    }
    #expect(polygon.parts.map { $0.holes.count } == [1, 0])
    #expect(file.zones[3].size == .metres(70))
    #expect(file.issues.map { $0.message } == ["zone \"Nowhere\": no place found; it is left out"])
  }

  @Test func `broken XML keeps what came before`() throws {
    let file = try read(
      "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark><Placemark><Point>")
    #expect(file.zones.count == 1 && file.issues.count == 1)
    #expect(throws: ReadError.self) { try read("<html></html>") }
    #expect(throws: ReadError.self) { try read("") }
  }

  @Test func `bytes that are not UTF-8 are read as Windows-1252, also in the name of an entity`() throws {
    let text = "<kml><Placemark><name>a~b</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    let bytes = Array((text + "<Placemark><name>&~;</name></Placemark></kml>").utf8).map {
      $0 == 126 ? 0xff : $0
    }
    let file = try ZoneFile.read(data: Data(bytes), format: .kml)
    #expect(file.zones.map { $0.name } == ["a\u{ff}b"] && file.issues.isEmpty == false)

    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\(text)</kml>".utf8).map {
      $0 == 126 ? 0xfc : $0
    }
    #expect(try ZoneFile.read(data: Data(latin), format: .kml).zones.map { $0.name } == ["a\u{fc}b"])
  }

  @Test func `reads on after mistakes, and names their lines`() throws {
    let file = try read(
      """
      <kml><Document><Placemark><name>A&nbsp;&eacute;&unknown; & B</name><Point><coordinates>1,2</coordinates></Point>
      </Placemark>
      <Placemark><name>No end</name><Point><coordinates>3,4</coordinates></Point>
      <Placemark><name>Broken</name><Style <br/><Point><coordinates>5,6</coordinates></Point></Placemark>
      </Folder><Placemark><name><![CDATA[<b>]]></name><Point><coordinates>7,8</coordinates></Point></Placemark>
      </Document></kml>
      """)
    #expect(file.zones.map { $0.name } == ["A\u{a0}\u{e9}&unknown; & B", "No end", "Broken", "<b>"])
    #expect(
      file.issues.map { "\($0.line ?? 0) \($0.message)" } == [
        "4 a tag without end found; it is left out",
        "4 zone \"Broken\": has a broken tag; its shape may be another than meant",
        "5 </Folder> found without a start tag; it is passed over",
        "6 </Document> found, </Placemark> expected",
      ])
  }

  @Test func `a placemark that breaks off is left out`() throws {
    for text in [
      "<Placemark><Point><coordinates>1,2 3",
      "<Placemark><Point><coordinates>1,2</coordinates></Point></Placem",
      "<Placemark><!-- ", "<Placemark><![CDATA[",
    ] {
      let file = try read("<kml>\n" + text)
      #expect(file.zones.isEmpty && file.issues == [ReadIssue(.error, line: 2, "the XML is cut off here")])
    }
  }

  @Test func `bytes that are no text may stand in a comment`() throws {
    let text = "<kml><!-- ~&~; --><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
    let file = try ZoneFile.read(data: Data(text.utf8.map { $0 == 126 ? 0xff : $0 }), format: .kml)
    #expect(file.zones.count == 1 && file.issues == [])
  }

  @Test func `UTF-16 is read, an encoding we do not know is named`() throws {
    let text =
      "<kml><Placemark><name>é😀</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
      let file = try ZoneFile.read(data: try #require(text.data(using: encoding)), name: "a.kml")
      #expect(file.zones.map { $0.name } == ["é😀"] && file.issues == [], "\(encoding)")
    }
    let file = try read("<?xml version='1.0' encoding='KOI8-R'?>" + text)
    #expect(file.zones.count == 1)
    #expect(
      file.issues == [
        ReadIssue(
          .warning, line: 1,
          "encoding \"KOI8-R\" found, UTF-8, UTF-16 and Windows-1252 allowed; "
            + "letters beyond ASCII may be misread")
      ])
  }

  @Test func `entities are neither fetched nor multiplied without bound`() throws {
    var text =
      "<?xml version=\"1.0\"?><!DOCTYPE kml [<!ENTITY a0 \"aaaaaaaaaa\"><!ENTITY x SYSTEM \"file:///etc/passwd\">"
    for level in 1...12 {
      text += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
    }
    text += "]><kml><Placemark><name>&x;</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    text += "<Placemark><name>&a12;</name></Placemark></kml>"
    let file = try? read(text)
    #expect(file?.zones.contains { $0.name.string.contains("root:") } != true)
  }

  @Test func `a damaged archive is refused`() throws {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 5), name: "x",
      outline: .locations([Coordinate(latitude: .degrees(1), longitude: .degrees(2))]))
    let archive = try ZoneFormat.kmz.encode([zone]).data
    #expect(try ZoneFile.read(data: archive).zones == [zone])
    #expect(throws: ReadError.self) {
      try ZoneFile.read(data: archive.prefix(archive.count - 30), format: .kmz)
    }
    var damaged = archive
    damaged[14] ^= 1  // The checksum in the local header is ignored, the one in the directory is checked.
    #expect(try ZoneFile.read(data: damaged).zones == [zone])
    let directory = try #require(archive.range(of: Data([0x50, 0x4b, 1, 2])))
    damaged[directory.lowerBound + 16] ^= 1
    #expect(throws: ReadError.self) { try ZoneFile.read(data: damaged) }
  }

  @Test func `an archive without files, or with an empty one, is refused`() throws {
    #expect(throws: ReadError.self) { try ZoneFile.read(data: Data(), format: .kmz) }
    #expect(throws: ReadError.self) { try ZoneFile.read(data: try ZipArchive.archive([]), format: .kmz) }
    let empty = try ZipArchive.archive([("doc.kml", [])])
    #expect(throws: ReadError.self) { try ZoneFile.read(data: empty, format: .kmz) }
  }

  @Test func `an archive of one content is the same archive each time`() throws {
    let files: [(name: String, contents: [UInt8])] = [("a.kml", [1, 2, 3]), ("Grün.png", [])]
    let archive = try ZipArchive.archive(files)
    #expect(try ZipArchive.archive(files) == archive)
    #expect(try ZipArchive(Array(archive)).entries.map(\.name) == ["a.kml", "Grün.png"])
  }

  @Test func `of several documents in an archive doc.kml is read, and that is said`() throws {
    func placemark(_ name: String) -> [UInt8] {
      Array(
        "<kml><Placemark><name>\(name)</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
          .utf8)
    }
    let archive = try ZipArchive.archive([
      ("icon.png", [1, 2]), ("other.kml", placemark("other")), ("doc.kml", placemark("main")),
    ])
    let file = try ZoneFile.read(data: archive, name: "a.kmz")
    #expect(file.zones.map { $0.name } == ["main"])
    #expect(
      file.issues == [ReadIssue(.warning, "2 KML files in the archive found; only doc.kml is read")])
  }

  @Test func `what unzips without end is stopped`() throws {
    var size = compressBound(1 << 22)
    var zeros = [UInt8](repeating: 0, count: Int(size))
    #expect(compress(&zeros, &size, [UInt8](repeating: 0, count: 1 << 22), 1 << 22) == Z_OK)
    let inflater = try GzipInflater(limit: 1 << 20)
    #expect(throws: ReadError.self) { try inflater.inflate(zeros[..<Int(size)]) }
  }

  @Test func `an archive made to unzip to a thousand times its size is refused before it costs anything`()
    throws
  {
    let head = "<?xml version=\"1.0\"?><kml><Document>"
    let bomb = try ZipArchive.archive([
      ("doc.kml", Array(head.utf8) + [UInt8](repeating: 32, count: 64 << 20))
    ])
    #expect(bomb.count < 1 << 20)
    var message = ""
    let clock = ContinuousClock()
    let took = clock.measure {
      do {
        _ = try ZoneFile.read(data: bomb, name: "a.kmz")
      } catch { message = "\(error)" }
    }
    #expect(message.contains("unzips to more than the maximum of 16777216 bytes"), "\(message)")
    #expect(took < .seconds(10))
    // Maps drawn by people are never compressed as much.
    #expect(KMZDocument.unzippedLimit(packed: 1000) == 16 << 20)
    #expect(KMZDocument.unzippedLimit(packed: 1 << 20) == 100 << 20)
    #expect(KMZDocument.unzippedLimit(packed: 64 << 20) == 256 << 20)
  }
}
