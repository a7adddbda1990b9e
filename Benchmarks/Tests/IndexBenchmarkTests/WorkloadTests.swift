import GeometryWithBoundaries
import HitChecksum
import Testing

@testable import IndexBenchmark

/// Every workload in its small size: the index, in single queries and in batches, with its default and its
/// lean grid, against the witness, which uses no outlines, trees and grids.
@Suite("Workloads against the witness")
struct WorkloadTests {
  private func index(_ layout: ZoneLayout, density: Double? = nil) -> ContainmentIndex {
    let entries = (0..<layout.count).map { OutlineIndex.Entry(outline: Outline(layout.shape($0))) }
    return density.map { ContainmentIndex(entries, density: $0) } ?? ContainmentIndex(entries)
  }

  @Test(arguments: Workload.Name.allCases, 0..<3) func `fixes are in the zones that the witness says`(
    name: Workload.Name, seed: UInt64
  ) {
    let workload = Workload(name, .small, seed: seed)
    let witness = Witness(workload.zones)
    let fixes = (workload.fixes + workload.journeys.fixes).map(\.coordinate)
    #expect(witness.hits(of: (workload.fixes + workload.journeys.fixes)[...]).sum.hits > 0)
    for density in [nil, 0.1] {
      #expect(witness.disagreements(with: index(workload.zones, density: density), at: fixes) == 0)
    }
  }

  @Test(arguments: Workload.Name.allCases, [0.01, 0.1, 1, 10, 100]) func `so are places beside boundaries`(
    name: Workload.Name, metres: Double
  ) {
    let workload = Workload(name, .small)
    let witness = Witness(workload.zones)
    let places = workload.zones.places(beside: metres, count: 300)
    #expect(witness.disagreements(with: index(workload.zones), at: places) == 0)
  }

  /// Compares the entries and exits of `Presence` with those of the witness.
  @Test(arguments: Workload.Name.allCases) func `devices enter and leave as the witness says`(
    name: Workload.Name
  ) {
    let workload = Workload(name, .small)
    let journeys = workload.journeys
    var presence = Presence(index(workload.zones), devices: journeys.devices)
    var (sum, changes) = (Checksum(), [Presence.Change]())
    for first in stride(from: 0, to: journeys.fixes.count, by: journeys.devices) {
      let fixes = journeys.fixes[first..<first + journeys.devices].map(\.coordinate)
      changes.removeAll()
      presence.move((0..<Int32(journeys.devices)).map { $0 }, to: fixes, changes: &changes)
      for change in changes { sum.add(fix: change.device, zone: change.outline) }
    }
    let told = Witness(workload.zones).changes(on: journeys, limit: .max)
    #expect(told.count == journeys.fixes.count)
    #expect(sum == told.sum)
  }

  @Test func `numbers are drawn the same everywhere`() {
    let workload = Workload(.polygons, .small)
    var sum = Checksum()
    for (number, fix) in (workload.fixes + workload.journeys.fixes + workload.zones.vertices).enumerated() {
      sum.add(fix: number, zone: Int((fix.longitude * 1e7).rounded()))
      sum.add(fix: number, zone: Int((fix.latitude * 1e7).rounded()))
    }
    #expect(String(sum.sum, radix: 16) == "57bd4228da101543")
  }
}
