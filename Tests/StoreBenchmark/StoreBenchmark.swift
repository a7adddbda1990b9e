import AlarmEngine
import Foundation
import Geometry
import Store
import TestSupport

/// Measures the SQLite store in a folder: `StoreBenchmark FOLDER [SECONDS]`. Build it in release.
@main
struct StoreBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let folder = arguments.count > 1 ? arguments[1] : NSTemporaryDirectory()
    let seconds = arguments.count > 2 ? Double(arguments[2]) ?? 3 : 3
    let path = folder + "/benchmark-\(UUID().uuidString).sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    let store = try SQLStore(sqlite: path)
    let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: start)
    try await store.create(account)
    let devices = (0..<2000).map { _ in DeviceID.random() }
    for device in devices {
      try await store.create(
        Device(id: device, account: account.id, name: "", createdAt: start), identities: [])
    }
    try await measure("500 fixes of one device in a batch", seconds, each: 500) { round in
      let group = DeviceFixes(device: devices[round % 10], fixes: (0..<500).map { fix(round * 500 + $0) })
      return batch { $0.fixes = [group] }
    } store: {
      _ = try await store.record($0)
    }
    try await measure("50 fixes of each of 10 devices in a batch", seconds, each: 500) { round in
      batch { batch in
        batch.fixes = (0..<10).map { index in
          DeviceFixes(
            device: devices[(round * 10 + index) % 2000],
            fixes: (0..<50).map { fix(1_000_000 + round * 50 + $0) })
        }
      }
    } store: {
      _ = try await store.record($0)
    }
    try await measure("one fix of each of 500 devices, with snapshots of 1 KiB", seconds, each: 500) {
      round in
      batch { batch in
        let chosen = (0..<500).map { devices[(round * 500 + $0) % 2000] }
        batch.fixes = chosen.map { DeviceFixes(device: $0, fixes: [fix(2_000_000 + round)]) }
        batch.snapshots = chosen.map {
          DeviceSnapshot(
            device: $0, through: start, zoneSet: .first, bytes: [UInt8](repeating: 1, count: 1024))
        }
      }
    } store: {
      _ = try await store.record($0)
    }
    try await measure("one fix in a batch", seconds, each: 1) { round in
      batch { $0.fixes = [DeviceFixes(device: devices[round % 2000], fixes: [fix(3_000_000 + round)])] }
    } store: {
      _ = try await store.record($0)
    }
    try await measure("device state", seconds, each: 1) {
      devices[$0 % 2000]
    } store: {
      _ = try await store.deviceState($0, since: start + .seconds(9e6))
    }
    let zones = (0..<10_000).map { number in
      Zone.valid(
        id: ZoneID(rawValue: UInt64(number)), name: Text("Zone \(number)"),
        outline: .locations(
          (0..<20).map {
            Coordinate(latitude: .degrees(Double($0)), longitude: .degrees(Double(number % 180)))
          }))
    }
    try await measure("10,000 zones of 20 places replaced", 0, each: 10_000) { _ in
      zones
    } store: {
      _ = try await store.replace($0, of: account.id, in: nil, at: start)
    }
    try await measure("10,000 zones read as one set", seconds, each: 10_000) { _ in
      account.id
    } store: {
      _ = try await store.zoneSet(of: $0)
    }
    let figures = try await store.statistics()
    print("file \(figures.fileBytes >> 20) MiB, log \(figures.logBytes >> 20) MiB")
    try await store.close()
  }

  static let start = Instant(millisecondsSince1970: 1_767_225_600_000)

  static func fix(_ number: Int) -> StoredFix {
    StoredFix(
      Fix(
        position: Coordinate(
          latitude: .degrees(46 + Double(number % 1000) * 1e-5), longitude: .degrees(14.5)),
        accuracy: .radius(.metres(12)), measuredAt: start + .seconds(Double(number)),
        receivedAt: start + .seconds(Double(number + 1)), speed: .metresPerSecond(13), course: .degrees(181)),
      altitude: .metres(298), battery: 0.63)
  }

  static func batch(_ fill: (inout IngestBatch) -> Void) -> IngestBatch {
    var batch = IngestBatch(at: start)
    fill(&batch)
    return batch
  }

  /// Makes the input outside of the measured time.
  static func measure<Input: Sendable>(
    _ name: String, _ seconds: Double, each: Int, make: @Sendable (Int) -> Input,
    store: @Sendable (Input) async throws -> Void
  ) async throws {
    let clock = ContinuousClock()
    var times: [Double] = []
    var (total, used, round) = (0.0, 0.0, 0)
    repeat {
      let input = make(round)
      let before = processorSeconds()
      let time = try await clock.measure { try await store(input) }
      used += processorSeconds() - before
      times.append(Double(time.components.attoseconds) * 1e-18 + Double(time.components.seconds))
      total += times[round]
      round += 1
    } while total < seconds
    times.sort()
    let rate = Double(round * each) / total
    let figures = [times[times.count / 2], times[min(times.count - 1, times.count * 99 / 100)]].map {
      String(format: "%.3f ms", $0 * 1000)
    }
    let perSecond = Int(Double(round * each) / max(used, 1e-6))
    let latency = "p50 \(figures[0]), p99 \(figures[1])"
    print("\(name): \(Int(rate))/s, \(perSecond) per processor second, \(round) calls, \(latency)")
  }

  /// Processor time of all threads of this process, user and system; a busy machine does not change it.
  static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
