import AlarmEngine
import AlarmService
import Formats
import Hummingbird
import NIOCore
import ServiceLifecycle
import Store

/// An open stream: reads the account's change feed from its cursor, together with the account's other streams
/// at the same cursor, and writes it to the client.
struct EventStream: Sendable {
  let store: SQLStore
  let sessions: Sessions
  let account: AccountID
  let request: Request
  let origin: Origin
  let clock: ServerClock
  let hub: EventHub
  let listening: EventHub.Listening
  /// Part of the ids of events. It tells a client that reconnects that an older copy of the data has been
  /// restored. While the stream is open, another process may begin a new epoch.
  let epoch: FeedEpoch

  /// The most entries of one reading of the feed; this many are held for a client that reads slowly.
  private static let entriesAtOnce = 100
  private static let retryMilliseconds = 2000

  /// Returns when the client disconnects, the session ends or the server stops.
  /// - Parameter isReset: whether the changes since the client's cursor are unknown, so that it has to read
  ///   everything again.
  func write(
    from start: ChangeCursor, isReset: Bool, to writer: inout any ResponseBodyWriter
  ) async throws {
    try await writer.write(ByteBuffer(string: "retry: \(Self.retryMilliseconds)\n: open\n\n"))
    if isReset {
      try await writer.write(ByteBuffer(string: "id: \(epoch)-\(start)\nevent: reset\ndata: {}\n\n"))
    }
    var cursor = start
    try await catchUp(&cursor, &writer)
    for await signal in listening.signals.cancelOnGracefulShutdown() {
      if case .heartbeat = signal {
        // An ended session or a deleted account reads no further.
        do { _ = try await sessions.signed(request, origin, at: clock.now()) } catch { return }
        try await writer.write(ByteBuffer(string: ": still here\n\n"))
      }
      try await catchUp(&cursor, &writer)
    }
  }

  private func catchUp(_ cursor: inout ChangeCursor, _ writer: inout any ResponseBodyWriter) async throws {
    while true {
      let told = try await hub.read(listening, after: cursor) { [store, account, epoch] in
        try await Self.stretch(of: account, in: store, after: $0, epoch)
      }
      if told.bytes.readableBytes > 0 { try await writer.write(told.bytes) }
      if cursor < told.next { cursor = told.next }
      guard told.hasMore else { return }
    }
  }

  private static func stretch(
    of account: AccountID, in store: SQLStore, after cursor: ChangeCursor, _ epoch: FeedEpoch
  ) async throws -> FeedStretch {
    let page = try await store.changes(of: account, after: cursor, limit: entriesAtOnce)
    var stretch = FeedStretch(after: cursor, hasMore: page.hasMore)
    for entry in page.entries {
      stretch.add(try await bytes(of: entry, in: store, for: account, page.epoch ?? epoch), at: entry.cursor)
    }
    return stretch
  }

  /// An event in its wire format.
  static func bytes(
    of entry: ChangeEntry, in store: SQLStore, for account: AccountID, _ epoch: FeedEpoch
  ) async throws -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("id", .string(AccountID(rawValue: entry.id).description)), ("is_deleted", .bool(entry.isDeleted)),
      ("changed_at", entry.changedAt.json),
    ]
    if entry.kind == .alarm, !entry.isDeleted {
      // An alarm deleted since the entry was read is reported by its id alone.
      if let alarm = try await found({ try await store.alarm(AlarmID(rawValue: entry.id), of: account) }) {
        members.append(("alarm", .object(AlarmRoutes.members(of: alarm))))
      }
    }
    // JSON has line breaks only between tokens, and this writer adds none: one line of data.
    var bytes = Array("id: \(epoch)-\(entry.cursor)\nevent: \(entry.kind.name)\ndata: ".utf8)
    JSONValue.object(members).write(to: &bytes)
    bytes.append(contentsOf: "\n\n".utf8)
    return bytes
  }
}
