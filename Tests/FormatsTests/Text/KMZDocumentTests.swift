import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Documents of a KMZ archive")
struct KMZDocumentTests {
  private func link(_ addresses: [String]) -> String {
    addresses.map { "<NetworkLink><name>n</name><Link><href>\($0)</href></Link></NetworkLink>" }.joined()
  }
  private func place(_ name: String) -> String {
    "<Placemark><name>\(name)</name><Point><coordinates>8,47</coordinates></Point></Placemark>"
  }
  private func archive(_ files: [(String, String)]) throws -> Data {
    try ZipArchive.archive(files.map { ($0, Array("<kml><Document>\($1)</Document></kml>".utf8)) })
  }
  private func names(_ file: ZoneFile) -> [String] { file.zones.map(\.name.string) }

  @Test func `documents that are linked to are read once each, after the one that links`() throws {
    let data = try archive([
      ("files/One.kml", place("One") + link(["../doc.kml", "two%20b.kml", "./One.kml#top", "#here"])),
      ("files/Two b.kml", place("Two") + link(["/doc.kml", "sub\\three.kml"])),
      ("files/sub/three.kml", place("Three")),
      ("doc.kml", place("Zero") + link(["files/one.kml", "files/One.kml?x=1", "files/One.kml"])),
    ])
    let file = try ZoneFile.read(data: data, format: .kmz)
    #expect(names(file) == ["Zero", "One", "Two", "Three"] && file.issues == [])
  }

  @Test func `links that lead nowhere, abroad or to other things are told with their line`() throws {
    let data = try archive([
      (
        "doc.kml",
        place("Zero") + "\n"
          + link(["gone.kml", "https://example.com/a.kml", "a.png", "", "../../../etc/passwd"])
      ),
      ("a.png", ""), ("spare.kml", place("Spare")),
    ])
    let file = try ZoneFile.read(data: data, format: .kmz)
    #expect(names(file) == ["Zero"])
    #expect(
      file.issues == [
        ReadIssue(.error, line: 2, "a link to \"gone.kml\" found, which is no KML file in the archive"),
        ReadIssue(
          .warning, line: 2,
          "a link to \"https://example.com/a.kml\" found, which is not in the archive and is not read"),
        ReadIssue(.error, line: 2, "a link to \"a.png\" found, which is no KML file in the archive"),
        ReadIssue(
          .error, line: 2, "a link to \"../../../etc/passwd\" found, which is no KML file in the archive"),
        ReadIssue(.warning, "2 KML files in the archive found; only doc.kml is read"),
      ])
  }

  @Test func `a mistake in a document names the document, and the others are read`() throws {
    let data = try ZipArchive.archive([
      ("doc.kml", Array("<kml>\(link(["a.kml", "b.kml", "c.kml", "d.kml"]))</kml>".utf8)),
      ("a.kml", Array("<html>\n</html>".utf8)),
      ("b.kml", Array("<kml><Folder><name>B</name><Placemark><Point>".utf8)),
      ("c.kml", []), ("d.kml", Array("<kml>\n\(place("D"))<Placemark><name>E</name></Placemark></kml>".utf8)),
      ("e.kml", Array("<kml>\(place("E"))</kml>".utf8)),
    ])
    let file = try ZoneFile.read(data: data, format: .kmz)
    #expect(names(file) == ["D"] && file.zones.map(\.category) == [""])
    let messages = file.issues.map(\.message)
    #expect(
      messages.map { String($0.prefix(7)) } == ["a.kml: ", "b.kml: ", "c.kml: ", "d.kml: ", "6 KML f"],
      "\(messages)")
    #expect(messages.last?.hasSuffix("only doc.kml and those that it links to are read, 5 in all") == true)
    #expect(file.issues[3].line == 2)
    // The first document cannot be read at all.
    let broken = try ZipArchive.archive([("doc.kml", Array("<html/>".utf8)), ("a.kml", Array("<kml/>".utf8))])
    #expect(throws: ReadError.self) { try ZoneFile.read(data: broken, format: .kmz) }
  }

  @Test func `so many documents are read, and all together unzip to so much`() throws {
    let most = KMZDocument.maximumDocuments
    var files = [("doc.kml", link((0..<most + 5).map { "\($0).kml" }))]
    files += (0..<most + 5).map { ("\($0).kml", place("\($0)")) }
    let many = try ZoneFile.read(data: try archive(files), format: .kmz)
    #expect(many.zones.count == most - 1 && many.issues.count == 7)
    // Each is below the limit for one document.
    let blanks = String(repeating: " ", count: 6 << 20)
    let bombs = (0..<5).map { ("\($0).kml", blanks + place("\($0)")) }
    let file = try ZoneFile.read(
      data: try archive([("doc.kml", link((0..<5).map { "\($0).kml" }))] + bombs), format: .kmz)
    #expect(file.zones.count == 2 && file.issues.count == 3, "\(file.issues)")
    #expect(file.issues.allSatisfy { $0.message.contains("unzips to more than") })
  }

  @Test func `a document outside an archive tells the links that it does not follow`() throws {
    let text =
      "<kml>\n\(link(["https://example.com/a.kml"]))<NetworkLink><Url><href> b.kml </href></Url></NetworkLink>"
      + "<GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay></kml>"
    let file = try ZoneFile.read(data: Data(text.utf8), format: .kml)
    #expect(
      file.issues == [
        ReadIssue(
          .warning, line: 2,
          "a link to \"https://example.com/a.kml\" found, which is not read: only this document is"),
        ReadIssue(.warning, line: 2, "a link to \"b.kml\" found, which is not read: only this document is"),
      ])
  }

  @Test func `tracks of documents that are linked to are read likewise`() throws {
    func track(_ second: Int) -> String {
      "<Placemark><Track><when>2031-05-02T07:00:0\(second)Z</when><coord>8 47 0</coord></Track></Placemark>"
    }
    let data = try archive([
      ("doc.kml", link(["a.kml", "b.kml", "c.kml"])), ("a.kml", track(1)),
      ("b.kml", "<Placemark><Track><when>"), ("c.kml", track(2)),
    ])
    let file = try TrackFile.read(data: data, name: "walk.kmz")
    #expect(file.devices.map(\.points.count) == [2])
    #expect(file.issues.allSatisfy { $0.message.hasPrefix("b.kml: ") } && !file.issues.isEmpty)
    let linking = Data("<kml>\(link(["a.kml"]))</kml>".utf8)
    #expect {
      try TrackFile.read(data: linking, name: "walk.kml")
    } throws: {
      "\($0)".contains("a link to \"a.kml\" found")
    }
  }
}
