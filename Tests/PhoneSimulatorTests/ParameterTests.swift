import PhoneSimulator
import Testing

@Suite("Parameters")
struct ParameterTests {
  /// The names of all numbers in a value, including the parts of distributions.
  private func names(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.flatMap { child -> [String] in
      let name = child.label ?? ""
      return child.value is Double ? [name] : names(child.value).map { "\(name).\($0)" }
    }
  }

  @Test func `the catalogue names every parameter once`() {
    let listed = PhoneParameters.catalogue.map(\.name)
    #expect(Set(listed).count == listed.count)
    #expect(Set(listed) == Set(names(PhoneParameters())))
    let energies = EnergyProfile.catalogue.map(\.name)
    #expect(Set(energies) == Set(names(EnergyProfile())) && Set(energies).count == energies.count)
  }

  @Test func `defaults lie in their ranges`() {
    for row in PhoneParameters.catalogue { #expect(row.range.contains(row.standard), "\(row.name)") }
    for row in EnergyProfile.catalogue { #expect(row.range.contains(row.standard), "\(row.name)") }
    for (name, profile) in EnergyProfile.profiles {
      for row in EnergyProfile.catalogue {
        #expect(row.range.contains(row.value(profile)), "\(row.name) of \(name)")
      }
    }
  }

  @Test func `a parameter can be set by its description`() throws {
    let row = try #require(PhoneParameters.catalogue.first { $0.name == "exitLatency.p50" })
    var parameters = PhoneParameters.measured2019
    row.set(&parameters, 120)
    #expect(parameters.exitLatency.p50 == 120)
    #expect(row.value(parameters) == 120)
    #expect(row.standard == 100)
  }

  @Test func `quantile tables run straight between their knots`() {
    let table = QuantileTable.exit2019
    #expect(table.value(at: 0) == 15)
    #expect(table.value(at: 0.5) == 100)
    #expect(abs(table.value(at: 0.85) - 145.5) < 1e-9)
    #expect(table.value(at: 1) == 600)
  }
}
