import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import PhoneSimulator

/// The journeys of the simulation.
extension Simulate {
  func scripted() throws -> [(seed: UInt64, course: Trial.Case)] {
    let chosen = try chosenScenarios()
    return (0..<UInt64(seeds)).flatMap { offset in
      chosen.flatMap { scenario in
        factors.vary(scenario.course(seed: seed &+ offset), seed: seed &+ offset).map { (seed &+ offset, $0) }
      }
    }
  }

  func recorded(_ files: inout InputFiles) throws -> [(seed: UInt64, course: Trial.Case)] {
    let placed = try files.zones(ZoneOptions.parse(zones.flatMap { ["--zones", $0] }))
    var cases: [(recorded: Journey, course: Trial.Case)] = []
    for path in tracks {
      let track = try files.track(TrackOptions.parse(["--", path]))
      for device in track.devices where !device.points.isEmpty {
        try Interruption.check()
        let fixes = device.points.map(\.fix)
        guard let recorded = try? Journey(track: fixes) else { continue }
        let journey = factors.filledUp(recorded)
        cases.append(
          (
            recorded,
            Trial.Case(
              name: path + (device.name.isEmpty ? "" : " \(device.name)"), scenario: "tracks",
              journey: journey, zones: placed.map(\.zone), gaps: GroundTruth.gaps(in: fixes),
              rules: GroundTruth.Rules(for: fixes),
              padding: (journey.end - recorded.end).seconds)
          ))
      }
    }
    return (0..<UInt64(seeds)).flatMap { offset in
      let seed = seed &+ offset
      return cases.flatMap { recorded, course in
        let journey = factors.filledUp(factors.surrounded(recorded, seed: seed))
        return factors.vary(course.along(journey), seed: seed).map { (seed, $0) }
      }
    }
  }
}
