import AlarmEngine
import Foundation
import Testing

@testable import Formats

/// The walk bundled with the project, made by `Scenarios/make_walk.py`.
@Suite("The bundled walk")
struct ScenarioWalkTests {
  private func scenario(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Scenarios/\(name)"
    )
    .standardizedFileURL
  }

  @Test func `is read whole, every fix with its accuracy, one gap of reception`() throws {
    let walk = try TrackFile.read(contentsOf: scenario("walk.gpx"))
    #expect(walk.issues.isEmpty && walk.devices.count == 1)
    let fixes = walk.devices[0].points.map(\.fix)
    #expect(fixes.count == 440)
    #expect(fixes.allSatisfy { $0.accuracy != .unstated && $0.speed != nil })
    let gaps = zip(fixes, fixes.dropFirst()).map { $1.measuredAt - $0.measuredAt }
    #expect(
      gaps.filter { $0 > .seconds(5) }.count == 1 && gaps.allSatisfy { $0 > .zero && $0 < .seconds(100) })
    #expect(try read(walk.gpx(), as: .gpx).devices.map(\.points) == walk.devices.map(\.points))
  }

  @Test func `has zones that are read without complaint`() throws {
    let zones = try ZoneFile.read(contentsOf: scenario("zones.pad"))
    #expect(zones.issues.isEmpty, "\(zones.issues)")
    #expect(
      zones.zones.map(\.name.string) == [
        "Home", "Railway", "Café", "Orchid meadow", "Cliff edge", "Old quarry",
      ])
    #expect(
      zones.zones.map(\.trigger) == [
        .leave(), .enter(passingCounts: true), .dwell(.seconds(180)), .enter(passingCounts: true),
        .enter(passingCounts: true), .enter(passingCounts: true),
      ])
    #expect(
      zones.zones.filter { $0.assurance == .safety }.map(\.name.string) == ["Cliff edge", "Old quarry"])
  }
}
