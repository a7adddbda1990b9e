import AlarmEngine
import Foundation
import Geometry
import PAD
import TestSupport
import Testing

@testable import Formats

@Suite("Keys that are almost ours")
struct MisspelledKeysTests {
  private func issues(_ key: String, _ value: String = "5") throws -> [ReadIssue] {
    let text =
      #"{"type":"Feature","properties":{"name":"a","\#(key)":\#(value)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let file = try ZoneFile.read(data: Data(text.utf8), format: .geojson)
    #expect(file.zones.count == 1, "\(key): the zone is still read")
    return file.issues
  }

  @Test(arguments: [
    ("alarm_inset", "alarm_inset_m"), ("alarm_alert_distance", "alarm_alert_distance_m"),
    ("alarm_lead_time", "alarm_lead_s"), ("alarm_lead", "alarm_lead_s"),
    ("alarm_lead_time_s", "alarm_lead_s"),
    ("alarm_insert_m", "alarm_inset_m"), ("ALARM_INSET_M", "alarm_inset_m"),
    ("alarm-inset-m", "alarm_inset_m"),
    ("alarmInsetM", "alarm_inset_m"), ("alarm_inset_metres", "alarm_inset_m"),
    ("alarm_asurance", "alarm_assurance"),
    ("alarm_triger", "alarm_trigger"),
    ("alarm_dwell", "alarm_dwell_s"), ("alarm_sleep_time", "alarm_sleep_s"), ("alarm_activ", "alarm_active"),
    ("alam_inset_m", "alarm_inset_m"), ("lead_s", "alarm_lead_s"), ("inset", "alarm_inset_m"),
    ("lead_time", "alarm_lead_s"),
  ])
  func `a mistyped key is an error that names the right one`(key: String, right: String) throws {
    let found = try issues(key)
    try #require(found.count == 1, "\(key): \(found)")
    #expect(found[0].severity == .error && found[0].line == 1)
    #expect(
      found[0].message.contains("\(key) found, which is not known; did you mean \(right)?"),
      "\(found[0].message)")
  }

  @Test func `assurance alone is ours where its value is one of ours`() throws {
    #expect(
      try issues("assurance", "\"Safety\"").first?.message.contains("did you mean alarm_assurance?") == true)
    #expect(try issues("assurance", "\"A+\"") == [])
    #expect(try issues("inset", "\"top left\"") == [])
  }

  @Test(arguments: [
    "alarm_inset_m", "alert_distance", "alarm_distance_m", "radius", "size", "amenity", "alarms", "alarm",
    "emergency",
    "alarmed_since", "code", "TZID", "leads", "sleeps", "dwelling", "type", "edges", "schedule", "priority",
    "active", "a", "",
  ])
  func `right names and those of others are left alone`(key: String) throws {
    #expect(try issues(key) == [], "\(key)")
  }

  @Test func `what begins like ours and is like none of ours is an error without advice`() throws {
    let found = try issues("alarm_telephone_number")
    #expect(found.map(\.severity) == [.error])
    #expect(found[0].message.hasSuffix("alarm_telephone_number found, which is not known"))
  }

  @Test func `every name of the catalogue is known, one letter less is told`() throws {
    for member in ZoneMember.allCases {
      for name in member.propertyNames {
        #expect(ZoneProperties([(name.string, .null)]).mistyped == [], "\(name)")
      }
      let name = member.propertyNames[0].string
      guard name.hasPrefix("alarm_") else { continue }
      let told = ZoneProperties([(String(name.dropLast()), .null)]).mistyped
      #expect(told.count == 1 && told[0].hasSuffix("did you mean \(name)?"), "\(told)")
    }
  }

  @Test func `whatever is typed, nothing breaks`() {
    for seed in Seeds.few(500) {
      var random = SeededGenerator(seed: UInt64(seed))
      let letters = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let key = String(decoding: letters, as: UTF8.self)
      _ = ZoneProperties([(key, .null), ("alarm_\(key)", .null), ("al\(key)", .null)]).mistyped
      _ = PADReader.read(Array("AlertZoneStart\nAlertZone".utf8) + letters)
    }
  }

  @Test func `KML tells them too, once for a placemark of several places`() throws {
    let text = """
      <kml><Placemark><name>a</name><ExtendedData><Data name="alarm_inset"><value>-30</value></Data></ExtendedData>
      <MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point></MultiGeometry>
      </Placemark></kml>
      """
    let file = try ZoneFile.read(data: Data(text.utf8), format: .kml)
    #expect(file.zones.count == 2)
    #expect(
      file.issues.map(\.message) == [
        "zone \"a\": alarm_inset found, which is not known; did you mean alarm_inset_m?"
      ])
  }

  @Test(arguments: [
    ("AlertZoneInsert", "AlertZoneInset"), ("AlertZoneRadius", "AlertZoneSize"),
    ("AlertZoneLead", "AlertZoneLeadTime"),
    ("AlertZoneDistance", "AlertDistance"), ("alertzoneasurance", "AlertZoneAssurance"),
    ("AlertDistence", "AlertDistance"),
    ("Locatin", "Location"), ("Locations", "Location"), ("Alert Zone Inset", "AlertZoneInset"),
  ])
  func `a row of a PAD file that is almost one of ours is an error`(row: String, right: String) {
    let reader = PADReader.read(Array("AlertZoneStart\nLocation,1,1,2\n\(row),-30\nAlertZoneEnd\n".utf8))
    #expect(reader.zones.count == 1 && reader.issues.count == 1, "\(row): \(reader.issues)")
    guard let issue = reader.issues.first else { return }
    #expect(issue.isError && issue.line == 3)
    #expect(
      issue.message.contains("\(row) found, which is not known; did you mean \(right)?"), "\(issue.message)")
    #expect(reader.zones[0].unknownRows == [[Text(row), "-30"]])
  }

  @Test func `rows of other programs are kept in silence`() {
    for row in ["Colour", "Allocation", "AlertZoneOwnerOfTheHouse", "X"] {
      let reader = PADReader.read(Array("AlertZoneStart\nLocation,1,1,2\n\(row),1\nAlertZoneEnd\n".utf8))
      #expect(reader.issues == [], "\(row)")
    }
  }

  @Test func `where no name is, a code serves`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"TZID":"Europe/Paris"},"geometry":{"type":"Point","coordinates":[1,2]}},
      {"type":"Feature","properties":{"code":17,"NAME":""},"geometry":{"type":"Point","coordinates":[1,3]}},
      {"type":"Feature","properties":{"code":"x","description":"Long"},"geometry":{"type":"Point","coordinates":[1,4]}}]}
      """
    let file = try ZoneFile.read(data: Data(text.utf8), format: .geojson)
    #expect(file.zones.map(\.name) == ["Europe/Paris", "17", "Long"])
    #expect(file.zones.map { file.lines[$0.id] } == [2, 3, 4])
  }
}
