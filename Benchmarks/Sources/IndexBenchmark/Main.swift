import Geometry

/// `measure WORKLOAD OPERATION... [--fixes N] [--passes N]`, `witness WORKLOAD contains|journeys [--fixes N]`
@main
struct Main {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    let limit = number("--fixes", in: &words) ?? Int.max
    let passes = number("--passes", in: &words) ?? 3
    guard words.count >= 2, let name = Workload.Name(rawValue: words[1]) else {
      print("usage: IndexBenchmark measure|witness WORKLOAD OPERATION... [--fixes N] [--passes N]")
      return
    }
    let workload = Workload(name, .full)
    let operations = words.dropFirst(2)
    switch words[0] {
    case "measure":
      let engine = OwnEngine(name, workload)
      for operation in operations { engine.measure(operation, passes: passes, limit: limit) }
    case "witness":
      let witness = Witness(workload.zones)
      for operation in operations {
        let fixes = (operation == "contains" ? workload.fixes : workload.journeys.fixes).prefix(limit)
        var sum = Checksum()
        let time = nanoseconds(1, for: fixes.count) {
          for (number, fix) in fixes.enumerated() { witness.visit(fix) { sum.add(fix: number, zone: $0) } }
        }
        Row(
          engine: "witness", workload: name.rawValue, operation: operation, count: fixes.count,
          nanoseconds: time, hits: sum.hits, sum: sum.sum, buildSeconds: 0, megabytes: 0
        ).write()
      }
    default: print("unknown: \(words[0])")
    }
  }

  private static func number(_ option: String, in words: inout [String]) -> Int? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    defer { words.removeSubrange(place...place + 1) }
    return Int(words[place + 1])
  }
}
