import AlarmEngine
import Foundation

extension TrackFile {
  /// Reads a track as `read` does, and hands its points over in parts instead of keeping them, so that memory does not
  /// grow with a file of years.
  ///
  /// A CSV file with a column of ids, a phone's journal, and placemarks of a KML file without a track are gathered first.
  /// - Parameter take: is given points of one device in the order of the file; an error of it ends the reading, within a
  ///   quarter of a megabyte, and is thrown.
  /// - Returns: how many points there were, and the issues.
  /// - Throws: as `read`.
  package static func stream(
    contentsOf url: URL, format: TrackFormat? = nil, progress: ReadProgress? = nil,
    take: @escaping (_ device: String, _ points: [Point]) throws -> Void
  ) throws -> (points: Int, issues: [ReadIssue]) {
    try stream(ByteSource(contentsOf: url, progress: progress), format: format, take: take)
  }

  /// The same from bytes already at hand.
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
    // What a reader had to gather.
    for device in file.devices {
      for point in device.points { sink.add(point, of: device.name) }
    }
    try sink.finish()
    return (sink.count, issues)
  }
}

/// Where the points of a file go that is not to be held as a whole.
final class TrackPointSink {
  /// Points that are handed over together.
  static let partSize = 2000

  private let take: (String, [TrackFile.Point]) throws -> Void
  private var device = ""
  private var part: [TrackFile.Point] = []
  private(set) var count = 0
  /// Points from the first on whose time may have lost 1024 weeks: later ones can show what is meant.
  private var held: [(device: String, point: TrackFile.Point)] = []
  private var isSettled = false
  private let now = TrackFile.now
  /// Each device's time before those that are held.
  private var lastTimes: [String: Instant] = [:]
  private var lastTime: Instant?
  private var failure: (any Error)?

  init(_ take: @escaping (String, [TrackFile.Point]) throws -> Void) { self.take = take }

  /// A failure of the taker is thrown by the next `check`.
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

  /// Puts the times right of what is held, and hands it over; what comes from then on is not held.
  /// - Parameter madeAt: when the file says that it was written.
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
