import AlarmEngine
import Foundation

extension TrackFile {
  /// Reads a track as `read` does, but passes its points on in parts instead of keeping them, so that memory
  /// does not grow with the file.
  ///
  /// A CSV file with an id column, a phone's journal, and KML placemarks without a track are collected first.
  /// - Parameter take: receives points of one device in the order of the file. Its error ends the reading,
  ///   within a quarter of a megabyte, and is thrown.
  /// - Returns: the number of points, and the issues.
  /// - Throws: as `read`.
  package static func stream(
    contentsOf url: URL, format: TrackFormat? = nil, progress: ReadProgress? = nil,
    take: @escaping (_ device: String, _ points: [Point]) throws -> Void
  ) throws -> (points: Int, issues: [ReadIssue]) {
    try stream(ByteSource(contentsOf: url, progress: progress), format: format, take: take)
  }

  /// Reads a track held in memory.
  package static func stream(
    data: Data, name: String, format: TrackFormat? = nil, progress: ReadProgress? = nil,
    take: @escaping (_ device: String, _ points: [Point]) throws -> Void
  ) throws -> (points: Int, issues: [ReadIssue]) {
    try stream(ByteSource(data: data, name: name, progress: progress), format: format, take: take)
  }

  static func stream(
    _ source: ByteSource, format: TrackFormat?, take: @escaping (String, [Point]) throws -> Void
  ) throws -> (points: Int, issues: [ReadIssue]) {
    let sink = TrackPointSink(take)
    source.sink = sink
    let file = try read(source, format: format, assumedDate: nil)
    let issues = file.issues + sink.settleHeld(madeAt: file.madeAt)
    // Points that the reader had to collect first.
    for device in file.devices {
      for point in device.points { sink.add(point, of: device.name) }
    }
    try sink.finish()
    return (sink.count, issues)
  }
}

/// The receiver of track points, for files that are not held in memory as a whole.
final class TrackPointSink {
  /// The most points passed on together.
  static let partSize = 2000

  private let take: (String, [TrackFile.Point]) throws -> Void
  private var device = ""
  private var part: [TrackFile.Point] = []
  private(set) var count = 0
  /// The points from the first one whose time may have lost 1024 weeks; later points can settle it.
  private var held: [(device: String, point: TrackFile.Point)] = []
  private var isSettled = false
  private let now = TrackFile.now
  /// Each device's last time before the held points.
  private var lastTimes: [String: Instant] = [:]
  private var lastTime: Instant?
  private var failure: (any Error)?

  init(_ take: @escaping (String, [TrackFile.Point]) throws -> Void) { self.take = take }

  /// Adds a point. An error of the receiver is thrown by the next `check`.
  func add(_ point: TrackFile.Point, of device: String) {
    guard failure == nil else { return }
    if !isSettled, !held.isEmpty || WeekRollover.isSuspect(point.fix.measuredAt, now: now) {
      held.append((device, point))
      count += 1
      return
    }
    take(point, of: device)
    count += 1
  }

  /// Corrects the times of the held points and passes them on. Later points are not held.
  /// - Parameter madeAt: the time at which the file says it was written.
  func settleHeld(madeAt: Instant?) -> [ReadIssue] {
    isSettled = true
    guard !held.isEmpty else { return [] }
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
    return file.issues
  }

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

  func check() throws { if let failure { throw failure } }

  func finish() throws {
    handOver()
    try check()
  }

  private func handOver() {
    guard failure == nil, !part.isEmpty else { return }
    do { try take(device, part) } catch { failure = error }
    part.removeAll(keepingCapacity: true)
  }
}
