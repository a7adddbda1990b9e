import GeometryWithBoundaries
import HitChecksum

/// The program that the benchmark's script runs; `usage` lists its arguments.
@main
struct Main {
  static let usage = """
    usage: IndexBenchmark measure WORKLOAD OPERATION... [--fixes N] [--passes N] [--density D] [--small]
           IndexBenchmark witness WORKLOAD contains|journeys|journeys-kept... [--fixes N]
           IndexBenchmark beside WORKLOAD METRES... [--fixes N]
                                      how many places so far from a boundary are answered wrong, by the witness
           IndexBenchmark write WORKLOAD DIRECTORY      the workload for other programs
    all of them with --seed N (0): other workloads of the same kinds
    workloads: \(Workload.Name.allCases.map(\.rawValue).joined(separator: " "))
    operations: contains contains-batch journeys journeys-kept nearest nearest-8 edit with-outlines
    """

  static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    let limit = number("--fixes", in: &words) ?? Int.max
    let passes = max(1, number("--passes", in: &words) ?? 3)
    let seed: UInt64 = number("--seed", in: &words) ?? 0
    let density: Double? = number("--density", in: &words)
    let isSmall = words.contains("--small")
    words.removeAll { $0 == "--small" }
    guard words.count >= 3, let name = Workload.Name(rawValue: words[1]) else {
      print(usage)
      return
    }
    let workload = Workload(name, isSmall ? .fewFixes : .full, seed: seed)
    let rest = Array(words.dropFirst(2))
    switch words[0] {
    case "measure":
      let engine = OwnEngine(name, workload, density: density)
      for operation in rest { engine.measure(operation, passes: passes, limit: limit) }
    case "witness":
      let witness = Witness(workload.zones)
      for operation in rest { Self.row(of: witness, workload, name, operation, limit).write() }
    case "beside":
      let engine = OwnEngine(name, workload, density: density)
      let witness = Witness(workload.zones)
      for metres in rest {
        guard let offset = Double(metres) else { continue }
        let places = workload.zones.places(beside: offset, count: min(limit, 20_000))
        Row(
          engine: "proximity", workload: name.rawValue, operation: "beside-\(metres)", count: places.count,
          nanoseconds: 0, hits: witness.disagreements(with: engine.containment, at: places), sum: 0,
          buildSeconds: 0, megabytes: 0
        ).write()
      }
    case "write": try workload.write(to: rest[0], name)
    default: print(usage)
    }
  }

  private static func row(
    of witness: Witness, _ workload: Workload, _ name: Workload.Name, _ operation: String, _ limit: Int
  ) -> Row {
    var (sum, count) = (Checksum(), 0)
    let time = nanoseconds(1, for: 1) {
      (sum, count) =
        operation == "journeys-kept"
        ? witness.changes(on: workload.journeys, limit: limit)
        : witness.hits(
          of: (operation == "contains" ? workload.fixes : workload.journeys.fixes).prefix(limit))
    }
    return Row(
      engine: "witness", workload: name.rawValue, operation: operation, count: count,
      nanoseconds: time / Double(max(1, count)), hits: sum.hits, sum: sum.sum, buildSeconds: 0, megabytes: 0)
  }

  private static func number<Number: LosslessStringConvertible>(
    _ option: String, in words: inout [String]
  ) -> Number? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    defer { words.removeSubrange(place...place + 1) }
    return Number(words[place + 1])
  }
}

extension ZoneLayout {
  /// Returns places at a given geodesic distance from boundaries, on alternating sides.
  func places(beside metres: Double, count: Int) -> [Coordinate] {
    var random = CountedRandom(seed: 777)
    return (0..<count).map { number in
      let zone = min(self.count - 1, Int(random.uniform() * Double(self.count)))
      let (share, turn) = (random.uniform(), random.uniform(-180, 180))
      let side = number % 2 == 0 ? 1.0 : -1
      switch kind {
      case .circles:
        return Geodesic.destination(
          from: vertices[zone].coordinate, azimuth: .degrees(turn),
          distance: .metres(radii[zone] + side * metres))
      case .polygons:
        let ring = ring(zone)
        let index = ring.startIndex + min(ring.count - 1, Int(share * Double(ring.count)))
        let next = index + 1 == ring.endIndex ? ring.startIndex : index + 1
        let line = Geodesic(from: ring[index].coordinate, to: ring[next].coordinate)
        let there = line.line.position(at: line.length * (0.1 + 0.8 * random.uniform()))
        return Geodesic.destination(
          from: there.coordinate, azimuth: .degrees(there.azimuth.degrees + 90 * side),
          distance: .metres(metres))
      }
    }
  }
}
