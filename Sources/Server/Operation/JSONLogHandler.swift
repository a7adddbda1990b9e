import AlarmEngine
import AlarmService
import Formats
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Writes each message as one JSON object on a line of its own.
struct JSONLogHandler: LogHandler {
  /// The destination of log lines; writes each line whole.
  final class Sink: Sendable {
    private let write: @Sendable ([UInt8]) -> Void
    private let turn = NIOLockedValueBox(())

    init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

    static let standardError = Sink { try? FileHandle.standardError.write(contentsOf: $0) }

    func put(_ line: [UInt8]) { turn.withLockedValue { _ in write(line) } }
  }

  let label: String
  let sink: Sink
  let clock: ServerClock
  var logLevel: Logger.Level
  var metadata = Logger.Metadata()

  init(label: String, level: Logger.Level, sink: Sink = .standardError, clock: ServerClock = .system) {
    self.label = label
    self.sink = sink
    self.clock = clock
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var members: [(String, JSONValue)] = [
      ("time", .string(RFC3339.string(from: clock.now()))), ("level", .string(event.level.rawValue)),
      ("message", .string(event.message.description)),
    ]
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
      members.append((key == "hb.request.id" ? "request_id" : key, Self.json(value)))
    }
    var line: [UInt8] = []
    JSONValue.object(members).write(to: &line)
    line.append(UInt8(ascii: "\n"))
    sink.put(line)
  }

  private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .stringConvertible(let number as Int): .integer(Int64(number))
    case .stringConvertible(let number as UInt): .string(String(number))
    case .stringConvertible(let other): .string(other.description)
    case .array(let values): .array(values.map(json))
    case .dictionary(let values):
      .object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }
  }
}
