import AlarmEngine
import Formats
import Foundation
import NIOConcurrencyHelpers
import Store

/// Imports a file of past positions into a device's history. The file is read in parts on a thread of its
/// own, and each part is stored before the next.
///
/// An import rings nothing and does not change the device's alarms (`SQLStore+History.swift`). If it is
/// stopped or killed, the stored parts stay, and importing the same file again adds the rest.
package struct TrackImporter: Sendable {
  /// The number of parts that wait to be stored while the next one is read.
  private static let partsAhead = 2

  package let store: SQLStore
  package let account: AccountID
  package let clock: ServerClock
  /// The device whose positions are imported from a file with several. Nil accepts a file with one device.
  package var track: String?
  /// Called before the import is reported as ended, so that the next import may begin.
  private let ending: @Sendable () -> Void

  package init(
    store: SQLStore, account: AccountID, clock: ServerClock, track: String? = nil,
    ending: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.account = account
    self.clock = clock
    self.track = track
    self.ending = ending
  }

  package enum Source: Sendable {
    case file(URL)
    case bytes([UInt8])
  }

  /// Imports one file.
  /// - Parameters:
  ///   - imported: the import as it was created in the store.
  ///   - format: the file's format; nil detects it.
  ///   - progress: called after each part with the share of the file that is read. Returning false stops the
  ///     import.
  /// - Returns: the import as it is stored: done, stopped, or failed with the reason in `detail`; and all
  ///   issues.
  /// - Throws: errors of the store. The import is then marked as failed if that can still be written.
  package func run(
    _ source: Source, into imported: TrackImport, format: TrackFormat? = nil,
    progress: @escaping @Sendable (TrackImport) -> Bool = { _ in true }
  ) async throws -> (imported: TrackImport, issues: [ReadIssue]) {
    let reading = Reading(source, name: imported.name, format: format, track: track)
    var imported = imported
    do {
      for try await part in reading.parts(ahead: Self.partsAhead) {
        imported.fixesRead += part.fixes.count
        imported.share = part.share
        imported.changedAt = max(imported.changedAt, clock.now())
        imported = try await store.record(imported, adding: part.fixes, of: account)
        reading.took()
        guard progress(imported), !Task.isCancelled else {
          reading.stop()
          return (try await finish(imported, .stopped), [])
        }
      }
      // For a cancelled task the sequence of parts simply ends.
      guard !Task.isCancelled else {
        reading.stop()
        return (try await finish(imported, .stopped), [])
      }
      let issues = reading.issues
      imported.share = 1
      imported.detail = Self.detail(issues)
      return (try await finish(imported, .done), issues)
    } catch {
      reading.stop()
      imported.detail = "\(error)"
      switch error {
      case is ReadError: return (try await finish(imported, .failed), [])
      case is SeveralDevices: return (try await takeBack(imported), [])
      case is CancellationError: return (try await finish(imported, .stopped), [])
      default:
        // If the disk is full, this write fails, too.
        _ = try? await finish(imported, .failed)
        throw error
      }
    }
  }

  private func finish(_ imported: TrackImport, _ state: TrackImport.State) async throws -> TrackImport {
    var imported = imported
    imported.state = state
    ending()
    imported.changedAt = max(imported.changedAt, clock.now())
    return try await store.record(imported, adding: [], of: account)
  }

  /// Removes all imported positions, since the device they belong to is not known, and marks the import as
  /// failed.
  private func takeBack(_ imported: TrackImport) async throws -> TrackImport {
    while !(try await store.removeImport(imported.id, of: imported.device, account: account, limit: 5000)) {
      await Task.yield()
    }
    var failed = TrackImport(
      id: imported.id, device: imported.device, name: imported.name, startedAt: imported.startedAt)
    failed.detail = imported.detail
    try await store.create(failed, of: account)
    return try await finish(failed, .failed)
  }

  private static func detail(_ issues: [ReadIssue]) -> String {
    issues.prefix(20).map { issue in
      (issue.line.map { "line \($0): " } ?? "") + issue.message
    }.joined(separator: "\n")
  }
}

/// A file has positions of more than one device, and none was chosen.
private struct SeveralDevices: Error, CustomStringConvertible {
  let description: String
}

/// A file that is being read on a thread.
private final class Reading: Sendable {
  struct Part: Sendable {
    let fixes: [Fix]
    let share: Double?
  }
  private struct State {
    var isStopped = false
    var share: Double?
    /// The device whose positions are being imported: the first in the file.
    var device: String?
    var issues: [ReadIssue] = []
  }
  private let source: TrackImporter.Source
  private let name: String
  private let format: TrackFormat?
  private let track: String?
  private let state = NIOLockedValueBox(State())
  /// Signalled when the thread may hand over one more part.
  private let room = DispatchSemaphore(value: 0)

  init(_ source: TrackImporter.Source, name: String, format: TrackFormat?, track: String?) {
    self.source = source
    self.name = name
    self.format = format
    self.track = track
  }

  /// The problems that the reader found; complete once the parts have ended.
  var issues: [ReadIssue] { state.withLockedValue { $0.issues } }

  func took() { room.signal() }

  func stop() {
    state.withLockedValue { $0.isStopped = true }
    room.signal()
  }

  func parts(ahead: Int) -> AsyncThrowingStream<Part, any Error> {
    let (parts, continuation) = AsyncThrowingStream.makeStream(of: Part.self)
    for _ in 0..<ahead { room.signal() }
    Thread.detachNewThread { [self] in
      do {
        try read { part in
          self.room.wait()
          guard !self.state.withLockedValue({ $0.isStopped }) else { throw CancellationError() }
          continuation.yield(part)
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    return parts
  }

  private func read(_ handOver: @escaping (Part) throws -> Void) throws {
    let progress: ReadProgress = { [state] done, total in
      state.withLockedValue { state in
        state.share = total.map { $0 > 0 ? min(1, Double(done) / Double($0)) : 1 }
        return !state.isStopped
      }
    }
    let take = { [state, track] (device: String, points: [TrackFile.Point]) throws in
      if let track {
        guard device == track else { return }
      } else {
        let first = state.withLockedValue { state in
          if state.device == nil { state.device = device }
          return state.device
        }
        guard first == device else {
          throw SeveralDevices(
            description:
              "positions of several devices found, \(Self.word(first ?? "")) and \(Self.word(device)) among them; one has to be named"
          )
        }
      }
      try handOver(Part(fixes: points.map(\.fix), share: state.withLockedValue { $0.share }))
    }
    let issues =
      switch source {
      case .file(let url):
        try TrackFile.stream(contentsOf: url, format: format, progress: progress, take: take).issues
      case .bytes(let bytes):
        try TrackFile.stream(
          data: Data(bytes), name: name, format: format, progress: progress, take: take
        ).issues
      }
    state.withLockedValue { $0.issues = issues }
  }

  private static func word(_ device: String) -> String { device.isEmpty ? "one without a name" : device }
}
