import Geometry

/// The index under measurement.
struct OwnEngine {
  private let name: Workload.Name
  private let workload: Workload
  private let index: ZoneIndex
  private let buildSeconds: Double
  private let megabytes: Double

  init(_ name: Workload.Name, _ workload: Workload) {
    self.name = name
    self.workload = workload
    let outlines = (0..<workload.zones.count).map { ZoneIndex.Entry(outline: Outline(workload.zones.shape($0))) }
    let bytes = heapBytes()
    let start = threadSeconds()
    index = ZoneIndex(outlines)
    buildSeconds = threadSeconds() - start
    megabytes = Double(heapBytes() - bytes) / 1e6
  }

  func measure(_ operation: String, passes: Int, limit: Int) {
    var checksum = Checksum()
    let time: Double
    let count: Int
    switch operation {
    case "contains": (time, count) = contains(fixes(limit), passes, &checksum)
    case "contains-batch": (time, count) = containsTogether(fixes(limit), passes, &checksum)
    case "journeys": (time, count) = contains(journeys(limit), passes, &checksum)
    case "journeys-batch": (time, count) = containsTogether(journeys(limit), passes, &checksum)
    default: return
    }
    Row(
      engine: "proximity", workload: name.rawValue, operation: operation, count: count, nanoseconds: time,
      hits: checksum.hits, sum: checksum.sum, buildSeconds: buildSeconds, megabytes: megabytes
    ).write()
  }

  private func fixes(_ limit: Int) -> [Coordinate] { workload.fixes.prefix(limit).map(\.coordinate) }
  private func journeys(_ limit: Int) -> [Coordinate] { workload.journeys.fixes.prefix(limit).map(\.coordinate) }

  private func contains(
    _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    var hits = ZoneIndex.Hits()
    var sum = Checksum()
    let time = nanoseconds(passes, for: fixes.count) {
      sum = Checksum()
      for (number, fix) in fixes.enumerated() {
        index.containing(fix, into: &hits)
        for zone in hits[0] { sum.add(fix: number, zone: zone) }
      }
    }
    checksum = sum
    return (time, fixes.count)
  }

  /// In batches of 64.
  private func containsTogether(
    _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    var hits = ZoneIndex.Hits()
    var sum = Checksum()
    let batches = stride(from: 0, to: fixes.count, by: 64).map { Array(fixes[$0..<min($0 + 64, fixes.count)]) }
    let time = nanoseconds(passes, for: fixes.count) {
      sum = Checksum()
      var number = 0
      for batch in batches {
        index.containing(batch, into: &hits)
        for fix in 0..<batch.count {
          for zone in hits[fix] { sum.add(fix: number, zone: zone) }
          number &+= 1
        }
      }
    }
    checksum = sum
    return (time, fixes.count)
  }
}
