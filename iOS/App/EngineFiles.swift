import Foundation
import PhoneHost

/// The engine's state on the disk: a snapshot, and a journal of what came after it. Readable from the first unlock after a
/// start on, also while the phone is locked.
@MainActor
public final class EngineFiles {
  private let folder: URL
  private var snapshot: URL { folder.appendingPathComponent("snapshot") }
  private var journal: URL { folder.appendingPathComponent("journal") }
  private var history: URL { folder.appendingPathComponent("history") }
  private var handle: FileHandle?

  /// What keeps the state from being kept; told to the person.
  var onProblem: (String) -> Void = { _ in }

  init(folder: URL) { self.folder = folder }

  public enum Contents: Equatable {
    /// The first launch.
    case none
    case kept(snapshot: [UInt8], journal: [UInt8])
    /// There, and not to be read before the phone is unlocked.
    case locked
  }

  /// Files that are there and cannot be read are not taken for none: what they hold would be lost.
  func read() -> Contents {
    guard FileManager.default.fileExists(atPath: snapshot.path) else { return .none }
    guard let state = try? Data(contentsOf: snapshot) else { return .locked }
    guard FileManager.default.fileExists(atPath: journal.path) else {
      return .kept(snapshot: [UInt8](state), journal: [])
    }
    guard let entries = try? Data(contentsOf: journal) else { return .locked }
    return .kept(snapshot: [UInt8](state), journal: [UInt8](entries))
  }

  /// Carries out what the host wants kept: it is on the disk when this returns.
  func keep(_ command: PhoneCommand) {
    guard Platform.mayWrite else { return }
    do {
      switch command {
      case .append(let bytes): try append(bytes)
      case .replace(let bytes): try replace(bytes)
      default: preconditionFailure("only what is kept is kept")
      }
      Platform.wrote()
    } catch {
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
    if !FileManager.default.fileExists(atPath: journal.path) { try create(journal) }
    let handle = try FileHandle(forWritingTo: journal)
    try handle.seekToEnd()
    return handle
  }

  /// The new snapshot is whole before it takes the former one's place. Entries that it holds are passed over should the
  /// journal still be there, so it may be moved away later.
  private func replace(_ bytes: [UInt8]) throws {
    try makeFolder()
    let fresh = folder.appendingPathComponent("snapshot.new")
    try create(fresh)
    let writing = try FileHandle(forWritingTo: fresh)
    try writing.write(contentsOf: bytes)
    try writing.synchronize()
    try writing.close()
    guard rename(fresh.path, snapshot.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    try? handle?.close()
    handle = nil
    if FileManager.default.fileExists(atPath: journal.path) {
      guard rename(journal.path, history.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
  }

  private func makeFolder() throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: Self.protection)
  }

  private func create(_ file: URL) throws {
    guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: Self.protection) else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  private static var protection: [FileAttributeKey: Any]? {
    #if canImport(UIKit)
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
    #else
      nil
    #endif
  }

  /// The journal, with what went before the last snapshot: for `proximity replay` and `explain`.
  public var journalForExport: Data {
    let parts = [history, journal].compactMap { try? Data(contentsOf: $0) }
    return parts.reduce(Data(), +)
  }

  // MARK: Small notes

  /// Words that outlive the process.
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
