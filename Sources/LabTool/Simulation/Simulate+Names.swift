import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import PhoneSimulator

/// Looks up the policies, scenarios and other names given on the command line.
extension Simulate {
  func chosenPolicies() throws -> [SimulatedPolicy] {
    guard !policies.isEmpty else { return SimulatedPolicy.all }
    return try policies.map { name in
      guard let policy = SimulatedPolicy.named(name) else {
        throw Self.unknown("--policy", name, SimulatedPolicy.all.map(\.name))
      }
      return policy
    }
  }

  func chosenScenarios() throws -> [ScriptedScenario] {
    guard !scenarios.isEmpty else { return ScriptedScenario.allCases }
    return try scenarios.map { name in
      guard let found = ScriptedScenario.allCases.first(where: { $0.number == name || $0.rawValue == name })
      else {
        throw Self.unknown("--scenario", name, ScriptedScenario.allCases.map(\.number))
      }
      return found
    }
  }

  func chosenProfiles() throws -> [(name: String, profile: EnergyProfile)] {
    guard !profiles.isEmpty else { return [EnergyProfile.profiles[0]] }
    return try profiles.map { name in
      guard let found = EnergyProfile.profiles.first(where: { $0.name == name }) else {
        throw Self.unknown("--profile", name, EnergyProfile.profiles.map(\.name))
      }
      return found
    }
  }

  func chosenHost() throws -> Capabilities.Host? {
    guard let host else { return nil }
    guard let found = Capabilities.Host(symbol: host) else {
      throw Self.unknown("--host", host, ["H0", "H1", "H2"])
    }
    return found
  }

  func chosenHalf() throws -> SimulationHalf? {
    guard let half else { return nil }
    guard let found = SimulationHalf(rawValue: half) else { throw Self.unknown("--half", half, ["A", "B"]) }
    return found
  }

  static func unknown(_ option: String, _ given: String, _ allowed: [String]) -> ValidationError {
    if let meant = nearestName(to: given, among: allowed) {
      return ValidationError("\(option) \(printable(given)) found; did you mean \(meant)?")
    }
    return ValidationError("\(option) \(printable(given)) found, \(allowed.joined(separator: ", ")) allowed")
  }
}
