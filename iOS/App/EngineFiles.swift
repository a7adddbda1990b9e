import Foundation
import PhoneHost

/// The engine's state on the disk: a snapshot, and a journal of the changes after it. Readable from the first
/// unlock after a restart, also while the phone is locked again.
@MainActor
public final class EngineFiles {
  private let folder: URL
  private var snapshot: URL { folder.appendingPathComponent("snapshot") }
  private var journal: URL { folder.appendingPathComponent("journal") }
  private var past: URL { folder.appendingPathComponent("history", isDirectory: true) }
  /// The size limit of the stored history in bytes. If all files together are larger, the oldest are removed.
  static let largestPast = 8 << 20
  private var handle: FileHandle?
  /// A write failed: nothing is appended before a snapshot is written.
  private var isBehind = false

  /// Called with the reason when the state cannot be stored. The person is told.
  var onProblem: (String) -> Void = { _ in }

  init(folder: URL) { self.folder = folder }

  public enum Contents: Equatable {
    /// There are no files: the first launch.
    case none
    /// Nil for a file that is lost.
    case kept(snapshot: [UInt8]?, journal: [UInt8]?)
    /// The files exist but cannot be read before the phone is unlocked.
    case locked
  }

  /// Reads the files. Unreadable files do not count as missing, since their contents would be lost.
  func read() -> Contents {
    let (state, entries) = (bytes(of: snapshot), bytes(of: journal))
    guard let state, let entries else { return .locked }
    if state == .missing, entries.isEmpty, pastFiles.isEmpty { return .none }
    return .kept(snapshot: state.bytes, journal: entries.bytes)
  }

  private enum Found: Equatable {
    case missing
    case read([UInt8])
    var bytes: [UInt8]? { if case .read(let bytes) = self { bytes } else { nil } }
    var isEmpty: Bool { bytes?.isEmpty ?? true }
  }

  /// - Returns: nil if the file is there and cannot be read.
  private func bytes(of file: URL) -> Found? {
    guard FileManager.default.fileExists(atPath: file.path) else { return .missing }
    return (try? Data(contentsOf: file)).map { .read([UInt8]($0)) }
  }

  /// Carries out a command to store state. The state is on the disk when this returns, or ``onProblem`` was called.
  func keep(_ command: PhoneCommand) {
    guard Platform.mayWrite else { return }
    do {
      switch command {
      case .append(let bytes):
        guard !isBehind else { return }
        try append(bytes)
      case .replace(let bytes):
        try replace(bytes)
        isBehind = false
      default: preconditionFailure("only what is kept is kept")
      }
      Platform.wrote()
    } catch {
      isBehind = true
      onProblem(error.localizedDescription)
    }
  }

  private func append(_ bytes: [UInt8]) throws {
    let handle = try handle ?? open()
    self.handle = handle
    try handle.write(contentsOf: bytes)
    try handle.synchronize()
  }

  private func open() throws -> FileHandle {
    try makeFolder()
    if !FileManager.default.fileExists(atPath: journal.path) { try Self.create(journal) }
    let handle = try FileHandle(forWritingTo: journal)
    try handle.seekToEnd()
    return handle
  }

  /// Replaces the snapshot. The new one is complete before it replaces the previous one, which is by then in
  /// the history together with its journal. If the old journal still exists, its entries that the new
  /// snapshot contains are skipped, so it may be emptied later. There is a journal behind every snapshot: one that is
  /// missing is lost.
  private func replace(_ bytes: [UInt8]) throws {
    try makeFolder()
    if !FileManager.default.fileExists(atPath: journal.path) { try Self.create(journal) }
    let fresh = folder.appendingPathComponent("snapshot.new")
    try Self.create(fresh)
    let writing = try FileHandle(forWritingTo: fresh)
    try writing.write(contentsOf: bytes)
    try writing.synchronize()
    try writing.close()
    // A failure to store the history must not prevent storing the present state.
    try? keepPast()
    guard rename(fresh.path, snapshot.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    try? handle?.close()
    handle = nil
    try Self.create(journal)
  }

  private func keepPast() throws {
    let parts = presentParts
    guard !parts.isEmpty else { return }
    var files = pastFiles
    try FileManager.default.createDirectory(
      at: past, withIntermediateDirectories: true, attributes: Self.protection)
    let next = past.appendingPathComponent(String((files.last.flatMap(Self.number) ?? 0) + 1))
    let fresh = folder.appendingPathComponent("history.new")
    try Self.create(fresh)
    try Data(JournalExport.bytes(of: parts)).write(to: fresh)
    guard rename(fresh.path, next.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    files.append(next)
    var total = 0
    for file in files.reversed() {
      total += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      if total > Self.largestPast, file != next { try? FileManager.default.removeItem(at: file) }
    }
  }

  /// The files of the history, oldest first.
  private var pastFiles: [URL] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: past, includingPropertiesForKeys: nil)) ?? []
    return files.filter { Self.number($0) != nil }.sorted { Self.number($0)! < Self.number($1)! }
  }
  private static func number(_ file: URL) -> Int? { Int(file.lastPathComponent) }

  private var presentParts: [JournalExport.Part] {
    func bytes(_ file: URL) -> [UInt8] { (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? [] }
    let (state, entries) = (bytes(snapshot), bytes(journal))
    return (state.isEmpty ? [] : [.snapshot(state)]) + (entries.isEmpty ? [] : [.journal(entries)])
  }

  private func makeFolder() throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: Self.protection)
  }

  static func create(_ file: URL) throws {
    guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: protection) else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  static var protection: [FileAttributeKey: Any]? {
    #if canImport(UIKit)
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
    #else
      nil
    #endif
  }

  /// All stored state, oldest first, for `proximity replay` and `explain`.
  public var journalForExport: Data { Data(JournalExport.bytes(of: parts)) }

  /// All snapshots and journals that can be read, oldest first.
  var parts: [JournalExport.Part] {
    let former = pastFiles.flatMap { file -> [JournalExport.Part] in
      guard let data = try? Data(contentsOf: file) else { return [] }
      return (try? JournalExport.read([UInt8](data)).parts) ?? []
    }
    return former + presentParts
  }

  // MARK: Small notes

  /// Stores words that outlive the process.
  func note(_ words: Set<String>, as name: String) {
    guard Platform.mayWrite else { return }
    try? makeFolder()
    try? Data(words.sorted().joined(separator: "\n").utf8).write(
      to: folder.appendingPathComponent(name), options: .atomic)
  }
  func noted(as name: String) -> Set<String> {
    let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
    return Set(text.split(separator: "\n").map(String.init))
  }
}
