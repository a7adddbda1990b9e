import AlarmEngine
import Foundation
import Geometry
import PAD
import TestSupport
import Testing

@testable import Formats

@Suite("Zone files with extreme numbers")
struct ZoneFileNumbersTests {
  @Test(arguments: ZoneFormat.allCases.filter { $0 != .kmz })
  func `whatever is read has an area and numbers in range`(format: ZoneFormat) throws {
    for seed in Seeds.few(25) {
      var random = SeededGenerator(seed: UInt64(seed))
      let zones = (0..<2).map { _ in ZoneSamples.zone(&random) }
      let valid =
        try ReadOnlyZoneSamples.files[format.rawValue].map { Array($0.utf8) }
        ?? Array(format.encode(zones).data)
      let bytes = random.withExtremeNumbers(valid)
      guard let file = try? ZoneFile.read(data: Data(bytes), format: format) else { continue }
      for zone in file.zones {
        #expect((try? zone.shape(defaultRadius: .metres(50))) != nil, "seed \(seed)")
      }
    }
  }

  @Test(arguments: ZoneMember.allCases.filter { $0.number != nil && $0 != .dwell })
  func `a number is read under each of its names, the first of several`(member: ZoneMember) throws {
    func read(_ properties: [(String, Int64)]) throws -> Zone {
      let feature = JSONValue.object([
        ("type", .string("Feature")), ("properties", .object(properties.map { ($0, .integer($1)) })),
        (
          "geometry",
          .object([("type", .string("Point")), ("coordinates", .array([.integer(11), .integer(47)]))])
        ),
      ])
      let file = try ZoneFile.read(data: Data(feature.text.utf8), format: .geojson)
      #expect(file.issues.isEmpty)
      return try #require(file.zones.first)
    }
    func number(_ zone: Zone) -> Double? {
      switch member {
      case .priority: Double(zone.priority)
      case .sleepTime: zone.sleepTime?.seconds
      case .size: zone.size?.metres
      case .inset: zone.inset.metres
      case .alertDistance: zone.alertDistance.metres
      case .leadTime: zone.leadTime?.seconds
      case .floor: zone.floor?.metres
      case .ceiling: zone.ceiling?.metres
      default: nil
      }
    }
    let names = member.propertyNames.map(\.string)
    for name in names { #expect(number(try read([(name, 41)])) == 41, "\(name)") }
    let all = names.enumerated().map { ($1, Int64($0 + 42)) }
    #expect(number(try read(all.reversed())) == 42)
  }

  @Test func `an offset beyond all time zones is left out with a word, in PAD and in GeoJSON`() throws {
    for seconds in ["172800", "-172800", "93600", "-9223372036854775808"] {
      let pad = """
        AlertZoneStart
        AlertZoneName,Site
        Location,1,47.5,11
        AlertZoneTimeZone,Europe/Berlin
        AlertZoneWindow,12345,480,1020
        AlertZoneOffset,0,\(seconds)
        AlertZoneEnd
        """
      let read = PADReader.read(Array(pad.utf8))
      #expect(read.zones.first?.schedule?.offsets == [])
      #expect(read.issues.count == 1 && read.issues.allSatisfy { $0.isError })
      let json = """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[11,47.5]},"properties":{"name":"Site",
        "alarm_schedule":{"time_zone":"Europe/Berlin","windows":[],"offsets":[[0,\(seconds)]]}}}
        """
      let file = try ZoneFile.read(data: Data(json.utf8), format: .geojson)
      #expect(file.zones.first?.schedule?.offsets == [])
      #expect(file.issues.count == 1)
    }
  }
}
