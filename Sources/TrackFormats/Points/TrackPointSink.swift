import AlarmEngine
import ZoneFormats

/// The receiver of track points, for files that are not held in memory as a whole.
package final class TrackPointSink {
  /// The most points passed on together.
  package static let partSize = 2000

  private let take: (String, [TrackFile.Point]) -> Void
  private var device = ""
  private var part: [TrackFile.Point] = []
  package private(set) var count = 0
  /// The points from the first one whose time may have lost 1024 weeks; later points can settle it.
  private var held: [(device: String, point: TrackFile.Point)] = []
  private var isSettled = false
  private let now: Instant
  /// Each device's last time before the held points.
  private var lastTimes: [String: Instant] = [:]
  private var lastTime: Instant?

  /// - Parameter now: the present, which tells possible times from impossible ones.
  package init(now: Instant, _ take: @escaping (_ device: String, _ points: [TrackFile.Point]) -> Void) {
    self.now = now
    self.take = take
  }

  package func add(_ point: TrackFile.Point, of device: String) {
    count += 1
    if !isSettled, !held.isEmpty || WeekRollover.isSuspect(point.fix.measuredAt, now: now) {
      held.append((device, point))
    } else {
      take(point, of: device)
    }
  }

  /// Corrects the times of the held points and passes them on. Later points are not held.
  /// - Parameter madeAt: the time at which the file says it was written.
  /// - Returns: the issues, and the number of points that were moved.
  package func settleHeld(madeAt: Instant?) -> (issues: [ReadIssue], moved: Int) {
    isSettled = true
    guard !held.isEmpty else { return ([], 0) }
    lastTimes[device] = lastTime
    var collector = TrackFileCollector()
    for (device, point) in held { collector.append(point, to: device) }
    held = []
    var file = TrackFile(devices: collector.devices, issues: [])
    file.madeAt = madeAt
    WeekRollover.settle(&file, now: now, after: lastTimes)
    for device in file.devices {
      for point in device.points { take(point, of: device.name) }
    }
    return (file.issues, file.movedPoints)
  }

  /// Passes on the last points.
  package func finish() { handOver() }

  private func take(_ point: TrackFile.Point, of device: String) {
    if device != self.device {
      lastTimes[self.device] = lastTime
      handOver()
    } else if part.count >= Self.partSize {
      handOver()
    }
    self.device = device
    part.append(point)
    lastTime = point.fix.measuredAt
  }

  private func handOver() {
    guard !part.isEmpty else { return }
    take(device, part)
    part.removeAll(keepingCapacity: true)
  }
}
