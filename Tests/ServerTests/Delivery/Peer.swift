import Foundation
import NIOConcurrencyHelpers
import Testing

/// A third-party program that tests run against ours: a script of `Tests/Peers` with the packages of
/// `.venv-tests`.
///
/// Exchanges JSON, one object a line. It ends when its standard input is closed, so that no process is left
/// behind.
///
/// No thread is blocked until it ends: tasks have as many threads as there are cores. On Linux a process
/// started at the same moment can inherit its standard input and the socket that reports its end. It may then
/// end, or be known to have ended, only after that other process, whose test needs a thread.
final class Peer: Sendable {
  static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  private static let python = root.appending(path: ".venv-tests/bin/python")

  private let process: Process
  private let input: FileHandle
  private let inbox: Inbox

  /// - Parameter script: a file in `Tests/Peers`.
  static func run<Value>(
    _ script: String, _ arguments: [String] = [], _ body: (Peer) async throws -> Value
  ) async throws -> Value {
    try await run(file: root.appending(path: "Tests/Peers/\(script)"), arguments, body)
  }

  static func run<Value>(
    file: URL, _ arguments: [String] = [], _ body: (Peer) async throws -> Value
  ) async throws -> Value {
    let peer = try Peer(file, arguments)
    defer { peer.end() }
    return try await body(peer)
  }

  private init(_ script: URL, _ arguments: [String]) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.python.path),
      "\(Self.python.path) is missing: run Scripts/install-needs test")
    let process = Process()
    process.executableURL = Self.python
    process.arguments = [script.path] + arguments
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    let inbox = Inbox()
    try process.run()
    let heard = output.fileHandleForReading
    // A separate thread: if a pipe closes while its `readabilityHandler` is being removed, libdispatch (Swift
    // 6.3 on Linux) uses a dangling pointer, and the process crashes.
    Thread.detachNewThread {
      var data: Data
      repeat {
        data = heard.availableData
        inbox.take(data)
      } while !data.isEmpty
    }
    self.process = process
    self.input = input.fileHandleForWriting
    self.inbox = inbox
  }

  private func end() {
    try? input.close()
    process.terminate()
  }

  /// The next object that the peer prints.
  func next() async throws -> [String: Any] {
    let line = await inbox.next()
    let text = try #require(line, "the peer has ended")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// The next object; nil once the peer has ended.
  func nextUnlessEnded() async -> [String: Any]? {
    guard let line = await inbox.next() else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
  }

  func tell(_ value: [String: Any]) throws {
    try input.write(contentsOf: JSONSerialization.data(withJSONObject: value) + Data([10]))
  }

  /// Sends a question and waits for the answer.
  func ask(_ question: [String: Any]) async throws -> [String: Any] {
    try tell(question)
    return try await next()
  }
}

/// The lines printed by a peer, and the task that waits for the next.
private final class Inbox: Sendable {
  private struct State {
    var rest: [UInt8] = []
    var lines: [String] = []
    var hasEnded = false
    var waiting: CheckedContinuation<String?, Never>?
  }
  private let state = NIOLockedValueBox(State())

  /// Adds received data; empty data is the end.
  func take(_ data: Data) {
    let served = state.withLockedValue { state -> (CheckedContinuation<String?, Never>, String?)? in
      state.hasEnded = state.hasEnded || data.isEmpty
      state.rest += data
      while let end = state.rest.firstIndex(of: 10) {
        state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
        state.rest.removeSubrange(...end)
      }
      guard let waiting = state.waiting, state.hasEnded || !state.lines.isEmpty else { return nil }
      state.waiting = nil
      return (waiting, state.lines.isEmpty ? nil : state.lines.removeFirst())
    }
    served?.0.resume(returning: served?.1)
  }

  /// The next line. Only one task may wait at a time.
  func next() async -> String? {
    await withCheckedContinuation { continuation in
      let ready = state.withLockedValue { state -> String?? in
        if !state.lines.isEmpty { return .some(state.lines.removeFirst()) }
        if state.hasEnded { return .some(nil) }
        precondition(state.waiting == nil, "one answer is awaited at a time")
        state.waiting = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}

/// A certificate authority for this test run, and its certificates for localhost and 127.0.0.1.
struct Certificates {
  let folder: String
  var authority: String { folder + "/ca.pem" }
  var stranger: String { folder + "/stranger.pem" }
  var certificate: String { folder + "/cert.pem" }
  var key: String { folder + "/key.pem" }

  /// Made once, and removed when the tests end.
  static let made = Task<Certificates, any Error> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "proximity-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    ownFolder.withLockedValue { $0 = folder }
    atexit {
      guard let folder = Certificates.ownFolder.withLockedValue({ $0 }) else { return }
      try? FileManager.default.removeItem(at: folder)
    }
    let process = Process()
    process.executableURL = Peer.root.appending(path: ".venv-tests/bin/python")
    process.arguments = [Peer.root.appending(path: "Tests/Peers/certificates.py").path, folder.path]
    let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      ended.yield($0.terminationStatus)
      ended.finish()
    }
    try process.run()
    let status = await ends.first { _ in true }
    try #require(status == 0, "certificates.py failed: run Scripts/install-needs test")
    return Certificates(folder: folder.path)
  }
  private static let ownFolder = NIOLockedValueBox<URL?>(nil)
}
