import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats

@Suite("What other programs say of zones")
struct ForeignMembersTests {
  private let text = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"abc-1","properties":{"name":"a","title":"A","radius":75,"alarm_inset":-5,"foo":"b<a>r & \\"c\\"","nested":{"a":[1,2.5,null,true]}},"geometry":{"type":"Point","coordinates":[13,53]}},
    {"type":"Feature","id":7,"properties":{"name":"b","empty":null},"geometry":{"type":"Point","coordinates":[14,53]}},
    {"type":"Feature","id":"two","properties":{"name":"c","shared":1},"geometry":{"type":"MultiPoint","coordinates":[[15,53],[16,53]]}},
    {"type":"Feature","id":"00000000000000aa","properties":{"name":"d"},"geometry":{"type":"Point","coordinates":[17,53]}}
    ]}
    """

  private func read(_ bytes: Data, _ format: ZoneFormat) throws -> ZoneFile {
    try ZoneFile.read(data: bytes, format: format, keepsForeign: true)
  }

  private func members(_ file: ZoneFile) -> [[String]] {
    file.zones.map { zone in
      let members = file.foreign[zone.id]
      return [members?.id?.text ?? "-"]
        + (members?.properties ?? []).map { "\($0.0)=\($0.1.string ?? $0.1.text)" }.sorted()
    }
  }

  @Test func `from GeoJSON to GeoJSON ids and properties stay, and mean no other zone`() throws {
    let file = try read(Data(text.utf8), .geojson)
    #expect(
      members(file) == [
        [#""abc-1""#, "alarm_inset=-5", #"foo=b<a>r & "c""#, #"nested={"a":[1,2.5,null,true]}"#, "title=A"],
        ["7", "empty=null"], ["-", "shared=1"], ["-", "shared=1"], ["-"],
      ])
    let (data, issues) = try ZoneFormat.geojson.encode(file.zones, keeping: file.foreign)
    #expect(issues == [])
    let again = try read(data, .geojson)
    #expect(
      again.zones.map(\.id) == file.zones.map(\.id) && again.zones.map(\.draft) == file.zones.map(\.draft))
    #expect(members(again) == members(file))
    #expect(again.issues.count == 1, "the mistyped key is still told")
  }

  @Test func `KML keeps them as text, and an id that XML allows`() throws {
    let file = try read(Data(text.utf8), .geojson)
    let (data, issues) = try ZoneFormat.kml.encode(file.zones, keeping: file.foreign)
    #expect(issues.map(\.message) == ["an id of another program left out: KML cannot store them"])
    let again = try read(data, .kml)
    #expect(again.zones.map(\.name) == file.zones.map(\.name))
    #expect(again.zones[0].id == file.zones[0].id)
    #expect(members(again)[0] == members(file)[0])
    let back = try ZoneFormat.geojson.encode(again.zones, keeping: again.foreign)
    #expect(try members(read(back.data, .geojson))[0] == members(file)[0])
  }

  @Test func `formats without a place for them say what is left out`() throws {
    let file = try read(Data(text.utf8), .geojson)
    for format in [ZoneFormat.pad, .owntracks] {
      let left = try format.encode(file.zones, keeping: file.foreign).issues.map(\.message).last
      #expect(
        left?.hasPrefix("properties of other programs (") == true && left?.contains("\"foo\"") == true
          && left?.hasSuffix("and 2 ids of other programs left out: \(format.rawValue) cannot store them")
            == true,
        "\(left ?? "nothing")")
    }
  }

  @Test func `they cost nothing where nobody asks`() throws {
    #expect(try ZoneFile.read(data: Data(text.utf8), format: .geojson).foreign.isEmpty)
  }
}
