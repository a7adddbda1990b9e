import AlarmEngine
import CHeap
import Geometry
import Glibc

/// Measures the cost of a fix in the whole engine, from the timeline to its events, among many zones and for
/// many devices at 1 Hz. The first fixes of all devices come first, then all second fixes, and so on.
///
///     EngineBenchmark [--zones 10000] [--devices 1000] [--seconds 60] [--pole] [--people] [--far]
///
/// `--people`: nine of ten devices rest; without it all move. `--far`: the devices move in a square of their
/// own, 300 km away, in which there is no zone.
///
/// Prints the time to lay out the zones and to edit one of them, the memory of a device far from all zones,
/// the thread's CPU time for a fix, and the share of one core that the devices take.
@main
struct Main {
  static func main() throws {
    let zoneCount = number("--zones") ?? 10_000
    let deviceCount = number("--devices") ?? 1000
    let seconds = max(2, number("--seconds") ?? 60)
    var city = City(zones: zoneCount, isPolar: CommandLine.arguments.contains("--pole"))
    let zones = try city.zones()
    var start = threadSeconds()
    let watched = WatchedZones(zones)
    print("zones laid out in \(milliseconds(threadSeconds() - start)) ms: \(watched.zones.count)")
    let (edited, longest, compared) = try edits(zones, watched)
    print(
      "one of them edited in \(Int(edited * 1e6)) us (mean of 1,000; the longest \(milliseconds(longest)) ms), "
        + "in \(milliseconds(compared)) ms if all are given")

    print("a quiet device takes \(quietBytes(watched)) bytes")

    var timelines = (0..<deviceCount).map {
      Timeline(device: DeviceID(rawValue: UInt64($0)), settings: .phone, watched: watched)
    }
    let asPeopleDo = CommandLine.arguments.contains("--people")
    let isFar = CommandLine.arguments.contains("--far")
    var walkers = (0..<deviceCount).map { _ in city.walker(asPeopleDo: asPeopleDo, isFar: isFar) }
    let journeys = (0..<seconds).map { second in
      walkers.indices.map { walkers[$0].fix(second: second) }
    }
    // The first fix of each device is not timed, since it has no earlier fix to be judged by.
    for device in walkers.indices { timelines[device].insert([.fix(journeys[0][device])]) }
    var events = 0
    start = threadSeconds()
    measuredPass {
      for fixes in journeys.dropFirst() {
        for (device, fix) in fixes.enumerated() {
          events += timelines[device].insert([.fix(fix)]).added.count
        }
      }
    }
    let each = (threadSeconds() - start) / Double(deviceCount * (seconds - 1))
    let thousandths = Int(each * Double(deviceCount) * 100_000)
    let rest = String(thousandths % 1000 + 1000).dropFirst()
    print("\(deviceCount * (seconds - 1)) fixes, \(events) events, \(Int(each * 1e9)) ns each")
    print("\(deviceCount) devices at 1 Hz: \(thousandths / 1000).\(rest) % of a core")
  }

  /// Returns the seconds to lay out the zones again after the alert distance of one has changed: the mean and
  /// the longest of 1,000 successive edits, and the time of one update that is given all zones.
  private static func edits(_ zones: [Zone], _ watched: WatchedZones) throws -> (Double, Double, Double) {
    guard !zones.isEmpty else { return (0, 0, 0) }
    let drafts = (0..<1000).map { number -> ZoneDraft in
      var draft = zones[number * 7919 % zones.count].draft
      draft.alertDistance = .metres(Double(10 + number % 67))
      return draft
    }
    let changed = try drafts.map { try Zone($0) }
    var next = watched
    var (all, longest) = (0.0, 0.0)
    for zone in changed {
      let start = threadSeconds()
      next = WatchedZones(editing: next, putting: [zone])
      let taken = threadSeconds() - start
      (all, longest) = (all + taken, max(longest, taken))
    }
    var given = zones
    given[zones.count / 2] = changed[0].under(zones[zones.count / 2].id)
    let start = threadSeconds()
    let last = WatchedZones(given, replacing: watched)
    let compared = threadSeconds() - start
    guard next.revision != watched.revision, last.revision != watched.revision else { throw NothingEdited() }
    return (all / Double(changed.count), longest, compared)
  }

  /// Returns the heap bytes of a device: the mean of 1,000 devices that move far from all zones and keep no
  /// past for late positions.
  private static func quietBytes(_ watched: WatchedZones) -> Int {
    let count = 1000
    var random = SplitMix(state: 7)
    let before = heap_bytes()
    var timelines: [Timeline] = []
    timelines.reserveCapacity(count)
    for number in 0..<count {
      var timeline = Timeline(
        device: DeviceID(rawValue: UInt64(number)), settings: .phone, watched: watched)
      for minute in 0..<10 {
        let place = Coordinate(
          latitude: .degrees(-30 + 0.001 * Double(minute)), longitude: .degrees(20 + random.fraction() * 1e-4)
        )
        timeline.insert([
          .fix(
            Fix(
              position: place, accuracy: .radius(.metres(8)),
              measuredAt: Instant(millisecondsSince1970: 1_750_000_000_000 + Int64(minute) * 60_000)))
        ])
        timeline.forget(keeping: 0)
      }
      timelines.append(timeline)
    }
    return withExtendedLifetime(timelines) { (heap_bytes() - before) / count }
  }

  private struct NothingEdited: Error {}

  /// Runs `body` under a function name by which valgrind can count its instructions.
  @inline(never) private static func measuredPass(_ body: () -> Void) { body() }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  }

  private static func milliseconds(_ seconds: Double) -> Int { Int(seconds * 1000) }

  private static func number(_ option: String) -> Int? {
    let words = CommandLine.arguments
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    return Int(words[place + 1])
  }
}
