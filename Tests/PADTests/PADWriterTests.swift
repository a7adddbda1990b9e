import AlarmEngine
import Geometry
import PAD
import TestSupport
import Testing

@Suite("PAD, writing")
struct PADWriterTests {
  @Test func `the rows of S144 to S156 come in their order and spelling`() {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 1), name: "A name", category: "A Category", active: true, vibrate: false,
      priority: 10,
      sleepTime: .seconds(50), size: .metres(60), inset: .metres(-30), alertDistance: .metres(10),
      soundName: "homer",
      outline: .locations([Coordinate(latitude: .degrees(10.5), longitude: .degrees(123.4))]))
    let writer = PADWriter.write([zone])
    #expect(writer.issues == [])
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        AlertZoneStart
        AlertZoneName,A name
        AlertZoneCategory,A Category
        AlertZoneActive,1
        AlertZoneVibrate,0
        AlertZonePriority,10
        AlertZoneSleepTime,50.0
        AlertZoneSize,60.0
        AlertZoneInset,-30.0
        AlertDistance,10.0
        AlertZoneSoundName,homer
        Location,1,10.5,123.4
        AlertZoneID,0000000000000001
        AlertZoneEnd

        """)
  }

  @Test func `a comma in a name is written as a semicolon, and said`() {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 1), name: " \"a, b\"\n",
      outline: .locations([Coordinate(latitude: .degrees(1), longitude: .degrees(2))]),
      unknownRows: [["AlertZoneEnd"], ["Colour", "red, dark"]])
    let writer = PADWriter.write([zone])
    #expect(
      writer.issues.map { $0.kind } == [
        .textChanged(.name, written: "'a; b'"), .unknownRowLeftOut("AlertZoneEnd"),
        .textChanged(nil, written: "red; dark"),
      ])
    let reader = PADReader.read(writer.bytes)
    #expect(reader.issues == [] && reader.zones.map { $0.name } == ["'a; b'"])
  }

  @Test func `whatever is written is read back equal`() {
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed)
      let zones = (0..<5).map { _ in ZoneSamples.zone(&generator) }
      let writer = PADWriter.write(zones)
      let reader = PADReader.read(writer.bytes)
      #expect(writer.issues == [] && reader.issues == [], "seed \(seed)")
      #expect(reader.zones == zones, "seed \(seed)")
      if reader.zones != zones { return }
    }
  }

  @Test func `zones and bytes handed out piece by piece are those of the whole`() {
    var generator = SeededGenerator(seed: 7)
    let zones = (0..<12).map { _ in ZoneSamples.zone(&generator) }
    var writer = PADWriter()
    var reader = PADReader()
    var read: [Zone] = []
    var written: [UInt8] = []
    for zone in zones {
      writer.append(zone)
      let bytes = writer.takeBytes()
      written += bytes
      reader.feed(bytes[...])
      read += reader.takeZones()
    }
    reader.finish()
    #expect(read + reader.takeZones() == zones)
    #expect(written == PADWriter.write(zones).bytes)
    #expect(reader.zones.isEmpty && writer.takeBytes().isEmpty)
  }
}
