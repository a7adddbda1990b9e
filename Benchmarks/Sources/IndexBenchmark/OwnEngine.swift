import GeometryWithBoundaries
import HitChecksum

/// The index under measurement.
struct OwnEngine {
  /// The time and the memory of a construction.
  private struct Cost {
    let seconds: Double
    let megabytes: Double
    init(since start: (seconds: Double, bytes: Int)) {
      seconds = threadSeconds() - start.seconds
      megabytes = Double(heapBytes() - start.bytes) / 1e6
    }
  }

  private let engine: String
  private let name: Workload.Name
  private let workload: Workload
  let containment: ContainmentIndex
  private let boundaries: BoundaryIndex
  private let cost: Cost
  private let costOfBoundaries: Cost
  /// The cost of the containment index together with its outlines, which it consults near boundaries.
  private let costWithOutlines: Cost

  /// - Parameter density: grid cells per edge; nil for the index's own choice.
  init(_ name: Workload.Name, _ workload: Workload, density: Double?) {
    self.name = name
    self.workload = workload
    engine = density == nil ? "proximity" : "lean"
    let beforeOutlines = (threadSeconds(), heapBytes())
    let entries = (0..<workload.zones.count).map {
      OutlineIndex.Entry(outline: Outline(workload.zones.shape($0)))
    }
    let before = (threadSeconds(), heapBytes())
    containment = density.map { ContainmentIndex(entries, density: $0) } ?? ContainmentIndex(entries)
    cost = Cost(since: before)
    costWithOutlines = Cost(since: beforeOutlines)
    let beforeBoundaries = (threadSeconds(), heapBytes())
    boundaries = BoundaryIndex(entries)
    costOfBoundaries = Cost(since: beforeBoundaries)
  }

  func measure(_ operation: String, passes: Int, limit: Int) {
    var checksum = Checksum()
    let time: Double
    let count: Int
    switch operation {
    case "contains": (time, count) = contains(fixes(limit), passes, &checksum)
    case "contains-batch": (time, count) = containsTogether(fixes(limit), passes, &checksum)
    case "journeys": (time, count) = contains(journeys(limit), passes, &checksum)
    case "journeys-kept": (time, count) = presence(journeys(limit), passes, &checksum)
    case "nearest": (time, count) = nearest(1, Array(fixes(limit).prefix(20_000)), passes, &checksum)
    case "nearest-8": (time, count) = nearest(8, Array(fixes(limit).prefix(2_000)), passes, &checksum)
    case "edit": (time, count) = edit(passes, &checksum)
    case "with-outlines": (time, count) = (0, 1)
    default: return
    }
    let cost =
      switch operation {
      case "with-outlines": costWithOutlines
      case "nearest", "nearest-8": costOfBoundaries
      default: cost
      }
    Row(
      engine: engine, workload: name.rawValue, operation: operation, count: count, nanoseconds: time,
      hits: checksum.hits, sum: checksum.sum, buildSeconds: cost.seconds, megabytes: cost.megabytes
    ).write()
  }

  private func fixes(_ limit: Int) -> [Coordinate] { workload.fixes.prefix(limit).map(\.coordinate) }
  private func journeys(_ limit: Int) -> [Coordinate] {
    workload.journeys.fixes.prefix(limit).map(\.coordinate)
  }

  private func contains(
    _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    var sum = Checksum()
    let time = nanoseconds(passes, for: fixes.count) {
      sum = Checksum()
      for (number, fix) in fixes.enumerated() {
        containment.visitOutlines(containing: fix) { sum.add(fix: number, zone: $0) }
      }
    }
    checksum = sum
    return (time, fixes.count)
  }

  /// Queries fixes in batches of 64.
  private func containsTogether(
    _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    var hits = ContainmentIndex.Hits()
    var sum = Checksum()
    let batches = stride(from: 0, to: fixes.count, by: 64).map {
      Array(fixes[$0..<min($0 + 64, fixes.count)])
    }
    let time = nanoseconds(passes, for: fixes.count) {
      sum = Checksum()
      var number = 0
      for batch in batches {
        containment.containing(batch, into: &hits)
        let (outlines, offsets) = (hits.outlines, hits.offsets)
        for fix in 0..<batch.count {
          for place in offsets[fix]..<offsets[fix + 1] { sum.add(fix: number, zone: outlines[place]) }
          number &+= 1
        }
      }
    }
    checksum = sum
    return (time, fixes.count)
  }

  /// Measures ``Presence``, which keeps the zones of each device from fix to fix. The checksum is that of all
  /// entries and exits.
  private func presence(
    _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    let devices = workload.journeys.devices
    let moved = (0..<Int32(devices)).map { $0 }
    let seconds = stride(from: 0, to: fixes.count - devices + 1, by: devices).map {
      Array(fixes[$0..<$0 + devices])
    }
    var sum = Checksum()
    var changes: [Presence.Change] = []
    let time = nanoseconds(passes, for: seconds.count * devices) {
      sum = Checksum()
      var presence = Presence(containment, devices: devices)
      for second in seconds {
        changes.removeAll(keepingCapacity: true)
        presence.move(moved, to: second, changes: &changes)
        for change in changes { sum.add(fix: change.device, zone: change.outline) }
      }
    }
    checksum = sum
    return (time, seconds.count * devices)
  }

  /// Measures a search for the nearest zones. The checksum's hits are the mean distance to the farthest zone
  /// found, in metres.
  private func nearest(
    _ zones: Int, _ fixes: [Coordinate], _ passes: Int, _ checksum: inout Checksum
  ) -> (Double, Int) {
    var sum = 0.0
    let time = nanoseconds(passes, for: fixes.count) {
      sum = 0
      for fix in fixes { sum += boundaries.nearestBoundaries(zones, to: fix).last?.distance.metres ?? 0 }
    }
    checksum = Checksum(mean: Int(sum / Double(fixes.count)))
    return (time, fixes.count)
  }

  /// Measures edits: each replaces one zone in all three indexes.
  private func edit(_ passes: Int, _ checksum: inout Checksum) -> (Double, Int) {
    let entries = containment.entries
    let near = OutlineIndex(Array(entries))
    var edited = (near, containment, boundaries)
    // Few enough edits that the index is not rebuilt as a whole.
    let count = min(50, max(1, entries.count / 100))
    let time = nanoseconds(passes, for: count) {
      edited = (near, containment, boundaries)
      for number in 0..<count {
        let zone = number * 37 % entries.count
        let edit = ListEdit(removed: [zone], inserted: [zone])
        let drawn = OutlineIndex.Entry(outline: Outline(workload.zones.shape((zone + 1) % entries.count)))
        edited = (
          OutlineIndex(editing: edited.0, by: edit, [drawn]),
          ContainmentIndex(editing: edited.1, by: edit, [drawn]),
          BoundaryIndex(editing: edited.2, by: edit, [drawn])
        )
      }
    }
    checksum = Checksum(mean: edited.1.count)
    return (time, count)
  }
}
