import CommandLineSupport
import Formats
import Foundation

/// An external program that does part of the work.
struct MapTool {
  let name: String
  let path: String

  /// - Parameter folders: the folders searched before those of PATH.
  /// - Throws: `ReadError` that explains how to install it.
  init(_ name: String, in folders: [String], else hint: String) throws {
    let all =
      folders + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard
      let found = all.map({ $0 + "/" + name }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { throw ReadError("\(name) not found; \(hint)") }
    self.name = name
    path = found
  }

  /// The output that is read: standard output or standard error.
  enum Stream { case answers, messages }

  /// Runs the program to its end, and passes each line of one of its outputs to `take`. If `take` throws, the
  /// program is terminated.
  ///
  /// - Throws: `ReadError` with the program's last output if it fails; the errors of `take`.
  func run(_ arguments: [String], reading stream: Stream, _ take: ([UInt8]) throws -> Void) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    // The other output goes into a file: a full pipe that nobody reads would block the program.
    let words = FileManager.default.temporaryDirectory.appendingPathComponent(
      "proximity-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: words.path, contents: nil) else {
      throw ReadError("\(words.path) cannot be created")
    }
    defer { try? FileManager.default.removeItem(at: words) }
    let spare = try FileHandle(forWritingTo: words)
    process.standardOutput = stream == .answers ? pipe : spare
    process.standardError = stream == .answers ? spare : pipe
    do { try process.run() } catch { throw ReadError("\(path) cannot be run: \(error)") }
    try? pipe.fileHandleForWriting.close()
    var last: [[UInt8]] = []
    do {
      try Self.lines(of: pipe.fileHandleForReading) { line in
        if stream == .messages { last = (last + [line]).suffix(3) }
        try Interruption.check()
        try take(line)
      }
    } catch {
      process.terminate()
      process.waitUntilExit()
      throw error
    }
    process.waitUntilExit()
    try Interruption.check()
    guard process.terminationStatus == 0 else {
      let said =
        stream == .messages
        ? last.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        : String(decoding: (try? Data(contentsOf: words))?.suffix(300) ?? Data(), as: UTF8.self)
      throw ReadError("\(name) failed: \(printable(said.trimmingCharacters(in: .whitespacesAndNewlines)))")
    }
  }

  private static func lines(of handle: FileHandle, _ take: ([UInt8]) throws -> Void) throws {
    var rest: [UInt8] = []
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      var start = chunk.startIndex
      while let end = chunk[start...].firstIndex(of: 10) {
        try take(rest + chunk[start..<end])
        rest.removeAll(keepingCapacity: true)
        start = end + 1
      }
      rest += chunk[start...]
    }
    if !rest.isEmpty { try take(rest) }
  }
}
