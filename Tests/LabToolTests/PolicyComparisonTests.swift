import AlarmEngine
import CommandLineSupport
import PhoneSimulator
import Testing

@testable import LabTool

@Suite("Policies compared on the same journeys")
struct PolicyComparisonTests {
  @Test func `each rival that was laid down exists`() {
    #expect(PolicyComparison.compared.map(\.number) == ["C2", "C5", "C6", "C7", "C8", "C9"])
  }

  @Test func `the certified policy is set against each rival on its host, over persons`() throws {
    let names = ["certified", "original-continuous", "platform-regions"]
    let run = try SimulationRun(
      SimulationRun.Setting(
        courses: (1...3).map { ($0, ScriptedScenario.nextDoor.course(seed: $0)) },
        policies: names.compactMap { SimulatedPolicy.named($0) }, profiles: [EnergyProfile.profiles[0]]),
      step: { _, _ in true })
    let all = PolicyComparison.all(in: run)
    #expect(
      all.map { "\($0.number) \($0.host) \($0.metric.rawValue)" } == [
        "C2 H1 recall", "C2 H1 joulesPerDay", "C2 H2 recall", "C2 H2 joulesPerDay", "C7 H2 recall",
        "C7 H2 joulesPerDay",
      ])
    for one in all where one.rival == "original-continuous" && one.metric == .joulesPerDay {
      #expect(one.isBetter && one.difference.interval.upperBound < 0)
      // At least the probability found, and at most that times the host's number of comparisons.
      #expect(one.corrected >= one.difference.probability && one.corrected <= 4 * one.difference.probability)
    }
    #expect(run.overall.allSatisfy { $0.joules != nil })
    #expect(PersonTallies(run.entries, run.courses).persons == ["person 1", "person 2", "person 3"])
  }

  @Test func `a policy's variants are of one family and found by name`() {
    for name in ["certified", "tiered", "fenceOnly", "nearestRegions"] {
      let variants = SimulatedPolicy.named(name).map { SimulatedPolicy.variants(of: $0) } ?? []
      #expect(variants.count >= 3)
      for variant in variants {
        #expect(variant.family == name)
        #expect(SimulatedPolicy.named(variant.name)?.name == variant.name)
      }
    }
    #expect(SimulatedPolicy.family(of: "every-30s") == "every")
    #expect(SimulatedPolicy.family(of: "infinite-geofencing-2km") == "infinite-geofencing")
    #expect(SimulatedPolicy.family(of: "original-fenceOnly-iOS18") == "original-fenceOnly-iOS18")
    #expect(SimulatedPolicy.family(of: "naive-safe-period") == "naive-safe-period")
  }
}
