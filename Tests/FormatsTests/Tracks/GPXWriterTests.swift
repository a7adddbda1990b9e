import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("GPX written")
struct GPXWriterTests {
  @Test(arguments: UInt64(1)...20) func `reads back as it was`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let points = (0..<50).map { _ in point(&random) }
    let written = TrackFile(devices: [TrackFile.Device(name: "", points: points)], issues: []).gpx()
    let back = try read(written, as: .gpx)
    #expect(back.devices.map(\.points) == [points], "seed \(seed)")
    // Random times may look like those of a receiver with a week rollover.
    #expect(back.issues.allSatisfy { $0.message.contains("weeks too early") })
  }

  private func point(_ random: inout SeededGenerator) -> TrackFile.Point {
    let scale = [1, 1e-3, 1e-7][Int(random.next() % 3)]
    let measured = Instant(millisecondsSince1970: Int64(random.double(in: -6e13...2e14)))
    return TrackFile.Point(
      fix: Fix(
        position: Coordinate(
          latitude: .degrees(random.double(in: -90...90) * scale),
          longitude: .degrees(random.double(in: -180...180) * scale)),
        accuracy: random.next() % 2 == 0 ? .unstated : .radius(.metres(random.double(in: -1...5000) * scale)),
        measuredAt: measured, receivedAt: random.next() % 2 == 0 ? nil : measured + .seconds(7),
        speed: random.next() % 2 == 0 ? nil : .metresPerSecond(random.double(in: 0...90) * scale),
        course: random.next() % 2 == 0 ? nil : .degrees(random.double(in: 0...360) * scale),
        altitude: random.next() % 2 == 0 ? nil : random.altitude()),
      hdop: random.next() % 2 == 0 ? nil : random.double(in: 0...50))
  }

  @Test func `an altitude is an elevation before the time, as the schema orders it`() throws {
    let fix = Fix(
      position: Coordinate(latitude: .degrees(46), longitude: .degrees(14)), accuracy: .unstated,
      measuredAt: Instant(millisecondsSince1970: 5),
      altitude: Altitude(metres: 298.5, error: 4, reference: .seaLevel))
    let point = TrackFile.Point(fix: fix)
    let text = TrackFile(devices: [.init(name: "", points: [point])], issues: []).gpx()
    #expect(text.contains("\"><ele>298.5</ele><time>"))
    #expect(text.contains("<vAcc>4</vAcc><eleReference>sea_level</eleReference></extensions>"))
    #expect(try read(text, as: .gpx).devices.map(\.points) == [[point]])
  }

  @Test func `names every device and escapes what XML keeps for itself`() throws {
    let fix = Fix(
      position: Coordinate(latitude: .degrees(1e-7), longitude: .degrees(-180)), accuracy: .unstated,
      measuredAt: Instant(millisecondsSince1970: 5))
    let point = TrackFile.Point(fix: fix)
    let file = TrackFile(
      devices: [
        TrackFile.Device(name: "<A & \"B\">\u{1}", points: [point]),
        TrackFile.Device(name: "C", points: [point]),
      ], issues: [])
    let text = file.gpx()
    #expect(text.contains("<name>&lt;A &amp; &quot;B&quot;&gt;</name>"))
    #expect(text.contains("lat=\"0.0000001\" lon=\"-180\"><time>1970-01-01T00:00:00.005Z</time></trkpt>"))
    #expect(try read(text, as: .gpx).devices.map(\.points) == [[point, point]])
  }

  @Test(arguments: [
    (1e-9, "0.000000001"), (-1.5e-7, "-0.00000015"), (1e16, "10000000000000000"),
    (1.25e20, "125000000000000000000"), (0, "0"), (-0.5, "-0.5"),
  ])
  func `numbers have no exponent`(number: Double, text: String) {
    #expect(GPXWriter.decimal(number) == text)
  }
}
