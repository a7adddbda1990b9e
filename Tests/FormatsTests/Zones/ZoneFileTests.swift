import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Zone files")
struct ZoneFileTests {
  @Test(arguments: [ZoneFormat.pad, .geojson, .kml, .kmz])
  func `whatever is written is read back equal`(format: ZoneFormat) throws {
    for seed in UInt64(0)..<60 {
      var generator = SeededGenerator(seed: seed)
      let zones = (0..<4).map { _ in ZoneSamples.zone(&generator) }
      let (data, issues) = try format.encode(zones)
      let file = try ZoneFile.read(data: data, format: format)
      #expect(issues == [] && file.issues == [], "seed \(seed)")
      #expect(file.zones == zones, "seed \(seed)")
      if file.zones != zones { return }
    }
  }

  @Test(arguments: [ZoneFormat.pad, .geojson, .kml, .kmz])
  func `the content tells the format where the name does not`(format: ZoneFormat) throws {
    var generator = SeededGenerator(seed: 1)
    let zones = [ZoneSamples.zone(&generator)]
    let data = try format.encode(zones).data
    #expect(try ZoneFile.read(data: data, name: "mail-attachment").zones == zones)
  }

  @Test func `a file that looks like nothing is refused`() {
    #expect(throws: ReadError.self) { try ZoneFile.read(data: Data([1, 2, 3]), name: "x.bin") }
    #expect(throws: ReadError.self) {
      try ZoneFile.read(contentsOf: URL(fileURLWithPath: "/nowhere/at/all.pad"))
    }
  }

  @Test func `reading stops when told to`() throws {
    let data = Data("AlertZoneStart\nLocation,1,1,2\nAlertZoneEnd\n".utf8)
    #expect(throws: CancellationError.self) {
      try ZoneFile.read(data: data, format: .pad, progress: { _, _ in false })
    }
  }

  @Test func `gzip is unzipped on the way`() throws {
    // printf 'AlertZoneStart\nLocation,1,1,2\nAlertZoneEnd\n' | gzip -9n | base64
    let data = try #require(
      Data(
        base64Encoded:
          "H4sIAAAAAAACA3PMSS0qicrPSw0uSSwq4fLJT04syczP0zEEQiMuR5isa14KFwCj8Lz4KwAAAA=="))
    #expect(try ZoneFile.read(data: data, name: "a.pad.gz").zones.count == 1)
    #expect(throws: ReadError.self) { try ZoneFile.read(data: data.prefix(30), name: "a.pad.gz") }
  }
}
