import AlarmEngine
import Geometry
import PAD
import Testing

@Suite("PAD, reading")
struct PADReaderTests {
  private func read(_ text: String) -> PADReader { PADReader.read(Array(text.utf8)) }
  private func kinds(_ reader: PADReader) -> [PADIssue.Kind] { reader.issues.map { $0.kind } }
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  @Test func `the example of S144 to S156 is read whole`() {
    let reader = read(
      """
      AlertZoneStart,,,
      AlertZoneName,A name,,

      AlertZoneCategory,A Category,,
      AlertZoneActive, 1
      AlertZoneVibrate, 0
      AlertZonePriority,10,,
      AlertZoneSleepTime,50.0,,
      AlertZoneSize,60.0,,
      AlertZoneInset,-30.0,,
      AlertDistance,10.0
      AlertZoneSoundName,homer,,
      Location,1,10.5,123.4
      Location,2,10.6,123.4
      Location,3,10.6,124.4
      AlertZoneEnd,,,

      """)
    #expect(reader.issues == [])
    #expect(reader.zones.count == 1)
    let zone = reader.zones[0]
    #expect(zone.name == "A name" && zone.category == "A Category" && zone.soundName == "homer")
    #expect(zone.active && !zone.vibrate && zone.priority == 10 && zone.sleepTime == .seconds(50))
    #expect(zone.size == .metres(60) && zone.inset == .metres(-30) && zone.alertDistance == .metres(10))
    #expect(zone.outline == .locations([place(10.5, 123.4), place(10.6, 123.4), place(10.6, 124.4)]))
    #expect(zone.edges == .geodesic)
  }

  @Test func `keys match in any case, and rows stand in any order`() {
    let reader = read(
      """
      ALERTZONESTART
      location,2,1,2
      alertzonealertdistance,7
      LOCATION,1,3,4
      AlertZonename,x
      alertzoneend
      """)
    #expect(reader.issues == [])
    #expect(reader.zones[0].alertDistance == .metres(7))
    #expect(reader.zones[0].outline == .locations([place(3, 4), place(1, 2)]))
  }

  @Test func `a zone without its end row is kept`() {
    let reader = read("AlertZoneStart\nLocation,1,1,2\nAlertZoneStart\nLocation,1,3,4\n")
    #expect(reader.zones.count == 2)
    #expect(reader.issues == [PADIssue(line: 3, kind: .missingEnd), PADIssue(line: 4, kind: .missingEnd)])
  }

  @Test func `a zone without a place is refused and the others load`() {
    let reader = read(
      """
      AlertZoneStart
      AlertZoneName,nowhere
      AlertZoneEnd
      AlertZoneStart
      AlertZoneName,somewhere
      Location,1,1,2
      AlertZoneEnd
      """)
    #expect(reader.zones.map { $0.name } == ["somewhere"])
    #expect(reader.issues == [PADIssue(line: 1, zone: "nowhere", kind: .noLocations)])
  }

  @Test(arguments: [
    ("AlertZoneSize,wide", PADIssue.Kind.notANumber(.size, found: "wide")),
    ("AlertZoneSize,NaN", .notANumber(.size, found: "NaN")),
    ("AlertZoneSize,inf", .notANumber(.size, found: "inf")),
    ("AlertZoneSize,-5", .outOfRange(.size, found: -5, allowed: 0.01...10_000_000)),
    ("AlertZoneSize,0", .outOfRange(.size, found: 0, allowed: 0.01...10_000_000)),
    ("AlertZoneSleepTime,-1", .outOfRange(.sleepTime, found: -1, allowed: 0...1e9)),
    ("AlertDistance,-1", .outOfRange(.alertDistance, found: -1, allowed: 0...10_000_000)),
    ("AlertZoneInset,1e300", .outOfRange(.inset, found: 1e300, allowed: -10_000_000...10_000_000)),
    ("AlertZoneActive,maybe", .unknownWord(.active, found: "maybe")),
    ("AlertZonePriority,1.5", .outOfRange(.priority, found: 1.5, allowed: -2_147_483_648...2_147_483_647)),
    ("AlertZoneTrigger,leave,soon", .notANumber(.trigger, found: "soon")),
    ("AlertZoneTrigger,leave,-1", .outOfRange(.trigger, found: -1, allowed: 0...1e9)),
    ("AlertZoneTrigger,sometimes", .unknownWord(.trigger, found: "sometimes")),
    ("AlertZoneID,zebra", .unknownWord(.id, found: "zebra")),
  ])
  func `a value that cannot be used takes its default, and the zone stays armed`(
    row: String, kind: PADIssue.Kind
  ) {
    let reader = read("AlertZoneStart\nAlertZoneName,n\n\(row)\nLocation,1,1,2\nAlertZoneEnd")
    #expect(kinds(reader) == [kind])
    #expect(reader.issues.allSatisfy { $0.isError })
    let zone = reader.zones.first
    #expect(zone?.active == true && zone?.size == nil && zone?.sleepTime == nil)
    #expect(zone?.alertDistance == .zero && zone?.inset == .zero)
  }

  @Test(arguments: [
    ("Location,1,91,2", PADIssue.Kind.outOfRange(.location, found: 91, allowed: -90...90)),
    ("Location,1,NaN,2", .notANumber(.location, found: "NaN")),
    ("Location,1,north,2", .notANumber(.location, found: "north")),
    ("Location,1,4,361", .outOfRange(.location, found: 361, allowed: -360...360)),
    ("Location,1,4", .notANumber(.location, found: "")),
    ("Location,1,46,05,14,50", .notANumber(.location, found: "14")),
  ])
  func `a place that cannot be read is left out with an error`(row: String, kind: PADIssue.Kind) {
    let alone = read("AlertZoneStart\n\(row)\nAlertZoneEnd\nAlertZoneStart\nLocation,1,1,1\nAlertZoneEnd")
    #expect(alone.zones.count == 1)
    #expect(kinds(alone).contains(kind) && kinds(alone).contains(.noLocations))

    let square = "Location,2,0,0\nLocation,3,0,1\nLocation,4,1,1\n"
    let kept = read("AlertZoneStart\n\(row)\n\(square)AlertZoneEnd")
    #expect(kept.zones.first?.outline == .locations([place(0, 0), place(0, 1), place(1, 1)]))
    #expect(kinds(kept).contains(kind))

    let bent = read("AlertZoneStart\n\(row)\nLocation,2,0,0\nLocation,3,0,1\nAlertZoneEnd")
    #expect(bent.zones.isEmpty)
    #expect(kinds(bent).contains(.tooFewLocationsLeft(2)))
  }

  @Test func `semicolons and decimal commas are recognised from the first row, tabs too`() {
    for separator in [";", "\t"] {
      let reader = read(
        "AlertZoneStart,,\nAlertZoneName,n,\nAlertZoneSize,60x5,\nLocation,1,10x5,123x25\nAlertZoneEnd,,"
          .replacing(",", with: separator).replacing("x", with: ","))
      #expect(reader.issues == [])
      #expect(reader.zones.first?.size == .metres(60.5))
      #expect(reader.zones.first?.outline == .locations([place(10.5, 123.25)]))
    }
  }

  @Test func `a comma inside quotes separates, quotes around a value go`() {
    let reader = read(
      "AlertZoneStart\nAlertZoneName,\"a, b\"\n\"AlertZoneCategory\",\"say \"\"so\"\"\"\nLocation,1,1,2\nAlertZoneEnd"
    )
    #expect(reader.zones[0].name == "\"a")
    #expect(reader.zones[0].category == "say \"so\"")
    #expect(kinds(reader) == [.separatorInQuotes, .extraColumns(.name, found: "b\"")])
  }

  @Test func `equal numbers keep the order of the file, gaps are fine`() {
    let reader = read("AlertZoneStart\nLocation,7,1,1\nLocation,7,2,2\nLocation,3,3,3\nAlertZoneEnd")
    #expect(reader.zones[0].outline == .locations([place(3, 3), place(1, 1), place(2, 2)]))
    #expect(kinds(reader) == [.equalLocationNumbers(7)])
  }

  @Test func `unknown rows are kept, rows outside a zone reported`() {
    let reader = read(
      "Title,x\nAlertZoneStart\nAlertZoneColour,red,,dark,,\nLocation,1,1,2\nAlertZoneEnd\nAlertZoneEnd\n")
    #expect(reader.zones[0].unknownRows == [["AlertZoneColour", "red", "", "dark"]])
    #expect(kinds(reader) == [.rowOutsideZone(key: "Title"), .rowOutsideZone(key: "AlertZoneEnd")])
  }

  @Test func `equal zones get different ids, the same in every run`() {
    let zone = "AlertZoneStart\nAlertZoneName,twin\nLocation,1,1,2\nAlertZoneEnd\n"
    let ids = read(zone + zone + zone).zones.map { $0.id }
    #expect(Set(ids).count == 3)
    #expect(ids == read(zone + zone + zone).zones.map { $0.id })
    #expect(ids[0] == read(zone).zones[0].id)
  }

  @Test func `a polygon that closes on itself after two places becomes what is left`() {
    let reader = read("AlertZoneStart\nLocation,1,1,1\nLocation,2,2,2\nLocation,3,1,1\nAlertZoneEnd")
    #expect(reader.zones[0].outline == .locations([place(1, 1), place(2, 2)]))
    #expect(kinds(reader) == [.closingLocationDropped])
  }

  @Test func `three locations that are one place are one`() {
    let reader = read("AlertZoneStart\nLocation,1,1,1\nLocation,2,1,1\nLocation,3,1,1\nAlertZoneEnd")
    #expect(reader.zones[0].outline == .locations([place(1, 1)]))
    #expect(kinds(reader) == [.closingLocationDropped])
    #expect(PADReader.read(PADWriter.write(reader.zones).bytes).zones == reader.zones)
  }

  @Test func `a file without a zone says so`() {
    #expect(kinds(read("")) == [.noZones])
    #expect(kinds(read("\u{1}\u{2}\u{3}\n")).last == .noZones)
  }
}
