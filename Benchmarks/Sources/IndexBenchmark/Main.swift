import Geometry

/// What the benchmark's script calls; the words are listed by `usage`.
@main
struct Main {
  static let usage = """
    usage: IndexBenchmark measure WORKLOAD OPERATION... [--fixes N] [--passes N] [--small]
           IndexBenchmark witness WORKLOAD contains|journeys... [--fixes N]
           IndexBenchmark beside WORKLOAD METRES...     fixes that far from a boundary that are answered wrong
           IndexBenchmark write WORKLOAD DIRECTORY      the workload for other programs
    workloads: \(Workload.Name.allCases.map(\.rawValue).joined(separator: " "))
    operations: contains contains-batch journeys journeys-kept nearest nearest-8 edit
    """

  static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    let limit = number("--fixes", in: &words) ?? Int.max
    let passes = max(1, number("--passes", in: &words) ?? 3)
    let copy = number("--copy", in: &words) ?? 0
    let isSmall = words.contains("--small")
    words.removeAll { $0 == "--small" }
    guard words.count >= 3, let name = Workload.Name(rawValue: words[1]) else {
      print(usage)
      return
    }
    let workload = Workload(name, isSmall ? .small : .full, copy: UInt64(max(0, copy)))
    let rest = Array(words.dropFirst(2))
    switch words[0] {
    case "measure":
      let engine = OwnEngine(name, workload)
      for operation in rest { engine.measure(operation, passes: passes, limit: limit) }
    case "witness":
      for operation in rest { witness(workload, name, operation, limit) }
    case "beside":
      let engine = OwnEngine(name, workload)
      for metres in rest.compactMap({ Double($0) }) {
        let places = workload.zones.places(beside: metres, count: min(limit, 20_000))
        let wrong = engine.wrong(among: places)
        print("beside", name.rawValue, metres, places.count, wrong, separator: "\t")
      }
    case "write": try workload.write(to: rest[0], name)
    default: print(usage)
    }
  }

  private static func witness(_ workload: Workload, _ name: Workload.Name, _ operation: String, _ limit: Int)
  {
    let witness = Witness(workload.zones)
    let fixes = (operation == "contains" ? workload.fixes : workload.journeys.fixes).prefix(limit)
    var sum = Checksum()
    let time = nanoseconds(1, for: fixes.count) {
      for (number, fix) in fixes.enumerated() { witness.visit(fix) { sum.add(fix: number, zone: $0) } }
    }
    Row(
      engine: "witness", workload: name.rawValue, operation: operation, count: fixes.count, nanoseconds: time,
      hits: sum.hits, sum: sum.sum, buildSeconds: 0, megabytes: 0
    ).write()
  }

  private static func number(_ option: String, in words: inout [String]) -> Int? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    defer { words.removeSubrange(place...place + 1) }
    return Int(words[place + 1])
  }
}

extension ZoneLayout {
  /// Places a given distance to either side of boundaries, by geodesics.
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
