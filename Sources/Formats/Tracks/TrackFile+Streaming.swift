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
    var failure: (any Error)?
    let sink = TrackPointSink(now: now) { device, points in
      guard failure == nil else { return }
      do { try take(device, points) } catch { failure = error }
    }
    source.check = { if let failure { throw failure } }
    let file = try read(source, format: format, assumedDate: nil, sink: sink)
    let issues = file.issues + sink.settleHeld(madeAt: file.madeAt).issues
    // Points that the reader had to collect first.
    for device in file.devices {
      for point in device.points { sink.add(point, of: device.name) }
    }
    sink.finish()
    try source.check?()
    return (sink.count, issues)
  }
}
