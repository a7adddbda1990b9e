import AlarmEngine
import CommandLineSupport
import CoreLocationWatch
import Geometry
import PhoneSimulator

extension SimulatedPolicy {
  /// The part of the name common to all variants: the name without the number at its end ("every" of
  /// "every-30s").
  var family: String { Self.family(of: name) }
  static func family(of name: String) -> String {
    guard let dash = name.lastIndex(of: "-") else { return name }
    let number = name[name.index(after: dash)...].prefix { $0.isNumber }
    guard !number.isEmpty, ["s", "m", "km"].contains(name[number.endIndex...]) else { return name }
    return String(name[..<dash])
  }

  /// The same policy with other values of its main parameter, for its curve; empty if the catalogue has
  /// separate policies for them, or if it has no such parameter.
  static func variants(of policy: Self) -> [Self] {
    guard case .policy(let hosts, _) = policy.kind else { return [] }
    switch policy.name {
    case "certified":
      return [0, 30, 60, 180].map { seconds in
        Self("certified-\(seconds)s", "lateness \(seconds) s accepted", on: hosts) {
          var parameters = CertifiedParameters()
          parameters.normalLateness = .seconds(Double(seconds))
          return CertifiedWatch(parameters: parameters)
        }
      }
    case "tiered":
      return [500, 1500, 3000].map { metres in
        Self("tiered-\(metres)m", "satellites within \(metres) m", on: hosts) {
          var parameters = TieredParameters()
          parameters.standardThreshold = .metres(Double(metres))
          parameters.significantThreshold = max(parameters.significantThreshold, .metres(Double(metres)))
          return TieredWatch(parameters: parameters)
        }
      }
    case "fenceOnly":
      return [150, 900, 1800].map { metres in
        Self("fenceOnly-\(metres)m", "fence \(metres) m wider than the fix", on: hosts) {
          var parameters = FenceOnlyWatch().parameters
          parameters.margin = .metres(Double(metres))
          return FenceOnlyWatch(parameters: parameters)
        }
      }
    case "nearestRegions":
      return [100, 300, 600].map { metres in
        Self("nearestRegions-\(metres)m", "regions of \(metres) m", on: hosts) {
          var parameters = NearestRegionsWatch.Parameters()
          parameters.smallestRegion = .metres(Double(metres))
          return NearestRegionsWatch(parameters: parameters)
        }
      }
    default: return []
    }
  }
}
