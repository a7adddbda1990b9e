import Foundation
import PhoneHost

/// Positions that wait for a server: lines in files, the oldest first, each file small enough for one
/// request.
///
/// Every process begins a new file: if the previous process was killed, the last line of its file may be cut,
/// and nothing may be written after it. A file's name is never used twice (`N-RANDOM.lines`), so that a late
/// answer for a deleted file is not taken for that of another.
@MainActor
final class Outbox {
  private let folder: URL
  /// The file that is being written; nil if the next position begins one.
  private var open: (file: URL, handle: FileHandle, size: Int)?
  /// The lines that could not be written. They are written first the next time.
  private var unwritten = Data()

  init(folder: URL) { self.folder = folder }

  /// Adds lines; they are on the disk when this returns.
  func append(_ lines: [UInt8]) throws {
    guard Platform.mayWrite else { return }
    if unwritten.count < ReportLimits.fileBytes { unwritten.append(contentsOf: lines) }
    var (file, handle, size) = try open ?? begin()
    // If writing fails, no later line may follow the incomplete one in this file.
    open = nil
    try handle.write(contentsOf: unwritten)
    try handle.synchronize()
    size += unwritten.count
    unwritten = Data()
    if size < ReportLimits.fileBytes { open = (file, handle, size) } else { try handle.close() }
    Platform.wrote()
    for old in files.dropLast(ReportLimits.files) { try FileManager.default.removeItem(at: old) }
  }

  private func begin() throws -> (file: URL, handle: FileHandle, size: Int) {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: EngineFiles.protection)
    let number = (files.last.flatMap(Self.number) ?? 0) + 1
    let random = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    let file = folder.appendingPathComponent("\(number)-\(random).lines")
    try EngineFiles.create(file)
    return (file, try FileHandle(forWritingTo: file), 0)
  }

  /// Returns the oldest file, which is no longer written to; nil if nothing waits.
  func oldest() -> URL? {
    guard let first = files.first else { return nil }
    if first.lastPathComponent == open?.file.lastPathComponent {
      try? open?.handle.close()
      open = nil
    }
    return first
  }

  func file(named name: String) -> URL? { files.first { $0.lastPathComponent == name } }

  func remove(_ file: URL) throws {
    guard Platform.mayWrite else { return }
    try FileManager.default.removeItem(at: file)
    Platform.wrote()
  }

  func clear() throws {
    unwritten = Data()
    try? open?.handle.close()
    open = nil
    for file in files { try remove(file) }
  }

  var count: Int { files.count }

  private var files: [URL] {
    let all =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return all.compactMap { file in Self.number(file).map { (file, $0) } }
      .sorted { ($0.1, $0.0.path) < ($1.1, $1.0.path) }.map { $0.0 }
  }
  private static func number(_ file: URL) -> UInt64? {
    guard file.pathExtension == "lines" else { return nil }
    return file.lastPathComponent.split(separator: "-").first.flatMap { UInt64($0) }
  }
}
