import AlarmEngine
import CommandLineSupport
import Foundation
import Geometry
import PhoneSimulator
import Testing

@testable import LabTool

@Suite("Sensitivity of the claims")
struct SensitivityTests {
  private static func setting() -> SimulationRun.Setting {
    let scenario = ScriptedScenario.nextDoor
    return SimulationRun.Setting(
      courses: [(1, scenario.course(seed: 1))],
      policies: [SimulatedPolicy.named("certified"), SimulatedPolicy.named("original-continuous")].compactMap(
        \.self),
      host: .timed, profiles: [EnergyProfile.profiles[0]])
  }

  @Test func `every assumed or measured parameter with a range is swept, each quantile too`() {
    let names = Set(Sensitivity.Parameter.all.map(\.name))
    let open: [EvidenceLabel] = [.assumed, .measured, .measuredFromTraces]
    let rows =
      PhoneParameters.catalogue.map { ($0.name, $0.evidence, $0.range) }
      + EnergyProfile.catalogue.map { ($0.name, $0.evidence, $0.range) }
    for (name, evidence, range) in rows {
      let isOpen = open.contains(evidence) && range.lowerBound < range.upperBound
      #expect(names.contains(name) == isOpen, "\(name)")
    }
    // Figures measured on one phone, with a range: the session's power, the exit's latency, the time to a
    // fix.
    #expect(names.isSuperset(of: ["bestMovingMilliwatts", "exitLatency.p50", "warmStartMedianSeconds"]))
    #expect(names.isSuperset(of: ["entryLatency.p50", "wakeJoules"]))
    #expect(!names.contains("significantSpacingSeconds"))
  }

  @Test func `both ends of each parameter leave all others within their ranges`() {
    let setting = Self.setting()
    for parameter in Sensitivity.Parameter.all {
      for value in [parameter.range.lowerBound, parameter.range.upperBound] {
        let changed = parameter.applied(value, to: setting)
        for part in PhoneParameters.catalogue {
          #expect(
            part.range.contains(part.value(changed.parameters)), "\(parameter.name) \(value): \(part.name)")
        }
      }
    }
  }

  @Test func `a parameter is set alone; a quantile takes its neighbours along, in order`() throws {
    let setting = Self.setting()
    let parameter = try #require(Sensitivity.Parameter.all.first { $0.name == "entryLatency.p50" })
    let changed = parameter.applied(400, to: setting).parameters
    let rows = PhoneParameters.catalogue.filter { $0.name.hasPrefix("entryLatency.") }.map {
      $0.value(changed)
    }
    #expect(rows == rows.sorted())
    #expect(rows.contains(400))
    #expect(changed.exitLatency == setting.parameters.exitLatency)
    let wake = try #require(Sensitivity.Parameter.all.first { $0.name == "wakeJoules" })
    #expect(wake.applied(1, to: setting).profiles[0].profile.wakeJoules == 1)
    #expect(wake.applied(1, to: setting).parameters == setting.parameters)
  }

  @Test func `small leads are none`() {
    #expect(Sensitivity.sign(0.0005, .recall) == 0)
    #expect(Sensitivity.sign(-0.02, .recall) == -1)
    #expect(Sensitivity.sign(0.005, .joulesPerDay) == 0)
    #expect(Sensitivity.sign(0.5, .joulesPerDay) == 1)
    #expect(Sensitivity.sign(nil, .recall) == 0 && Sensitivity.sign(.nan, .recall) == 0)
  }

  @Test func `the sweep runs each end, says what holds, and stops when told`() throws {
    var asked = 0
    let swept = Sensitivity.Parameter.all.filter {
      ["wakeJoules", "noFixOutdoors", "bestMovingMilliwatts"].contains($0.name)
    }
    try #require(swept.count == 3)
    let sensitivity = try Sensitivity(Self.setting(), over: swept) { _, total in
      asked = total
      return true
    }
    // Two policies; the phone that is always on runs along with the original one.
    #expect(asked == (1 + 2 * 3) * 3)
    #expect(sensitivity.claims.count == 2)
    let energy = try #require(sensitivity.claims.first { $0.metric == .joulesPerDay })
    #expect((sensitivity.standard.leads[energy] ?? 0) > 0.5)
    #expect(sensitivity.breakers(of: energy).isEmpty)
    let wake = try #require(sensitivity.rows.first { $0.parameter.name == "wakeJoules" })
    #expect(sensitivity.span(wake, on: "H1") > 0)
    let page = SensitivityReport(sensitivity).html
    #expect(SensitivityTable.lead(energy, sensitivity).hasSuffix("% less"))
    #expect(page.contains("better throughout") && page.contains("wakeJoules"))
    #expect(SensitivityTable(sensitivity).lines.contains { $0.hasPrefix("original-continuous") })
    #expect(throws: CancellationError.self) { try Sensitivity(Self.setting()) { done, _ in done < 2 } }
  }
}
