import AlarmEngine
import ArgumentParser
import CommandLineSupport
import PhoneSimulator

/// The conditions under which the phones move.
struct SimulationFactors: ParsableArguments {
  @Option(
    help: "The phone's behaviour, above all the delay of its fences: \(Self.phoneNames).")
  var phone = PhoneParameters.profiles[0].name

  @Flag(help: "Turn Wi-Fi off: coarser positions indoors, slower fences.")
  var noWifi = false

  @Option(
    name: .customLong("gps-outage"),
    help: ArgumentHelp("Minutes without satellites around the middle visit.", valueName: "minutes"))
  var outage: Double?

  @Option(
    name: .customLong("event-loss"),
    help: ArgumentHelp(
      "Percentage of fence events that are lost. Default: depends on --phone, mostly 3.", valueName: "percent"
    ))
  var loss: Double?

  @Option(
    help: ArgumentHelp(
      "The version of iOS on H2, which determines an application's lifetime.", valueName: "6|12|18|26"))
  var ios = 18

  @Option(
    name: .customLong("zone-count"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "Number of zones: visited ones first, others added far and near. Several counts are reported apart.",
      valueName: "count"))
  var counts: [Int] = []

  @Option(
    help: ArgumentHelp(
      "Constant delay of motion events; the proofs assume 30. Default: delays recorded on phones.",
      valueName: "seconds"))
  var motionDelay: Double?

  @Flag(help: "Use tracks as they are, without adding rest to fill whole days.")
  var noPadding = false

  @Option(
    help: "Surroundings of the tracks: \(Self.surroundingNames). Default: drawn from the seed.")
  var surroundings: String?

  private static let phoneNames = PhoneParameters.profiles.map(\.name).joined(separator: ", ")
  private static let around: [(name: String, surroundings: Journey.Surroundings)] = [
    ("outdoors", .outdoors), ("canyon", .urbanCanyon), ("indoors", .indoors),
  ]
  private static let surroundingNames = around.map(\.name).joined(separator: ", ")
  private static let versions = [6, 12, 18, 26]

  func check() throws {
    guard PhoneParameters.profiles.contains(where: { $0.name == phone }) else {
      throw Simulate.unknown("--phone", phone, PhoneParameters.profiles.map(\.name))
    }
    guard Self.versions.contains(ios) else {
      throw Simulate.unknown("--ios", String(ios), Self.versions.map(String.init))
    }
    if let outage, !(outage > 0 && outage <= 1440) {
      throw ValidationError("--gps-outage \(outage) found, above 0 to 1440 minutes allowed")
    }
    if let loss, !(loss >= 0 && loss <= 100) {
      throw ValidationError("--event-loss \(loss) found, 0 to 100 allowed")
    }
    if let motionDelay, !(motionDelay >= 0 && motionDelay <= 3600) {
      throw ValidationError("--motion-delay \(motionDelay) found, 0 to 3600 seconds allowed")
    }
    if let surroundings, !Self.around.contains(where: { $0.name == surroundings }) {
      throw Simulate.unknown("--surroundings", surroundings, Self.around.map(\.name))
    }
    if let wrong = counts.first(where: { !(1...2000).contains($0) }) {
      throw ValidationError("--zone-count \(wrong) found, 1 to 2000 allowed")
    }
  }

  var version: IOSVersion { IOSVersion(ios) }

  var parameters: PhoneParameters {
    let known = PhoneParameters.profiles.first { $0.name == phone }?.parameters ?? .measured2019
    return known.with {
      if let loss { $0.regionLossProbability = loss / 100 }
      if let motionDelay { $0.motionDelay = .constant(motionDelay) }
    }
  }

  /// A recorded journey with its surroundings: as stated, or drawn by the seed.
  func surrounded(_ journey: Journey, seed: UInt64) -> Journey {
    guard let stated = Self.around.first(where: { $0.name == surroundings }) else {
      return journey.withDrawnSurroundings(seed: seed)
    }
    return journey.with(stated.surroundings)
  }

  /// A recorded journey extended by stillness to whole days, unless padding is switched off.
  func filledUp(_ journey: Journey) -> Journey {
    noPadding ? journey : journey.paddedToDays(surroundings: .indoors)
  }

  /// The journey under these conditions: once, or once for each number of zones.
  func vary(_ course: Trial.Case, seed: UInt64) -> [Trial.Case] {
    var conditions = course.conditions
    if noWifi { conditions.wifi = false }
    let plain = conditions == course.conditions ? course : course.varied(conditions: conditions)
    let counted = counts.isEmpty ? [plain] : counts.map { plain.withZones($0, seed: seed) }
    guard let outage else { return counted }
    return counted.map { $0.withoutSatellites(for: .seconds(60 * outage)) }
  }

  /// The same conditions as command-line options.
  func words(zones: Int?) -> [String] {
    var words = ["--phone", phone]
    if noWifi { words.append("--no-wifi") }
    if let outage { words += ["--gps-outage", drawn(outage)] }
    if let loss { words += ["--event-loss", drawn(loss)] }
    if ios != 18 { words += ["--ios", String(ios)] }
    if let motionDelay { words += ["--motion-delay", drawn(motionDelay)] }
    if let zones { words += ["--zone-count", String(zones)] }
    if noPadding { words.append("--no-padding") }
    if let surroundings { words += ["--surroundings", surroundings] }
    return words
  }
}

/// Each person and track belongs permanently to one of two halves, so that parameters tuned on one half can
/// be evaluated on the other.
enum SimulationHalf: String, CaseIterable {
  case a = "A"
  case b = "B"

  /// Chosen by the FNV-1a hash of the name, the last component of a path, so that the order of files does not
  /// matter.
  func holds(_ person: String) -> Bool {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in (person.split(separator: "/").last ?? "").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return (hash ^ hash >> 32) & 1 == (self == .a ? 0 : 1)
  }
}
